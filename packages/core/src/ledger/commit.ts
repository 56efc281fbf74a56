import type { Draft } from "./draft.ts";
import type { LedgerEvent } from "./state.ts";
import type { Verdict } from "./verdict.ts";
import { goesOn } from "./window-facts.ts";

/** The event that publishes a draft. Entries that the base has are not repeated in it. */
export function preparedEvent(draft: Draft, verdict: Verdict): LedgerEvent & { readonly type: "prepared" } {
  const base = draft.base?.entries ?? [];
  let kept = goesOn(draft.entries, base) ? base.length : 0;
  while (kept < base.length && kept < draft.entries.length && base[kept] === draft.entries[kept]) kept += 1;
  return {
    type: "prepared",
    turn: draft.turn,
    base: draft.base?.number,
    kept,
    entries: draft.entries.slice(kept),
    head: draft.head,
    prefill: draft.prefill,
    origin: draft.target.origin,
    answered: draft.answered,
    checkpoints: verdict.checkpoints,
    trimmed: draft.hint === "trimmed",
  };
}
