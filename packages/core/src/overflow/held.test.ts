import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { background } from "./background.ts";
import { elide } from "./elide.ts";
import { reset } from "./reset.ts";
import type { OverflowStrategy } from "./strategy.ts";
import { summarize } from "./summarize.ts";

const by = (talk: Crowded): readonly string[] => talk.turn?.budget.held.map((held) => held.by) ?? [];

describe("what held a window above its marks is in `turn.budget` (rule 33)", () => {
  test("nothing, while there is room and where low water was reached", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(9, 150);
    expect(talk.landings.length).toBeGreaterThan(0);
    expect(by(talk)).toEqual([]);
  });

  test("what is pinned and asked, with their tokens, behind a landing that could not reach low water", async () => {
    const talk = new Crowded(reset());
    await talk.ask(prose("keep this", 600));
    talk.session.pin(talk.history[0] as object);
    talk.answer({ text: "kept" });
    await talk.exchange(3, 150);
    talk.session.compact();
    const turn = await talk.ask("on");
    expect(turn.budget.held).toEqual([
      { by: "recent", tokens: expect.any(Number) },
      { by: "pinned", tokens: expect.any(Number) },
      { by: "question", tokens: expect.any(Number) },
    ]);
    expect(turn.budget.held.reduce((sum, { tokens = 0 }) => sum + tokens, 0)).toBe(turn.budget.tokens);
  });

  test("a tool turn, whose end an unsigned landing waits for", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(3, 150);
    await talk.ask("read");
    talk.answer({ thinking: "so", calls: [{ id: "c1" }] });
    await talk.results(["c1", prose("result", 500)]);
    expect(by(talk)).toEqual(["tool-turn"]);
  });

  test.each<readonly [string, string, OverflowStrategy, object]>([
    ["a job that runs", "pending", background(summarize({ summarizer: () => new Promise(() => {}) })), {}],
    ["a strategy that finds nothing", "unchanged", elide(), {}],
    ["one that fails", "failed", summarize({ summarizer: scripted("") }), {}],
    ["a landing that costs more than it saves", "minimum-gain", reset(), { minimumGain: 1_000 }],
  ])("%s", async (_what, reason, strategy, options) => {
    const talk = new Crowded(undefined, { overflow: { strategy, minimumGain: 0, ...options } });
    await talk.exchange(5, 150);
    await talk.ask("on");
    expect(talk.turn?.budget.tokens).toBeGreaterThan(1_200);
    expect(by(talk)[0]).toBe(reason);
  });

  test("room that the host asked for", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(2, 150);
    talk.history = [...talk.history, talk.speaker.user(prose("a long question", 700))];
    const turn = await talk.send({}, { headroom: true });
    expect(turn.budget.held).toEqual([{ by: "headroom", why: expect.any(String) }]);
  });
});
