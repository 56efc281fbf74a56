import { sameValue } from "../json/compare.ts";
import { isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import type { Said } from "../ledger/entry.ts";
import { factsOf } from "../ledger/window-facts.ts";
import { toolChange, toolWindow } from "../sources/tool-changes.ts";
import type { ToolChanges, WordlessForm } from "../wire/in-band.ts";
import type { Wire } from "../wire/wire.ts";

/** The tools that shall be offered, where the head keeps the frozen ones and changes are said in band. */
export type SpokenTools = { readonly wanted: readonly ObjectValue[]; readonly changes: ToolChanges };

/** A change that is said without words: a message of its own. */
export type SpokenChange = { readonly said: Said; readonly message: ObjectValue };

/** Under these names changes are reported, beside the sources. */
const names: Readonly<Record<WordlessForm, string>> = { toolChanges: "tools", settings: "request-settings" };

/**
 * Rule 25: tools that come and go, then settings, each in one message of the wire's own form. What holds is read from the window: what a checkpoint took away is said
 * again, and what nobody has answered is said anew.
 */
export function sayChanges(wire: Wire, draft: Draft, tools: SpokenTools | undefined): readonly SpokenChange[] {
  return [...sayTools(wire, draft, tools), ...saySettings(wire, draft)];
}

function sayTools(wire: Wire, draft: Draft, tools: SpokenTools | undefined): readonly SpokenChange[] {
  if (tools === undefined) return [];
  const { tools: declared } = draft.head;
  const change = toolChange(wire, toolWindow(wire, declared, draft.entries), declared, tools.wanted, tools.changes);
  return change === undefined ? [] : [spoken(draft, "toolChanges", change as unknown as Value, tools.changes.say(change))];
}

function saySettings(wire: Wire, draft: Draft): readonly SpokenChange[] {
  const inBand = wire.inBand?.settings;
  const wanted = draft.settingsWanted;
  if (inBand === undefined || wanted === undefined) return [];
  const heard = heardOf(draft, "settings").map(({ value }) => (isObject(value) ? value : {}));
  const inForce: ObjectValue = Object.assign({}, inBand.split(draft.head.params, draft.target.profile).settings, ...heard);
  const changes = Object.entries(wanted).filter(([name, value]) => inForce[name] === undefined || !sameValue(inForce[name], value));
  if (changes.length === 0) return [];
  const value: ObjectValue = Object.freeze(Object.fromEntries(changes));
  return [spoken(draft, "settings", value, inBand.say(value))];
}

function spoken(draft: Draft, form: WordlessForm, value: Value, message: ObjectValue): SpokenChange {
  const revision = (heardOf(draft, form).at(-1)?.revision ?? 0) + 1;
  return { said: Object.freeze({ source: names[form], channel: "system", value, revision, form }), message };
}

function heardOf({ entries }: Draft, form: WordlessForm): readonly Said[] {
  if (!factsOf(entries).wordless.includes(form)) return [];
  return entries.flatMap(({ said }) => said.filter((item) => item.form === form));
}
