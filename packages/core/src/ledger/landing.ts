import type { ObjectValue } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";
import type { Draft } from "./draft.ts";
import { type Entry, type KeptWords, makeEntry } from "./entry.ts";
import { isRead } from "./forms.ts";
import { sourceOf } from "./show-source.ts";
import { carryMarks, settleReasoning, type VoidingInput } from "./void-reasoning.ts";

/** What a landing does to a window. Positions are of entries; ranges are half open. */
export type Replacement =
  | {
      readonly kind: "recap";
      readonly from: number;
      readonly to: number;
      /** What is said in their place, first to last, and what of the host's words is kept behind that. */
      readonly messages: readonly ObjectValue[];
      readonly kept: readonly ObjectValue[];
      /** Behind a block nothing may stand but what it stood before: what of the host's words goes on to be said is said as an event. */
      readonly words?: KeptWords;
      /** It is the provider's signed block, behind which kept turns keep their reasoning. */
      readonly signed: boolean;
    }
  /** New sent forms, by entry id; null: the entry is no longer sent. */
  | { readonly kind: "elision"; readonly forms: ReadonlyMap<number, ObjectValue | null> };

export type LandingInput = VoidingInput & { readonly landing: number; readonly settles: boolean };

/**
 * Lands a replacement in a draft (rules 26 and 35 to 43). What stood for older entries takes over their given forms, so that a later history is recognised by them. Behind an unsigned
 * landing bound reasoning is void; in an open loop it is lent or the loop is folded (rule 62).
 */
export function land(draft: Draft, replacement: Replacement, input: LandingInput): Draft {
  const ids = { next: draft.nextId };
  const nextId = (): number => ids.next++;
  const { entries, from, signed } = replaced(draft.entries, replacement, input, nextId);
  // What the model that wrote the block did not read was made over another prefix than the block stands for.
  const stays = ({ reasoning }: Entry): boolean => reasoning === undefined || (signed && isRead(input.wire, reasoning, draft.target));
  const stale = new Set(entries.slice(from).flatMap((entry) => (stays(entry) ? [] : [entry.id])));
  const voiding = { voided: false, stale, withheld: new Map(), settles: input.settles, answered: [] };
  const reasoned = settleReasoning(input, entries, voiding, draft.target, nextId);
  const marks = new Map(draft.marks);
  carryMarks(marks, entries, reasoned.entries);
  return {
    ...draft,
    entries: reasoned.entries,
    marks,
    lent: draft.lent || reasoned.lent,
    folded: draft.folded || reasoned.folded,
    nextId: ids.next,
  };
}

type Replaced = { readonly entries: readonly Entry[]; readonly from: number; readonly signed: boolean };

function replaced(entries: readonly Entry[], replacement: Replacement, input: LandingInput, nextId: () => number): Replaced {
  if (replacement.kind === "elision") return elided(entries, replacement.forms, input, nextId);
  const { from, to, messages, kept, signed, words } = replacement;
  const { wire, landing } = input;
  const own = entries.slice(from, to);
  const source = sourceOf(own, nextId);
  const given = own.flatMap((entry) => entry.given);
  const recap = [...messages, ...kept].map((sent, index) =>
    makeEntry(nextId(), {
      kind: index < messages.length ? "recap" : "host",
      role: wire.read(sent).role,
      given: index === 0 ? given : [],
      sent,
      landed: {
        landing,
        source: index === 0 ? source : [],
        signed,
        ...(index === messages.length - 1 && words !== undefined ? { words } : {}),
      },
    }),
  );
  return { entries: [...entries.slice(0, from), ...recap, ...entries.slice(to)], from: from + recap.length, signed };
}

function elided(
  entries: readonly Entry[],
  forms: ReadonlyMap<number, ObjectValue | null>,
  { wire, landing }: LandingInput,
  nextId: () => number,
): Replaced {
  const changed = entries.map((entry) => {
    const sent = forms.get(entry.id);
    if (sent === undefined) return entry;
    const source = entry.landed?.source ?? [entry];
    return makeEntry(nextId(), {
      ...entry,
      sent,
      calls: callsIn(wire, entry, sent),
      reasoning: undefined,
      lostReasoning: entry.lostReasoning || entry.reasoning !== undefined,
      marks: [],
      landed: { landing, source, signed: false },
    });
  });
  const from = changed.findIndex((entry, position) => entry !== entries[position]);
  return { entries: changed, from: from < 0 ? entries.length : from, signed: false };
}

/** The calls that a new form still has. */
function callsIn(wire: Wire, entry: Entry, sent: ObjectValue | null): Entry["calls"] {
  if (entry.calls.length === 0 || sent === null) return [];
  const ids = new Set(wire.read(sent).units.flatMap((unit) => (unit.kind === "call" ? [unit.id] : [])));
  return entry.calls.filter(({ sentId }) => ids.has(sentId));
}
