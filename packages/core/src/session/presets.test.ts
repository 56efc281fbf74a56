import { expect, test } from "vitest";
import { Talk } from "../../test/talk.ts";
import type { Summarizer } from "../wire/summarizer.ts";
import { presets } from "./presets.ts";

const words = "a line of words that is not short ".repeat(120);

/** What summarisers were asked for, while a session of one preset says a lot. */
async function asksOf(preset: keyof typeof presets): Promise<{ readonly asked: number; readonly tokens: number; readonly landed: number }> {
  let asked = 0;
  const summarizer: Summarizer = async () => {
    asked += 1;
    return { text: "Much was said about lines.", complete: true, refused: false };
  };
  const talk = new Talk({ ...presets[preset]({ summarizer }), budget: { context: 8_000, measure: "counter" } });
  for (let turn = 0; turn < 12; turn++) {
    await talk.ask(`${turn} ${words}`);
    talk.answer({ text: "Yes." });
  }
  return { asked, tokens: talk.turn?.budget.tokens ?? 0, landed: talk.session.landings.length };
}

test.each([
  ["chat", true],
  ["longAgent", true],
  ["local", false],
] as const)("the preset %s holds its window within the limit", async (preset, asks) => {
  const { asked, tokens, landed } = await asksOf(preset);
  expect(landed).toBeGreaterThan(0);
  expect(tokens).toBeLessThanOrEqual(7_000);
  expect(asked > 0).toBe(asks);
});

test("presets are parts: strategies by their names", () => {
  const summarizer: Summarizer = async () => ({ text: "", complete: true, refused: false });
  const names = Object.values(presets).map((preset) => (preset({ summarizer }).overflow as { readonly name: string }).name);
  expect(names).toEqual(["chain(background(summarize), reset)", "chain(elide, summarize, reset)", "chain(elide, reset)"]);
});
