import type { ObjectValue } from "../json/value.ts";
import { bareMessage } from "../ledger/forms.ts";
import type { Replacement } from "../ledger/landing.ts";
import { fill, type Wordings } from "../ledger/wordings.ts";
import type { Wire } from "../wire/wire.ts";
import { questionAt } from "./cut.ts";
import type { Group, Member } from "./groups.ts";
import type { Change } from "./strategy.ts";

export type RecapParts = {
  readonly wire: Wire;
  readonly wordings: Wordings;
  readonly groups: readonly Group[];
  /** The reference under which the replaced text is archived. */
  readonly reference: string | undefined;
};

/** A strategy's change as the ledger lands it. In a recap the provider's block goes first, then the summary, then what is pinned and the question being asked (rule 38). */
export function replacementOf(parts: RecapParts, change: Change): Replacement {
  if (change.kind === "elision") return change;
  const { groups } = parts;
  const own = groups.slice(change.from, change.to);
  const range = { from: groups[change.from]?.from ?? 0, to: own.at(-1)?.to ?? 0 };
  if (change.kind === "block") return { kind: "recap", ...range, messages: change.messages, signed: true };
  const words = parts.wire.say("user", recapText(parts, change));
  const messages = [
    ...own.flatMap((group) => blocksOf(parts.wire, group)),
    words,
    ...own.flatMap((group, index) => keptOf(parts, group, change.from + index)),
  ];
  return { kind: "recap", ...range, messages, signed: false };
}

function recapText({ wordings, reference }: RecapParts, { as, text }: Change & { readonly kind: "recap" }): string {
  const archived = reference === undefined ? "" : fill(wordings.archived, { reference });
  return as === "summary" ? fill(wordings.summary, { text, reference: archived }) : `${text}${archived}`;
}

/** A provider's own block stands for more than a summary knows of: it stays. */
function blocksOf(wire: Wire, { members }: Group): readonly ObjectValue[] {
  return members.flatMap(({ message }) => (wire.compaction?.holds(message) === true ? [message] : []));
}

/** What of a replaced group goes on to be said: all of a pinned one, and the user's words of the one that asks. */
function keptOf({ wire, groups }: RecapParts, group: Group, index: number): readonly ObjectValue[] {
  const host = group.members.filter(({ kind }) => kind === "host");
  if (group.pinned && group.complete) return host.flatMap((member) => bareOf(wire, member));
  if (!group.pinned && index !== questionAt(groups)) return [];
  return host.flatMap((member) => wordsOf(wire, member));
}

function bareOf(wire: Wire, { message, reading }: Member): readonly ObjectValue[] {
  const bare = reading.role === "assistant" ? bareMessage(wire, message) : message;
  return bare === null ? [] : [bare];
}

function wordsOf(wire: Wire, { message, reading }: Member): readonly ObjectValue[] {
  if (reading.role === "assistant") return [];
  const units = reading.units.filter(({ kind }) => kind !== "result" && kind !== "fields");
  if (units.length === 0) return [];
  return [units.length === reading.units.length ? message : wire.compose(reading.nativeRole, units)];
}
