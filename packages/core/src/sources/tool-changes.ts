import { compareValues, sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Entry, Said } from "../ledger/entry.ts";
import { factsOf } from "../ledger/window-facts.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { ToolChange, ToolChanges } from "../wire/in-band.ts";
import type { Wire } from "../wire/wire.ts";

/**
 * Rule 25: the tools that were declared stay declared, in place and to the byte. That holds where none of them is defined anew and where what is added can be said in band
 * (`changes`) or nothing is. Undefined: the head changes, as a checkpoint.
 */
export function freezeTools(
  wire: Wire,
  declared: readonly ObjectValue[],
  open: OpenRequest,
  added: readonly ObjectValue[],
  changes: ToolChanges | undefined,
): OpenRequest | undefined {
  const given = open.head.tools;
  const known = new Map([...declared, ...added].map((tool) => [wire.toolName(tool), tool]));
  for (const tool of given) {
    const before = known.get(wire.toolName(tool));
    if (before === undefined ? changes?.takes(tool) !== true : !sameValue(before, tool)) return undefined;
  }
  const same = compareValues(declared, given) === "same";
  return same ? open : { ...open, head: Object.freeze({ ...open.head, tools: declared }) };
}

/** Definitions of the tools that events in a window added, and which of all tools are offered at its end. */
export type ToolWindow = { readonly added: readonly ObjectValue[]; readonly offered: ReadonlySet<string> };

/** Definitions of the tools that events in a window added. */
export function toolsAdded(wire: Wire, entries: readonly Entry[]): readonly ObjectValue[] {
  return factsOf(entries).speaking.length === 0 ? [] : toolWindow(wire, [], entries).added;
}

export function toolWindow(wire: Wire, declared: readonly ObjectValue[], entries: readonly Entry[]): ToolWindow {
  const added = new Map<string, ObjectValue>();
  const offered = new Set(declared.map((tool) => wire.toolName(tool)));
  for (const entry of factsOf(entries).speaking) {
    for (const said of entry.said) {
      if (said.form !== "toolChanges") continue;
      const { define, offer, withdraw } = changeIn(said);
      for (const tool of define) added.set(wire.toolName(tool), tool);
      for (const name of [...define.map((tool) => wire.toolName(tool)), ...offer]) offered.add(name);
      for (const name of withdraw) offered.delete(name);
    }
  }
  return { added: [...added.values()], offered };
}

function changeIn({ value }: Said): ToolChange {
  return value as unknown as ToolChange;
}

/** What has to be said so that just the wanted tools are offered; undefined: nothing. */
export function toolChange(
  wire: Wire,
  window: ToolWindow,
  declared: readonly ObjectValue[],
  wanted: readonly ObjectValue[],
  changes: ToolChanges,
): ToolChange | undefined {
  const known = new Set([...declared, ...window.added].map((tool) => wire.toolName(tool)));
  const names = new Set(wanted.map((tool) => wire.toolName(tool)));
  const missing = wanted.filter((tool) => !window.offered.has(wire.toolName(tool)));
  const define = missing.filter((tool) => !known.has(wire.toolName(tool)));
  const offer = missing.flatMap((tool) => (known.has(wire.toolName(tool)) ? [wire.toolName(tool)] : []));
  const withdraw = changes.withdraws ? [...window.offered].filter((name) => !names.has(name)) : [];
  return define.length + offer.length + withdraw.length === 0 ? undefined : { define, offer, withdraw };
}
