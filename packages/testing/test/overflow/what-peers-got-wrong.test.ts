import { announcement, background, chain, elide, type ObjectValue, reset, type Summarizer, summarize } from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { breaksOf, Desk, prose, textOf, wordsOf } from "./desk.ts";
import { type Side, sides } from "./sides.ts";

/** Two thousand tokens of high water and half of that of low, in a limit of 4,000. */
const budget = { context: 4_256, output: 256, highWater: 2_000, lowWater: 1_000, measure: "counter" } as const;

const calm = { failures: 0, paused: false };

const plainSummary: Summarizer = async () => ({ text: "SUMMARY: they went on.", complete: true, refused: false });

/** A summariser that answers when it is let, and says so many times that it was asked. */
function heldBack(): { readonly summarizer: Summarizer; readonly answer: () => Promise<void>; readonly asked: () => number } {
  const waiting: (() => void)[] = [];
  let asked = 0;
  return {
    summarizer: async () => {
      asked += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { text: `SUMMARY ${asked}.`, complete: true, refused: false };
    },
    answer: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
    asked: () => asked,
  };
}

/** Words that make about so many tokens on each of the wires. */
const turnWords = 120;

/** Talks until a job runs. */
async function untilAsked(desk: Desk, asked: () => number): Promise<void> {
  for (let turn = 1; asked() === 0; turn++) {
    expect(turn).toBeLessThan(30);
    desk.say(prose(`question ${turn}`, turnWords));
    await desk.ask({ text: `answer ${turn}` });
  }
}

/** Talks until so many landings came. @returns the breaks on the way. */
async function untilLanded(desk: Desk, landings = 1): Promise<readonly string[]> {
  const breaks: string[] = [];
  for (let turn = 1; desk.landings.length < landings; turn++) {
    expect(turn).toBeLessThan(60);
    desk.say(prose(`more ${turn}`, turnWords));
    breaks.push(...breaksOf(await desk.ask({ text: `reply ${turn}` })));
  }
  return breaks;
}

