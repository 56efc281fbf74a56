import { digestValue } from "../json/canonical.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import { chainOf } from "../ledger/digest-chain.ts";
import type { LedgerSnapshot } from "../ledger/stored-form.ts";

type Summed = { readonly ledger: LedgerSnapshot; readonly owned?: readonly ObjectValue[] };

/** Digest of all that a snapshot holds. Its long lists go into it as chains and ranges: of a session that goes on only what is new is digested. */
export function sumOf({ ledger, owned = [], ...rest }: Summed): string {
  const { entries, turns, ...others } = ledger;
  const windows = turns.map((turn) => ({ ...turn, entries: rangesOf(turn.entries) }));
  return digestValue(copyValue({ ...rest, ledger: { ...others, entries: chainOf(entries), turns: windows }, owned: chainOf(owned) }));
}

/** Numbers as the ranges that they run through. */
function rangesOf(numbers: readonly number[]): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
