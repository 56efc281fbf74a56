import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportion, processorTime } from "../../test/growth.ts";
import { clusterStart, wellFormed } from "./unicode.ts";

/** Pieces that join, or do not, with what stands beside them. */
const piece = fc.constantFrom(
  "a",
  " ",
  "\r",
  "\n",
  "\r\n",
  "é",
  "é́",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "🇩",
  "👍🏽",
  "‍",
  "️",
  "각",
  "각",
  "ᄀ",
  "क्षि",
  "한",
  "文",
  "の",
  "。",
  "ñ",
  "\ud83d",
  "\ude00",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
);
const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

/** The plain twin: all clusters of the whole text. */
function clusterStartOfAll(text: string, at: number): number {
  let start = 0;
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    if (index > at) break;
    start = index;
  }
  return at >= text.length ? text.length : start;
}

describe("the start of a grapheme cluster", () => {
  it("is what segmenting the whole text would give", () => {
    fc.assert(
      fc.property(texts, fc.nat(400), (text, at) => {
        expect(clusterStart(text, at)).toBe(clusterStartOfAll(text, at));
      }),
      { numRuns: 2_000 },
    );
  });

  it("pairs flags right however many stand in a row", () => {
    const flags = "🇩🇪".repeat(300);
    for (let at = 0; at <= flags.length; at++) expect(clusterStart(flags, at)).toBe(at - (at % 4));
  });

  it("stays within the text", () => {
    expect(clusterStart("abc", -3)).toBe(0);
    expect(clusterStart("abc", 3)).toBe(3);
    expect(clusterStart("abc", 99)).toBe(3);
    expect(clusterStart("", 0)).toBe(0);
  });

  it("costs the same in a text of any length", async () => {
    await expectProportion((size) => {
      const text = "文脈管理".repeat(size);
      // Eight times the lookups in eight times the text: in proportion only when a lookup does not read the text.
      return processorTime(() => {
        for (let at = 0; at < size; at += 100) expect(clusterStart(text, at)).toBe(at);
      });
    }, 20_000);
  });
});

describe("well-formed text", () => {
  it("has no lone surrogates, and is the same text where it had none", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\ud83d", "\ude00", "文") }), (text) => {
        expect(wellFormed(text).isWellFormed()).toBe(true);
        expect(wellFormed(text)).toHaveLength(text.length);
        if (text.isWellFormed()) expect(wellFormed(text)).toBe(text);
      }),
    );
  });
});
