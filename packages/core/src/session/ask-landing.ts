import { TidemarkError } from "../json/error.ts";
import { copyValue, isObject, type ObjectValue } from "../json/value.ts";
import type { Group } from "../overflow/groups.ts";
import type { Change, OverflowInput } from "../overflow/strategy.ts";
import type { Wire } from "../wire/wire.ts";
import type { HostLanding } from "./landing.ts";
import { publish, type SessionState } from "./session-state.ts";

/** What the host asks to land cannot: the range is not in the window, splits what stays together, or is not known. Codes: `landing-range`, `landing-unknown`. */
export class LandingError extends TidemarkError {}

/** Asks for a landing in the next request, once (rule 34). @throws {LandingError} for a range that is none. */
export function askLanding<W extends object>(session: SessionState<W>, own: HostLanding | undefined): void {
  if (own === undefined) {
    session.asked = {};
    return;
  }
  const { from, to, text } = own;
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from < to))
    throw new LandingError(
      "landing-range",
      `[${from}, ${to}) is no range of messages: from and to count the last window's from 0, and from is below to.`,
    );
  if (text.trim() === "") throw new LandingError("landing-range", "The summary is empty. Nothing lands that says nothing.");
  session.asked = { own };
}

/** The change that the host asked for, in the window as it is now. */
export function hostChange({ from, to, text }: HostLanding, lead: number, { groups }: OverflowInput): Change {
  const starts = groupStarts(groups, lead);
  const [first, last] = [starts.indexOf(from), starts.indexOf(to)];
  if (first < 0 || last < 0) {
    const bad = first < 0 ? from : to;
    throw new LandingError(
      "landing-range",
      `Message ${bad} is inside a group: calls, their results and what belongs to them stay together. Cut at one of ${starts.join(", ")}.`,
    );
  }
  return { kind: "recap", as: "summary", from: first, to: last, text };
}

/** Native positions at which groups begin, and the window's end. */
function groupStarts(groups: readonly Group[], lead: number): readonly number[] {
  const starts = [lead];
  for (const { members } of groups) starts.push((starts.at(-1) ?? lead) + members.length);
  return starts;
}

/** The forms of pinned messages on another wire, with what the host pinned. */
export const movedPins: WeakMap<ObjectValue, ObjectValue> = new WeakMap();

/** Keeps a message, and its group, in the window (rule 35). */
export function pinMessage<W extends object>(session: SessionState<W>, message: object): () => void {
  const pin = readable(session.wire as unknown as Wire, message);
  session.pins = [...session.pins, pin];
  return () => {
    session.pins = session.pins.filter((other) => other !== pin && movedPins.get(other) !== pin);
  };
}

function readable(wire: Wire, message: object): ObjectValue {
  const copy = copyValue(message);
  if (!isObject(copy)) throw new LandingError("landing-unknown", "What is pinned must be a message.");
  wire.read(copy);
  return copy;
}

/** Drops a landing: what it replaced shows again in the next request (rule 7). @throws {LandingError} for one that this session does not know. */
export function revokeLanding<W extends object>(session: SessionState<W>, landing: number): void {
  const known = session.ledger.turns.some(({ entries }) =>
    entries.some(({ landed }) => landed?.landing === landing && landed.source.length > 0),
  );
  if (!known)
    throw new LandingError(
      "landing-unknown",
      `No window of this session holds landing ${landing}. Known are the numbers that the event "landing" names.`,
    );
  publish(session as unknown as SessionState, { type: "revoked", landing });
}
