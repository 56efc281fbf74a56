import { TidemarkError } from "../json/error.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import { targetOfTurn, windowFor } from "../ledger/forms.ts";
import { type LedgerTurn, openTurn } from "../ledger/state.ts";
import { InvalidMessageError, InvalidReplyError } from "../wire/errors.ts";
import type { ReplyReading } from "../wire/reply.ts";
import { makeEnvelope } from "../wire/reply-envelope.ts";
import type { Wire } from "../wire/wire.ts";
import { recordAccount } from "./accounts.ts";
import { NothingToSettleError } from "./errors.ts";
import { publish, type SessionState } from "./session-state.ts";
import type { Settled } from "./turn.ts";

/** Tells a turn what its reply said (rules 6 and 28). */
export function settleTurn<W extends object>(
  session: SessionState<W>,
  { wire: own, number, lead }: { readonly wire: Wire<W>; readonly number: number; readonly lead: number },
  reply: object,
): Settled {
  const wire = own as unknown as Wire;
  const reading = readReplyOf(wire, reply);
  const { usage, dropped, cacheMissReason } = reading;
  const turn = openTurn(session.ledger, number);
  if (!reading.finished) return { recorded: false, usage, dropped, cacheMissReason, envelope: undefined };
  if (turn === undefined) throw new NothingToSettleError();
  const messages = reading.messages.map((message, index) => readable(wire, message, index));
  const dropIds = droppedEntries(wire, turn, dropped, lead);
  publish(session as unknown as SessionState, {
    type: "settled",
    turn: number,
    settlement: { reply: messages, dropped: dropIds, usage },
  });
  session.log?.settled(number);
  recordAccount(session, own, number, reading);
  if (session.options.diagnostics === true) session.replyId = reading.id;
  session.open = session.open.filter((other) => other !== number);
  if (session.unanswered?.turn === number) session.unanswered = undefined;
  if (session.options.history === "new") session.owned = [...session.owned, ...messages];
  session.saving?.soon(session as unknown as SessionState);
  return {
    ...{ recorded: true, usage, dropped, cacheMissReason },
    // Digests of all that was said, for the few hosts that keep only what is visible.
    get envelope() {
      return hasReasoning(wire, messages) ? makeEnvelope(wire, messages, turn.origin) : undefined;
    },
  };
}

/** What the wire reads of a reply; what the host's own objects throw meanwhile (getters, proxies) becomes the cause of a typed error. */
export function readReplyOf(wire: Wire, reply: object): ReplyReading {
  if (reply instanceof Promise) throw new InvalidReplyError("$", "a promise is no reply: await it first");
  try {
    return wire.readReply(reply);
  } catch (error) {
    throw error instanceof TidemarkError ? error : new InvalidReplyError("$", "the reply cannot be read", error);
  }
}

function hasReasoning(wire: Wire, messages: readonly ObjectValue[]): boolean {
  return messages.some((message) => wire.read(message).units.some((unit) => unit.kind === "reasoning"));
}

/** The reply as it will stand in the history; one that cannot be read is refused before anything is recorded. */
function readable(wire: Wire, message: ObjectValue, index: number): ObjectValue {
  const copy = copyValue(message) as ObjectValue;
  try {
    wire.read(copy);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidReplyError(index === 0 ? (error.path ?? "$") : `$ (message ${index})`, error.problem);
  }
  return copy;
}

/** The entries of the window whose reasoning the provider dropped, by their place in the request that was sent. */
function droppedEntries(wire: Wire, turn: LedgerTurn, dropped: ReplyReading["dropped"], lead: number): readonly number[] {
  if (dropped.length === 0) return [];
  const window = windowFor(wire, turn.entries, targetOfTurn(wire, turn));
  return dropped.flatMap((item) => {
    const found = "id" in item ? window.find(({ message }) => message["id"] === item.id) : window[item.message - lead];
    return found?.entry.id ?? [];
  });
}
