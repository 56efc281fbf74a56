import { compareValues, sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Wire } from "../wire/wire.ts";

/** The head as it goes out: what is equivalent to the head that was sent goes out as it was sent (rules 3, 4 and 25). */
export type RepairedHead = { readonly head: Head; readonly repaired: number };

export function repairHead(wire: Wire, sent: Head, given: Head): RepairedHead {
  const system = repairList(sent.system, given.system);
  const tools = repairTools(wire, sent.tools, given.tools);
  const params = sameValue(sent.params, given.params) ? sent.params : given.params;
  const head = { ...given, system: system.list, tools: tools.list, params };
  return { head: sameParts(sent, head) ? sent : head, repaired: system.repaired + tools.repaired };
}

/** Whether two heads are made of the very same parts. */
export function sameParts(sent: Head, now: Head): boolean {
  return sent.model === now.model && sent.system === now.system && sent.tools === now.tools && sent.params === now.params;
}

type RepairedList = { readonly list: readonly ObjectValue[]; readonly repaired: number };

function repairList(sent: readonly ObjectValue[], given: readonly ObjectValue[]): RepairedList {
  const comparison = compareValues(sent, given);
  if (comparison === "different") return { list: given, repaired: 0 };
  return { list: sent, repaired: comparison === "reordered" ? 1 : 0 };
}

/** Tools that stay keep their place and bytes; new ones stand behind them. */
function repairTools(wire: Wire, sent: readonly ObjectValue[], given: readonly ObjectValue[]): RepairedList {
  if (compareValues(sent, given) === "same") return { list: sent, repaired: 0 };
  const offered = new Map(given.map((tool) => [wire.toolName(tool), tool]));
  if (offered.size !== given.length) return { list: given, repaired: 0 };
  const stays: ObjectValue[] = [];
  for (const tool of sent) {
    const name = wire.toolName(tool);
    const now = offered.get(name);
    if (now === undefined) continue;
    stays.push(sameValue(tool, now) ? tool : now);
    offered.delete(name);
  }
  const list = Object.freeze([...stays, ...offered.values()]);
  const asSent = list.length === sent.length && list.every((tool, index) => tool === sent[index]);
  return { list: asSent ? sent : list, repaired: asSent ? 1 : 0 };
}
