import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, result, speakers, text } from "../../test/speakers.ts";
import { Talk } from "../../test/talk.ts";
import { estimateText } from "../wire/tokens.ts";

const long = "many words about nothing ".repeat(200);

/** What a session that never saw this conversation counts for the same request. */
function countedAnew(talk: Talk): number {
  const fresh = new Talk(talk.options, talk.speaker);
  return fresh.session.peek(talk.turn?.request as never).budget.tokens;
}

describe("budget.tokens", () => {
  test.each(speakers)("is the whole request: system, tools and messages ($name)", async (speaker) => {
    const talk = new Talk({}, speaker);
    const small = (await talk.ask("one")).budget.tokens;
    talk.answer({ text: "1" });
    const more = (await talk.ask(long)).budget.tokens;
    expect(small).toBeGreaterThan(0);
    expect(more - small).toBeGreaterThan(estimateText(long) - 1);
    if (speaker !== anthropicSpeaker) return;
    Object.assign(talk.head, { system: long, tools: [{ name: "read", description: long, input_schema: { type: "object" } }] });
    expect((await talk.send()).budget.tokens - more).toBeGreaterThan(2 * estimateText(long) - 2);
  });

  test("is the same whether or not it was asked for on the way", async () => {
    for (const asks of [true, false]) {
      const talk = new Talk({ budget: { measure: "counter" } });
      for (const words of ["one", long, "three"]) {
        const turn = await talk.ask(words);
        if (asks) expect(turn.budget.tokens).toBe(countedAnew(talk));
        talk.answer({ text: "ok" });
      }
      expect(talk.turn?.budget.tokens).toBe(countedAnew(talk));
    }
  });

  test("is that of the window as it is, behind an edit that nobody counted", async () => {
    const talk = new Talk({ budget: { measure: "counter" } });
    await talk.ask("one");
    talk.answer({ text: "1" });
    await talk.ask("two");
    talk.answer({ text: "2" });
    talk.history[0] = anthropicSpeaker.user(long);
    await talk.ask("three");
    talk.store({ text: "3" });
    const turn = await talk.ask("four");
    expect(turn.budget.tokens).toBe(countedAnew(talk));
  });

  test("is counted by the host's own counter, where it brings one", async () => {
    const talk = new Talk({ countText: (words) => words.length, budget: { measure: "counter" } });
    const one = (await talk.ask("one")).budget.tokens;
    talk.answer([text("1"), call("c1", "read", { path: "a", all: true, none: null, lines: [1, 2] })]);
    talk.history.push({ role: "user", content: [result("c1", "x".repeat(1_000))] });
    expect((await talk.send()).budget.tokens - one).toBeGreaterThan(1_000);
    expect(talk.turn?.budget.tokens).toBe(countedAnew(talk));
  });
});
