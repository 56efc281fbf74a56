/** Replaces lone surrogates by U+FFFD; a text that is well-formed comes back as it is. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

let segmenter: Intl.Segmenter | undefined;
/** How far behind a position its cluster may reach, in UTF-16 units: a family emoji has 11, a flag of a region 14. */
const clusterUnitsMax = 64;
/** Printable ASCII, kana and Han: no cluster reaches over the edge before one of these (Unicode's rare prepended marks aside). */
const startsCluster = /[\x20-\x7e\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]/;

/** The greatest position at or before `at` that does not fall inside a grapheme cluster. Positions count UTF-16 units. */
export function clusterStart(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const from = sureStart(text, at - 1);
  const cluster = segmenter.segment(text.slice(from, at + clusterUnitsMax)).containing(at - from);
  return cluster === undefined ? at : from + cluster.index;
}

/** A start of a cluster at or before a position. Flags are pairs counted from the first of a row, so that no fixed distance would do. */
function sureStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !startsCluster.test(text.charAt(start))) start -= 1;
  return start;
}
