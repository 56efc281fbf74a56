import { expecting } from "../json/check.ts";
import { copyValue, isObject, type ObjectValue } from "../json/value.ts";
import { moveWindow, placeOf } from "../ledger/move-window.ts";
import { foldEvent } from "../ledger/state.ts";
import { checked, wireShape } from "../wire/checked.ts";
import { Translator } from "../wire/translate.ts";
import type { Wire } from "../wire/wire.ts";
import { movedPins } from "./ask-landing.ts";
import { type Session, sessionOver, stateOf } from "./create-session.ts";
import { accountScope } from "./identity.ts";
import { admissionPolicy } from "./options.ts";
import type { Moves, SessionState } from "./session-state.ts";
import { withSystemTexts } from "./sources.ts";

export type ThroughOptions = {
  /** Address and account scope there, to which reasoning is bound. Default: none is named. */
  readonly endpoint?: string | undefined;
};

const sessionShape = expecting("a session, such as createSession({ wire }) makes", (value) => stateOf(value as Session) !== undefined);

/**
 * The same session, through another wire or another account (rule 15). Its next request carries a `model` checkpoint: what was sent so far goes out in the other wire's messages, call
 * ids mapped, without the reasoning that only its maker reads. A request through the first session goes back, and sends the original bytes again.
 *
 * The host hands over its history in the messages of the wire that it asks: put there by `translateHistory`, or by itself. With `history: "new"` it hands over what is new, and no more.
 * A snapshot is of the wire that the last request went by: restore it with that one, and come to the others by `through`.
 */
export function through<W extends object, V extends object>(
  session: Session<W>,
  wire: Wire<V>,
  { endpoint }: ThroughOptions = {},
): Session<V> {
  checked(session, sessionShape, "session");
  checked(wire, wireShape, "wire");
  const state = stateOf(session);
  state.moves = moves;
  return sessionOver<V>(state as unknown as SessionState<V>, { wire, endpoint });
}

const moves: Moves = (session, { wire: to, endpoint }, request, settings) => {
  const from = session.wire;
  if (from === to && session.options.endpoint === endpoint) return undefined;
  const { endpoint: _left, ...others } = session.options;
  const arrived = { wire: to, options: { ...others, wire: to, ...(endpoint === undefined ? {} : { endpoint }) } };
  if (placeOf(from) === placeOf(to)) return (now) => ({ ...now, ...arrived });
  const open = withSystemTexts({ ...session, ...arrived }, settings, to.open(request));
  const { head } = open;
  const event = moveWindow(session.ledger, {
    ...{ from, to, head },
    target: {
      origin: Object.freeze({ wire: to.name, model: head.model, endpoint: accountScope(arrived.options) }),
      profile: to.profile(head.model),
    },
    policy: admissionPolicy(session.options, session.wordings, undefined, undefined),
    history: () => (session.options.history === "new" ? session.owned : translated(open.messages.map(copied), to, from)),
  });
  const own = {
    owned: translated(session.owned, from, to),
    pins: session.pins.flatMap((pin) => movedPin(pin, from, to)),
    ...{ ownedBy: undefined, counted: undefined, report: undefined, replyId: undefined, rendered: undefined },
  };
  return (now) => ({ ...now, ...arrived, ...own, ledger: event === undefined ? now.ledger : foldEvent(now.ledger, event) });
};

function translated(messages: readonly ObjectValue[], from: Wire, to: Wire): readonly ObjectValue[] {
  const translator = new Translator(from, to, "kept");
  return messages.flatMap((message) => translator.messages(message));
}

function copied(message: unknown): ObjectValue {
  const copy = copyValue(message);
  return isObject(copy) ? copy : {};
}

function movedPin(pin: ObjectValue, from: Wire, to: Wire): readonly ObjectValue[] {
  const forms = translated([pin], from, to).map((form) => copyValue(form) as ObjectValue);
  for (const form of forms) movedPins.set(form, movedPins.get(pin) ?? pin);
  return forms;
}
