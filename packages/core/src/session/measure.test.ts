import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, text } from "../../test/speakers.ts";
import { Talk, type TalkOptions } from "../../test/talk.ts";

const long = "many words about nothing ".repeat(400);

function usage(prompt: number): object {
  return { usage: { input_tokens: prompt, output_tokens: 10 } };
}

async function reported(prompt: number, options: TalkOptions = {}): Promise<Talk> {
  const talk = new Talk(options);
  await talk.ask(long);
  talk.answer({ text: "ok" }, usage(prompt));
  return talk;
}

describe("the measure (rule 31)", () => {
  test("is the last report for what it covers and a count of the rest", async () => {
    const { budget } = await (await reported(5_000)).ask("and now?");
    expect(budget.reported).toBe(5_000);
    expect(budget.tokens - budget.reported).toBeGreaterThan(0);
    expect(budget.tokens - budget.reported).toBeLessThan(60);
  });

  test("takes cached tokens for a part of the prompt", async () => {
    const talk = new Talk();
    await talk.ask(long);
    talk.answer(
      { text: "ok" },
      { usage: { input_tokens: 10, cache_read_input_tokens: 4_000, cache_creation_input_tokens: 90, output_tokens: 5 } },
    );
    expect((await talk.ask("more")).budget.reported).toBe(4_100);
  });

  test("counts a long result behind the report at once", async () => {
    const talk = new Talk();
    await talk.ask(long);
    talk.answer([call("c1", "read", {})], usage(2_000));
    const { budget } = await talk.results(["c1", "x = compute(y)\n".repeat(600)]);
    expect(budget.tokens).toBeGreaterThan(5_000);
  });

  test("counts system text and tools once for a conversation, and anew when they change", async () => {
    const counted: string[] = [];
    const countText = (words: string): number => counted.push(words) && words.length;
    const talk = new Talk({ countText });
    const timesCounted = (words: string): number => counted.filter((one) => one === words).length;
    for (const system of ["Be kind.", "Be kind.", "Be brief.", "Be brief."]) {
      Object.assign(talk.head, { system, tools: [{ name: "read", description: `What ${system}`, input_schema: { type: "object" } }] });
      expect((await talk.ask("and now?")).budget.floor.system).toBeGreaterThan(system.length);
      talk.answer({ text: "ok" }, usage(100));
    }
    expect(["Be kind.", "Be brief.", "What Be kind.", "What Be brief."].map(timesCounted)).toEqual([1, 1, 1, 1]);
  });

  test("one changed message that was covered, and the report covers nothing", async () => {
    const talk = await reported(50_000);
    talk.history = [anthropicSpeaker.user("short"), ...talk.history.slice(1)];
    const { budget } = await talk.ask("and now?");
    expect(budget.reported).toBe(0);
    expect(budget.tokens).toBeLessThan(1_000);
  });

  test("a changed system text or tool list, and the report covers nothing; a changed parameter changes no words", async () => {
    for (const [head, covered] of [
      [{ system: "Be kind." }, 0],
      [{ tools: [{ name: "read", input_schema: { type: "object" } }] }, 0],
      [{ output_config: { effort: "low" } }, 5_000],
    ] as const) {
      const talk = await reported(5_000);
      Object.assign(talk.head, head);
      expect((await talk.ask("and now?")).budget.reported, JSON.stringify(head)).toBe(covered);
    }
  });

  test("another model, and the report covers nothing", async () => {
    const talk = await reported(5_000);
    talk.history = [...talk.history, anthropicSpeaker.user("and now?")];
    expect((await talk.send({ model: "claude-opus-5" })).budget.reported).toBe(0);
  });

  test("reading it consumes nothing", async () => {
    const talk = await reported(5_000);
    talk.history = [...talk.history, anthropicSpeaker.user("and now?")];
    const peeked = [1, 2].map(() => talk.session.peek(talk.request()).budget.tokens);
    expect((await talk.send()).budget.tokens).toBe(peeked[0]);
    expect(new Set(peeked).size).toBe(1);
    expect((await talk.send()).budget.reported).toBe(5_000);
  });

  test("a reply to the first of two attempts reports of that attempt's window", async () => {
    const talk = new Talk();
    const first = await talk.ask(long);
    talk.history = [anthropicSpeaker.user("short")];
    await talk.send();
    first.settle(talk.speaker.replied(talk.message({ text: "ok" }), usage(5_000)));
    expect(talk.session.peek(talk.request()).budget.reported).toBe(0);
    talk.history = [anthropicSpeaker.user(long), talk.message({ text: "ok" }), anthropicSpeaker.user("next")];
    expect((await talk.send()).budget.reported).toBe(5_000);
  });

  test("a reply to a fork is no report of the session, and the fork has the session's", async () => {
    const talk = await reported(5_000);
    const fork = talk.session.fork();
    talk.history = [...talk.history, anthropicSpeaker.user("and now?")];
    const turn = await fork.prepare(talk.request());
    expect(turn.budget.reported).toBe(5_000);
    turn.settle(talk.speaker.replied(talk.message({ text: "forked" }), usage(9_000)));
    expect(talk.session.peek(talk.request()).budget.reported).toBe(5_000);
  });

  test("a reply for which the provider read the prompt several times is no report", async () => {
    const talk = new Talk();
    await talk.ask(long);
    const iterations = [1, 2].map(() => ({ type: "message", input_tokens: 5_000, output_tokens: 5 }));
    talk.answer({ text: "ok" }, { usage: { input_tokens: 10_000, output_tokens: 10, iterations } });
    expect((await talk.ask("and now?")).budget.reported).toBe(0);
  });

  test("the report and what it covers are in the snapshot", async () => {
    const talk = await reported(5_000);
    const before = talk.session.peek(talk.request({ messages: [...talk.history, anthropicSpeaker.user("and now?")] })).budget;
    talk.restore();
    const { budget } = await talk.ask("and now?");
    expect(budget.reported).toBe(5_000);
    expect(budget.tokens).toBe(before.tokens);
  });

  test("a history that comes back changed from the store is not covered", async () => {
    const talk = await reported(5_000);
    talk.restore();
    talk.history = [anthropicSpeaker.user("short"), ...talk.history.slice(1)];
    expect((await talk.ask("and now?")).budget.reported).toBe(0);
  });

  test("counter: reports are not looked at; larger: the larger of the two", async () => {
    const counted = (await (await reported(1, { budget: { measure: "counter" } })).ask("and now?")).budget;
    expect(counted.reported).toBe(0);
    expect(counted.tokens).toBeGreaterThan(1_500);
    const low = (await (await reported(900, { budget: { measure: "larger" } })).ask("and now?")).budget;
    expect(low).toMatchObject({ tokens: counted.tokens, reported: 0 });
    const high = (await (await reported(90_000, { budget: { measure: "larger" } })).ask("and now?")).budget;
    expect(high.reported).toBe(90_000);
  });
});

