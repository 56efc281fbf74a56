import { checksumValue } from "../json/checksum.ts";
import { copyValue, type ObjectValue, type Value } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";

/**
 * What a conversation is looked up by: where it is sent, its model, system text and tools (another head on the same messages is a side call: a title, a count), and what
 * was said up to the first reply. Written coarsely, so that a host's way of writing a message is no part of it: what is found is compared by the ledger.
 */
export function contentKey(wire: Wire, address: string, head: Head, start: readonly unknown[]): string {
  const { model, tools } = head;
  const said = start.map((message) => copyValue(message) as ObjectValue).map((message) => saidIn(wire, message));
  return checksumValue([wire.name, address, model, wire.systemText(head), tools.map(wire.toolName).sort(), mergedTurns(said)]);
}

/** The messages up to the first reply, that reply included; undefined: there is none yet. */
export function startOf(wire: Wire, messages: readonly unknown[]): readonly unknown[] | undefined {
  const first = messages.findIndex((message) => isReply(wire, message));
  if (first < 0) return undefined;
  let end = first + 1;
  // A reply is several items on some wires.
  while (end < messages.length && isReply(wire, messages[end])) end += 1;
  return messages.slice(0, end);
}

/** How many messages there are up to the last reply, that reply included. */
export function answeredCount(wire: Wire, messages: readonly unknown[]): number {
  return messages.findLastIndex((message) => isReply(wire, message)) + 1;
}

function isReply(wire: Wire, message: unknown): boolean {
  return wire.read(copyValue(message) as ObjectValue).role === "assistant";
}

type Said = { readonly role: string; readonly text: string; readonly others: readonly Value[] };

function saidIn(wire: Wire, message: ObjectValue): Said {
  const { role, units } = wire.read(message);
  return {
    role,
    text: units.map((unit) => (unit.kind === "text" ? unit.text : "")).join(""),
    others: units.flatMap((unit) => otherIn(unit, wire.abilities.resultsByName === true)),
  };
}

/** Reasoning is not among it: a host may have lost it. Nor are ids, where the host may lose them or make its own. */
function otherIn(unit: Unit, losesIds: boolean): readonly Value[] {
  if (unit.kind === "call") return losesIds ? [unit.name] : [unit.id, unit.name];
  if (unit.kind === "result") return losesIds ? [] : [unit.id];
  return unit.kind === "media" || unit.kind === "other" ? [unit.block] : [];
}

/** How a turn is cut into messages is no part of it. */
function mergedTurns(said: readonly Said[]): readonly Value[] {
  const turns: Said[] = [];
  for (const { role, text, others } of said) {
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = { role, text: last.text + text, others: [...last.others, ...others] };
    else turns.push({ role, text, others });
  }
  return turns.map(({ role, text, others }) => [role, text.trim(), others]);
}
