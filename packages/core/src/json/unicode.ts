/** Replaces lone surrogates by U+FFFD; a text that is well-formed comes back as it is. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

let segmenter: Intl.Segmenter | undefined;
/** Longest grapheme cluster that is looked for, in UTF-16 units: a family emoji has 11, a flag of a region 14. */
const clusterUnitsMax = 64;

/** The greatest position at or before `at` that does not fall inside a grapheme cluster. Positions count UTF-16 units. */
export function clusterStart(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const from = Math.max(0, at - clusterUnitsMax);
  const around = text.slice(from, at + clusterUnitsMax);
  const cluster = segmenter.segment(around).containing(at - from);
  return cluster === undefined ? at : from + cluster.index;
}