describe("session.usage (rule 32)", () => {
  test("sums what replies reported, with the cache rate and the price, across a restore", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer(
      { text: "1" },
      { usage: { input_tokens: 1_000, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 100 } },
    );
    await talk.ask("two");
    talk.answer(
      { text: "2" },
      { usage: { input_tokens: 0, cache_read_input_tokens: 3_000, cache_creation_input_tokens: 0, output_tokens: 0 } },
    );
    const used = talk.session.usage();
    expect(used).toMatchObject({ replies: 2, prompt: 4_000, cacheRead: 3_000, output: 100, cacheRate: 0.75 });
    // claude-opus-5-5: 4, 20 and 0.2 dollars a million tokens of input, output and reading.
    expect(used.price).toBeCloseTo(0.004 + 0.002 + 0.0006);
    talk.restore();
    expect(talk.session.usage()).toEqual(used);
  });
});

describe("turn.budget", () => {
  test("names the limits, the marks and the floor", async () => {
    const talk = new Talk({ budget: { context: 20_000, highWater: 9_000 } });
    Object.assign(talk.head, { system: long, max_tokens: 4_000 });
    const { budget } = await talk.ask("one");
    expect(budget.limits).toEqual({ context: 20_000, reserve: 4_000, limit: 16_000, highWater: 9_000, lowWater: 4_500 });
    expect(budget.floor.tokens).toBe(budget.floor.system + budget.floor.tools);
    expect(budget.floor.system).toBeGreaterThan(1_500);
    expect(budget.floor.tokens).toBeLessThan(budget.tokens);
  });

  test("has no limits where the window is never cut", async () => {
    expect((await new Talk({ budget: { context: false } }).ask("one")).budget.limits).toBeUndefined();
  });

  test("the output cap of the budget goes out where a request has none, and is what is kept free", async () => {
    const talk = new Talk({ budget: { context: 20_000, output: 3_000 } });
    talk.head = {};
    const turn = await talk.ask("one");
    expect(turn.request).toMatchObject({ max_tokens: 3_000 });
    expect(turn.budget.limits?.reserve).toBe(3_000);
    talk.head = { max_tokens: 500 };
    expect((await talk.send()).request).toMatchObject({ max_tokens: 500 });
  });

  test("a result's cap follows the high water mark (rule 13)", async () => {
    const words = "a line of words\n".repeat(6_000);
    for (const [highWater, cap] of [
      [200_000, 4_166],
      [2_000, 3_072],
    ] as const) {
      const talk = new Talk({ budget: { highWater } });
      await talk.ask("read");
      talk.answer([text("reading"), call("c1", "read", {})]);
      const turn = await talk.results(["c1", words]);
      expect(turn.repairs.resultsCapped.map((capped) => capped.cap)).toEqual([cap]);
    }
  });
});
