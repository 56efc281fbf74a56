import type { Draft } from "../ledger/reconcile.ts";

/** Brings a window that is above its marks down again. The place of the budget and the overflow strategies in the way of a request; there are none yet. */
export async function fit(draft: Draft): Promise<Draft> {
  return draft;
}
