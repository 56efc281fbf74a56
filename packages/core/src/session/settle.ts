import { copyValue, type ObjectValue } from "../json/value.ts";
import { type Entry, isSent } from "../ledger/entry.ts";
import { messagesFor } from "../ledger/forms.ts";
import type { LedgerTurn } from "../ledger/state.ts";
import { targetOfTurn } from "../ledger/verdict.ts";
import type { ReplyReading } from "../wire/reply.ts";
import { makeEnvelope } from "../wire/reply-envelope.ts";
import type { Wire } from "../wire/wire.ts";
import { recordAccount } from "./accounts.ts";
import { NothingToSettleError } from "./errors.ts";
import { publish, type SessionState } from "./session-state.ts";
import type { Settled } from "./turn.ts";

/** Tells a turn what its reply said (rules 6 and 28). */
export function settleTurn<W extends object>(session: SessionState<W>, number: number, reply: object, lead: number): Settled {
  const reading = session.wire.readReply(reply);
  const { usage, dropped, cacheMissReason } = reading;
  const turn = session.ledger.turns.find((known) => known.number === number);
  if (!reading.finished) return { recorded: false, usage, dropped, cacheMissReason, envelope: undefined };
  if (turn === undefined) throw new NothingToSettleError();
  const message = reading.message === undefined ? undefined : (copyValue(reading.message) as ObjectValue);
  publish(session as unknown as SessionState, {
    type: "settled",
    turn: number,
    settlement: { reply: message, dropped: droppedEntries(session.wire as unknown as Wire, turn, dropped, lead), usage },
  });
  session.log?.settled(number);
  recordAccount(session, number, reading);
  session.open = session.open.filter((other) => other !== number);
  if (session.options.history === "new" && message !== undefined) session.owned = [...session.owned, message];
  const envelope =
    message === undefined || !hasReasoning(session.wire as unknown as Wire, message)
      ? undefined
      : makeEnvelope(session.wire as unknown as Wire, message, turn.origin);
  return { recorded: true, usage, dropped, cacheMissReason, envelope };
}

function hasReasoning(wire: Wire, message: ObjectValue): boolean {
  return wire.read(message).units.some((unit) => unit.kind === "reasoning");
}

function droppedEntries(wire: Wire, turn: LedgerTurn, dropped: ReplyReading["dropped"], lead: number): readonly number[] {
  if (dropped.length === 0) return [];
  const forms = new Set(messagesFor(wire, turn.entries, targetOfTurn(wire, turn)));
  const sent = turn.entries.filter((entry) => isSent(entry) && (entry.dormant !== undefined || forms.size > 0));
  return dropped.flatMap(({ message }) => {
    const entry: Entry | undefined = sent[message - lead];
    return entry === undefined ? [] : [entry.id];
  });
}