describe.each(sides)("$name: what peers got wrong", (side: Side) => {
  test("ids repeated across batches: each result stays with its own call, and is elided with it", async () => {
    const desk = new Desk(side, { budget, overflow: { strategy: chain(elide(), reset()), minimumGain: 0 } });
    desk.say("Read it again and again.");
    for (let batch = 1; batch <= 6; batch++) {
      await desk.ask({ calls: [{ id: "call_same", name: "read", input: { batch } }] });
      desk.hand(prose(`result ${batch}`, turnWords));
    }
    await desk.ask({ text: "Read." });
    for (let turn = 1; desk.landings.length === 0; turn++) {
      desk.say(prose(`question ${turn}`, turnWords));
      await desk.ask();
    }
    desk.say("And the last?");
    await desk.ask({ calls: [{ id: "call_same", name: "read", input: { batch: "last" } }] });
    desk.hand("the last result");
    const turn = await desk.ask();
    expect(textOf(side, turn)).toContain("the last result");
    expect(breaksOf(turn)).toEqual([]);
    expect(desk.remembered).toEqual(calm);
  });

  test("failed and late results: what failed is cut like any other, what comes behind its turn and behind a landing is said", async () => {
    const desk = new Desk(side, { budget, overflow: { strategy: summarize({ summarizer: plainSummary }), minimumGain: 0 } });
    desk.say("Read both.");
    await desk.ask({ calls: [{ id: "call_1", name: "read", input: {} }] });
    desk.hand(prose("Error: no such file", turnWords));
    await desk.ask({ calls: [{ id: "call_2", name: "read", input: {} }] });
    const late = desk.open;
    desk.open = [];
    desk.say("Never mind the second.");
    await desk.ask();
    const breaks = await untilLanded(desk);
    expect(breaks).toEqual(["compaction"]);
    desk.history.push(...side.results(late.map((call) => [call, "it came after all"])));
    desk.say("Did it come?");
    const turn = await desk.ask();
    // Without an id of its own a late result cannot be told from the answer to another call.
    if (late.every(({ id }) => id !== "")) expect(textOf(side, turn)).toContain("it came after all");
    expect(breaksOf(turn)).toEqual([]);
    expect(desk.remembered).toEqual(calm);
  });

  test.each([{ settled: true }, { settled: false }])(
    "a short placeholder result that is later filled with 40,000 characters: counted at once (report: $settled)",
    async ({ settled }) => {
      const long = "It was found in the harbour. ".repeat(1_400);
      const plain = new Desk(side, { budget: { context: 1_000_000, output: 256 } });
      const cut = new Desk(side, {
        budget: { context: 20_000, output: 256 },
        overflow: { strategy: chain(elide(), reset()), minimumGain: 0 },
      });
      for (const desk of [plain, cut]) {
        desk.say("Look for it.");
        await desk.ask({ calls: [{ id: "call_1", name: "read", input: {} }] }, { settled });
        const at = desk.history.length;
        const [call] = desk.open;
        desk.hand("(running)");
        const before = await desk.ask({ text: "It runs." }, { settled });
        for (let turn = 0; turn < 3; turn++) {
          desk.say(`Is it done? ${turn}`);
          await desk.ask({ text: "Not yet." }, { settled });
        }
        desk.history.splice(at, 1, ...side.results([[call as NonNullable<typeof call>, long]]));
        desk.say("And now?");
        const { tokens } = (await desk.ask()).budget;
        if (desk === plain) expect(tokens - before.budget.tokens).toBeGreaterThan(5_000);
        else expect(tokens).toBeLessThan(19_744);
        expect(desk.remembered).toEqual(calm);
      }
    },
  );

  test("a report held over an early edit: the window is not counted twice", async () => {
    const desk = new Desk(side, { budget: { context: 1_000_000, output: 256 } });
    for (let turn = 1; turn <= 6; turn++) {
      desk.say(prose(`question ${turn}`, turnWords));
      await desk.ask({ text: `answer ${turn}` });
    }
    desk.say("on");
    const before = await desk.ask();
    expect(before.budget.reported).toBeGreaterThan(0);
    desk.history[0] = side.user(prose("question 1, edited", turnWords));
    desk.say("and on");
    const after = await desk.ask();
    expect(after.budget.reported).toBe(0);
    expect(after.budget.tokens).toBeLessThan(before.budget.tokens * 1.35);
    expect(after.budget.tokens).toBeGreaterThan(before.budget.tokens * 0.65);
    expect(desk.remembered).toEqual(calm);
  });

  test("a host that sends its full history for ever after a landing: it is recognised, and lands anew only when it is full again", async () => {
    const desk = new Desk(side, { budget, overflow: { strategy: summarize({ summarizer: plainSummary }), minimumGain: 0 } });
    const breaks = await untilLanded(desk, 4);
    expect(breaks).toEqual(["compaction", "compaction", "compaction", "compaction"]);
    expect(desk.remembered).toEqual(calm);
  });

  test("a host that rebuilds its messages anew for each request, while a job runs and behind its landing", async () => {
    const { summarizer, answer, asked } = heldBack();
    const desk = new Desk(side, { budget, overflow: { strategy: background(summarize({ summarizer })), minimumGain: 0 } });
    desk.handsOver = (history) => JSON.parse(JSON.stringify(history)) as ObjectValue[];
    await untilAsked(desk, asked);
    await answer();
    expect(await untilLanded(desk)).toEqual(["compaction"]);
    expect(asked()).toBe(1);
    desk.say("on");
    expect(breaksOf(await desk.ask())).toEqual([]);
    expect(desk.remembered).toEqual(calm);
  });

  test("a host that edits in place while a job runs: what was made over the old words does not land", async () => {
    const { summarizer, answer, asked } = heldBack();
    const desk = new Desk(side, { budget, overflow: { strategy: background(summarize({ summarizer })), minimumGain: 0 } });
    await untilAsked(desk, asked);
    Object.assign(desk.history[0] as object, side.user(prose("question 1, edited", turnWords)));
    await answer();
    desk.say(prose("question again", turnWords));
    expect(breaksOf(await desk.ask())).toEqual(["history"]);
    expect(desk.landings).toEqual([]);
    for (let turn = 0; asked() < 2; turn++) {
      expect(turn).toBeLessThan(10);
      desk.say(prose(`more ${turn}`, turnWords));
      await desk.ask();
    }
    await answer();
    await untilLanded(desk);
    expect(desk.remembered).toEqual(calm);
  });

  test("a host that pins late, while a job runs: what is pinned stays, and the job is made anew", async () => {
    const { summarizer, answer, asked } = heldBack();
    const desk = new Desk(side, { budget, overflow: { strategy: background(summarize({ summarizer })), minimumGain: 0 } });
    await untilAsked(desk, asked);
    desk.session.pin(desk.history[0] as object);
    await answer();
    for (let turn = 0; desk.landings.length === 0; turn++) {
      expect(turn).toBeLessThan(20);
      desk.say(prose(`more ${turn}`, turnWords));
      expect(textOf(side, await desk.ask())).toContain("question 1:");
      await answer();
    }
    expect(asked()).toBeGreaterThan(1);
    expect(desk.remembered).toEqual(calm);
  });

  test("an event after an open call: neither the turn nor the cut changes", async () => {
    const landings = [];
    for (const speaks of [false, true]) {
      const notice = announcement("notice", { channel: "user" });
      const strategy = summarize({ summarizer: plainSummary });
      const desk = new Desk(side, { budget, overflow: { strategy, minimumGain: 0 }, ...(speaks ? { sources: [notice] } : {}) });
      for (let turn = 1; turn <= 3; turn++) {
        desk.say(prose(`question ${turn}`, turnWords));
        await desk.ask({ text: `answer ${turn}` });
      }
      desk.say("Read it.");
      await desk.ask({ calls: [{ id: "call_1", name: "read", input: {} }] });
      if (speaks) desk.session.set(notice, "The tide turns.");
      // Far above high water, below the limit: inside the turn nothing is cut.
      desk.hand(prose("result", wordsOf(side, 1_950)));
      const turn = await desk.ask({ calls: [{ id: "call_2", name: "read", input: {} }] });
      expect(breaksOf(turn)).toEqual([]);
      if (speaks) desk.session.set(notice, "The tide has turned.");
      desk.hand(prose("last result", wordsOf(side, 1_950)));
      const over = await desk.ask();
      expect(textOf(side, over)).toContain("last result");
      landings.push(desk.landings.map(({ replaces, reason }) => ({ replaces, reason })));
      expect(desk.remembered).toEqual(calm);
    }
    expect(landings[1]).toEqual(landings[0]);
    expect(landings[0]).toHaveLength(1);
  });

  test("the summariser's own request, with a cut in the middle of a tool turn, is taken by the provider", async () => {
    const desk: Desk = new Desk(side, {
      budget,
      overflow: { strategy: summarize({ summarizer: (input, options) => desk.rides("SUMMARY: so far.")(input, options) }), minimumGain: 0 },
    });
    desk.say("Read all of them.");
    let cuts = 0;
    for (let step = 1; step <= 12; step++) {
      await desk.ask({ thinking: `thought ${step}`, calls: [{ name: "read", input: { step } }] });
      cuts = desk.landings.length;
      desk.hand(prose(`result ${step}`, 300));
    }
    await desk.ask();
    expect(cuts).toBeGreaterThan(0);
    expect(desk.reports.filter(({ status }) => status === "failed")).toEqual([]);
    expect(desk.remembered).toEqual(calm);
  });
});

test("a host that moves its cache marks on a copy, while a job runs and behind its landing", async () => {
  const side = sides[0] as Side;
  const { summarizer, answer, asked } = heldBack();
  const desk = new Desk(side, { budget, overflow: { strategy: background(summarize({ summarizer })), minimumGain: 0 } });
  desk.handsOver = (history) => {
    const copy = structuredClone(history) as { role: string; content: string | object[] }[];
    const last = copy.at(-1) as (typeof copy)[0];
    last.content = [{ type: "text", text: String(last.content), cache_control: { type: "ephemeral" } }];
    return copy as unknown as ObjectValue[];
  };
  await untilAsked(desk, asked);
  await answer();
  expect(await untilLanded(desk)).toEqual(["compaction"]);
  expect(asked()).toBe(1);
  desk.say("on");
  expect(breaksOf(await desk.ask())).toEqual([]);
  expect(desk.remembered).toEqual(calm);
});
