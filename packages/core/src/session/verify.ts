import { compareValues } from "../json/compare.ts";
import { pathText } from "../json/path.ts";
import { copyValue, isObject, type ObjectValue } from "../json/value.ts";
import type { DifferenceClass } from "../wire/difference.ts";
import { InvalidRequestError } from "../wire/errors.ts";
import { messagesDifference } from "../wire/messages-difference.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import type { SessionState } from "./session-state.ts";

/** A stored message that is not what the session was given. */
export type StoredDifference = {
  /** Index in the stored history. */
  readonly at: number;
  readonly path: string;
  readonly class: DifferenceClass;
  /** `equivalent`: it is repaired, the sent bytes go out again. `breaks`: the next request will carry a checkpoint there. */
  readonly effect: "equivalent" | "breaks";
};

/** How many leading messages of a stored history are the head, on wires without a system field. */
function leadingMessages(wire: Wire, stored: readonly unknown[], given: readonly ObjectValue[]): number {
  const first = given[0]?.["role"];
  let lead = 0;
  while (
    lead < stored.length &&
    wire.abilities.systemPlace === "anywhere" &&
    first !== "system" &&
    first !== "developer" &&
    isHeadRole(stored[lead])
  )
    lead += 1;
  return lead;
}

function isHeadRole(message: unknown): boolean {
  const role = (message as { role?: unknown } | null)?.role;
  return role === "system" || role === "developer";
}

/** Compares a stored history with what was handed over for the last window, message by message. Changes nothing. */
export function verifyHistory<W extends object>(session: SessionState<W>, stored: readonly unknown[]): readonly StoredDifference[] {
  const wire = session.wire as unknown as Wire;
  if (!Array.isArray(stored)) throw new InvalidRequestError(pathText(messagesPlace(wire)), "the stored messages must be an array");
  const given = session.ledger.turns.at(-1)?.entries.flatMap((entry) => entry.given) ?? [];
  const found: StoredDifference[] = [];
  const lead = leadingMessages(wire, stored, given);
  for (const [index, kept] of given.entries()) {
    const at = index + lead;
    if (at >= stored.length) {
      found.push({ at, path: pathText([...messagesPlace(wire), at]), class: "removal", effect: "breaks" });
      break;
    }
    if (compareValues(kept, stored[at]) === "same") continue;
    const copy = copyValue(stored[at], [...messagesPlace(wire), at]);
    if (!isObject(copy)) throw new InvalidRequestError(pathText([...messagesPlace(wire), at]), "a message must be an object");
    const breaks = messagesDifference(wire, [kept], [copy], { strength: "provider", offset: at });
    const place = breaks ?? messagesDifference(wire, [kept], [copy], { strength: "bytes", offset: at });
    if (place !== undefined)
      found.push({ at, path: pathText(place.path), class: place.class, effect: breaks === undefined ? "equivalent" : "breaks" });
  }
  return found;
}
