import { sameValue } from "../json/compare.ts";
import { sameUnit, type Unit } from "../wire/unit.ts";
import type { DormantUnit } from "./dormant-form.ts";
import { digestUnit } from "./unit-digest.ts";

/**
 * What a run of entries of one side expects to meet in the host's history. Each item is one unit that may come in two forms (as
 * given, as sent), or only as a digest after a restore.
 */
export type Expected = {
  /** Position of the entry, and of the unit in it. */
  readonly entry: number;
  readonly index: number;
  readonly forms: readonly Unit[];
  readonly digest: DormantUnit | undefined;
  /** An event, a stand-in, or reasoning: the host's copy may lack it. */
  readonly optional: "event" | "reasoning" | undefined;
};

/** Units that are to be met as they are. Of a reply the host's copy may lack the reasoning. */
export function expectUnits(units: readonly Unit[], isReply: boolean): readonly Expected[] {
  return units.map((unit, index) => {
    const optional = isReply && unit.kind === "reasoning" ? "reasoning" : undefined;
    return { entry: 0, index, forms: [unit], digest: undefined, optional };
  });
}

/** Kind and call id of what is expected, as far as order needs them. */
export function unitOfExpected(item: Expected): Unit {
  return item.digest === undefined ? (item.forms[0] as Unit) : unitOfDigest(item.digest);
}

/** The same of what is known by its digest. */
function unitOfDigest({ kind, id }: DormantUnit): Unit {
  return { kind, id } as unknown as Unit;
}

export type RunMatch = {
  /** How many of the given units the expectation took up. All of it was met. */
  readonly taken: number;
  /** By expected item: position of the unit that met it, or undefined for an optional one that the host's copy lacks. */
  readonly metBy: readonly (number | undefined)[];
};

/**
 * Walks both in order. Undefined: they differ. Greedy: an optional item is passed over only when the next unit is not it, and lacking
 * reasoning only when what stands in its place is no reasoning at all, or reasoning that is expected later (merged or edited reasoning is an edit, not a loss).
 */
export function matchRun(expected: readonly Expected[], units: readonly Unit[]): RunMatch | undefined {
  const metBy: (number | undefined)[] = [];
  let at = 0;
  for (const [position, item] of expected.entries()) {
    const unit = units[at];
    if (unit !== undefined && meets(item, unit)) {
      metBy.push(at);
      at += 1;
      continue;
    }
    if (item.optional === undefined) return undefined;
    if (item.optional === "reasoning" && unit?.kind === "reasoning" && !expected.slice(position + 1).some((later) => meets(later, unit)))
      return undefined;
    metBy.push(undefined);
  }
  return { taken: at, metBy };
}

/** Whether a unit of the history is what is expected. */
export function meets(item: Expected, unit: Unit): boolean {
  if (item.digest !== undefined && item.digest.kind === unit.kind && meetsSlept(item.digest, unit)) return true;
  return item.forms.some((form) => sameUnit(form, unit));
}

/** Reasoning is kept in full where it is sent: comparing it costs less than its digest. */
function meetsSlept({ block, digest }: DormantUnit, unit: Unit): boolean {
  return block !== undefined ? sameValue(block, unit.block) : digest === digestUnit(unit);
}
