import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted, small } from "../../test/crowded.ts";
import { allOf, breaks } from "../../test/talk.ts";
import { elide } from "./elide.ts";
import { FloorError, OverLimitError } from "./errors.ts";
import { reset } from "./reset.ts";
import { type OverflowStrategy, replaced } from "./strategy.ts";
import { summarize } from "./summarize.ts";

describe("the breaker (rule 43)", () => {
  test("opens after three failures in a row, and half-opens behind its pause", async () => {
    let now = 1_000_000;
    const summarizer = scripted(new Error("529"));
    const talk = new Crowded(undefined, { now: () => now, overflow: { strategy: summarize({ summarizer }), pauseMs: 10_000 } });
    await talk.exchange(6);
    for (let number = 0; number < 5; number++) {
      await talk.ask(`short ${number}`);
      talk.answer({ text: "yes" });
    }
    expect(summarizer.asked).toHaveLength(3);
    expect(talk.reports.at(-1)).toMatchObject({ status: "held", why: expect.stringContaining("breaker") });
    now += 10_001;
    await talk.ask("once more");
    talk.answer({ text: "yes" });
    expect(summarizer.asked).toHaveLength(4);
    await talk.ask("and again");
    expect(summarizer.asked).toHaveLength(4);
  });

  test("stays open across a snapshot (rule 48), and over the limit there is one attempt all the same", async () => {
    const summarizer = scripted(new Error("529"));
    const options = { now: () => 1_000_000, overflow: { strategy: summarize({ summarizer }) } };
    const talk = new Crowded(undefined, options);
    await talk.exchange(6);
    for (let number = 0; number < 3; number++) {
      await talk.ask(`short ${number}`);
      talk.answer({ text: "yes" });
    }
    talk.restore();
    await talk.ask("held");
    talk.answer({ text: prose("long", 700) });
    expect(summarizer.asked).toHaveLength(3);
    await expect(talk.ask("over")).rejects.toThrow(OverLimitError);
    expect(summarizer.asked).toHaveLength(4);
  });
});

test("two landings without headroom gained stop further ones, with the figures (rule 43)", async () => {
  let runs = 0;
  const useless: OverflowStrategy = {
    name: "useless",
    run: async ({ groups }) => {
      runs += 1;
      return replaced({ kind: "recap", as: "notice", from: 0, to: groups[0]?.kind === "recap" ? 2 : 1, text: "…" });
    },
  };
  const talk = new Crowded(useless, {
    budget: { ...small, highWater: 700, lowWater: 650 },
    overflow: { strategy: useless, minimumGain: 0 },
  });
  await talk.exchange(9, 90);
  expect(runs).toBe(2);
  expect(talk.reports.at(-1)).toMatchObject({
    status: "held",
    why: expect.stringMatching(/loop-guard: 2 landings .*700: floor \d+, kept \d+, limit 2000/),
  });
});

test("a landing that costs more in lost cache than it saves is declined, and not when the cache is cold (rules 29 and 43)", async () => {
  const summarizer = scripted("SUMMARY");
  let now = 1_000_000;
  const overflow = { strategy: summarize({ summarizer, keepRecentTurns: 4, summaryTokens: 60 }), expectedTurns: 10 };
  const talk = new Crowded(undefined, { now: () => now, overflow });
  await talk.exchange(8, 110);
  expect(talk.landings).toHaveLength(0);
  expect(talk.reports.at(-1)).toMatchObject({ status: "held", why: expect.stringContaining("minimum-gain") });
  expect(summarizer.asked).toHaveLength(0);
  now += 3_600_000;
  await talk.ask("much later");
  expect(talk.landings).toHaveLength(1);
});

test("a strategy that gains no room lands nothing (rule 36)", async () => {
  const grows: OverflowStrategy = {
    name: "grows",
    run: async () => replaced({ kind: "recap", as: "notice", from: 0, to: 1, text: prose("more", 300) }),
  };
  const talk = new Crowded(grows);
  await talk.exchange(6);
  expect(breaks(await talk.ask("question 7"))).toEqual([]);
  expect(talk.reports[0]).toMatchObject({ error: { failure: "too-long" } });
});

test("tools and system text above the limit are an error with the figures, and nothing is run (rule 30)", async () => {
  const summarizer = scripted("SUMMARY");
  const talk = new Crowded(summarize({ summarizer }), { budget: { context: 1_024, output: 100 } });
  talk.head = { max_tokens: 100, system: prose("system", 3_000) };
  const failed = talk.ask("hello");
  await expect(failed).rejects.toThrow(FloorError);
  await expect(failed).rejects.toMatchObject({
    code: "floor-above-limit",
    limit: 924,
    message: expect.stringMatching(/floor \([\d,]+ tokens: system [\d,]+, tools 0\)/),
  });
  expect(summarizer.asked).toHaveLength(0);
});

test("the floor is measured as reports say: what the counter took for half of it is an error as well (rules 30 and 31)", async () => {
  const talk = new Crowded(reset(), { budget: { context: 3_000, output: 256 } });
  talk.head = { max_tokens: 256, system: prose("system", 900) };
  const { budget } = await talk.ask("hello");
  expect(budget.floor.tokens).toBeLessThan(2_744);
  talk.answer({ text: "hi" }, { usage: { input_tokens: budget.tokens * 2, output_tokens: 5 } });
  const failed = talk.ask("and on");
  await expect(failed).rejects.toThrow(FloorError);
  await expect(failed).rejects.toMatchObject({ floor: budget.floor.tokens * 2, limit: 2_744 });
});

test("one request may be let past high water (rule 33)", async () => {
  const talk = new Crowded(reset());
  await talk.exchange(4);
  talk.history = [...talk.history, talk.speaker.user("question 7")];
  await talk.send({}, { headroom: true });
  expect(talk.landings).toHaveLength(0);
  talk.answer({ text: "yes" });
  await talk.ask("question 8");
  expect(talk.landings).toHaveLength(1);
});

test("inside a tool turn nothing unsigned lands below the limit; at its end it does (rules 34 and 62)", async () => {
  const talk = new Crowded(elide());
  await talk.ask("read them");
  for (let number = 1; number < 5; number++) {
    talk.answer({ thinking: `t${number}`, calls: [{ id: `c${number}` }] });
    await talk.results([`c${number}`, prose(`result ${number}`, 200)]);
  }
  expect(talk.turn?.budget.tokens).toBeGreaterThan(1_200);
  expect(talk.landings).toHaveLength(0);
  talk.answer({ text: "all read" });
  const turn = await talk.ask("thanks");
  expect(talk.landings).toMatchObject([{ reason: "elision" }]);
  expect(allOf(turn)).toMatch(/\[elided entry \d+\].*all read.*thanks/s);
});
