import { describe, expect, test } from "vitest";
import { OverflowError } from "./errors.ts";
import { freshRunner, type RunnerOptions, type RunnerState, run, urgencyOf } from "./runner.ts";
import type { Change, Outcome, OverflowInput, OverflowMeasure, OverflowStrategy, Urgency } from "./strategy.ts";

const full: OverflowMeasure = { tokens: 1_000, limit: 2_000, highWater: 900, lowWater: 400, floor: 100, cold: false };
const now = 50_000;

/** A window of which any change leaves so many tokens, and pays where that is less than these. */
function windowOf(measure: Partial<OverflowMeasure>, urgency: Urgency = "high", left = 300, pays = 2_000): OverflowInput {
  const input = { measure: { ...full, ...measure }, urgency, groups: [], openCalls: [] as string[], signal: new AbortController().signal };
  const after = ({ length }: readonly Change[]) => windowOf({ ...measure, tokens: length > 0 ? left : full.tokens }, urgency, left);
  return { ...input, after, pays: (tokens: number) => tokens < pays } as unknown as OverflowInput;
}

/** Does what it is told at each call; the last again and again. */
function strategyOf(...does: readonly (Outcome | Error)[]): OverflowStrategy & { runs: number } {
  const strategy = {
    name: "told",
    runs: 0,
    run: async () => {
      const next = does[Math.min(strategy.runs++, does.length - 1)] as Outcome | Error;
      if (next instanceof Error) throw next;
      return next;
    },
  };
  return strategy;
}

const changes: readonly Change[] = [{ kind: "recap", as: "notice", from: 0, to: 1, text: "…" }];
const landing: Outcome = { status: "replaced", changes };
const nothing: Outcome = { status: "unchanged", why: "too short" };
const overloaded = new OverflowError("told", "overloaded");

const runOnce = (
  strategy: OverflowStrategy,
  input: OverflowInput,
  { state = freshRunner, options = {} }: { state?: RunnerState; options?: RunnerOptions } = {},
) => run(strategy, input, state, options, now);

describe("how badly a window needs room (rule 34)", () => {
  const marks = { ...full, lowWater: 400, highWater: 900, limit: 2_000 };
  const urgency = (tokens: number, asked = false) => urgencyOf({ ...marks, tokens }, asked);

  test("over: above the limit, or asked for", () => {
    expect(urgency(2_001)).toBe("over");
    expect(urgency(2_000)).toBe("high");
    expect(urgency(0, true)).toBe("over");
  });

  test("high: above high water", () => {
    expect(urgency(901)).toBe("high");
    expect(urgency(900)).toBe("early");
  });

  test("early: three fifths of the way from low water to high water; below that not at all", () => {
    expect(urgency(701)).toBe("early");
    expect(urgency(700)).toBeUndefined();
  });
});

describe("what comes of a run", () => {
  test("what a strategy returns is handed on, and nothing is remembered of a landing that made room", async () => {
    const { outcome, state, failures, held } = await runOnce(strategyOf(landing), windowOf({}));
    expect({ outcome, state, failures, held }).toEqual({ outcome: landing, state: freshRunner, failures: [], held: undefined });
  });

  test("a landing that leaves as many tokens as there were gains nothing: it is a failure and does not land (rule 36)", async () => {
    const same = await runOnce(strategyOf(landing), windowOf({}, "high", 1_000));
    expect(same.outcome).toBeUndefined();
    expect(same.failures).toMatchObject([{ failure: "too-long", strategy: "told" }]);
    expect(same.state.failures).toBe(1);
    const less = await runOnce(strategyOf(landing), windowOf({}, "high", 999));
    expect(less.outcome).toBe(landing);
    expect(less.failures).toEqual([]);
  });

  test("what is no failure of a known kind is an invalid one, with its words and its cause", async () => {
    const cause = new TypeError("x is not a function");
    const { failures } = await runOnce(strategyOf(cause), windowOf({}));
    expect(failures).toMatchObject([
      { code: "overflow-invalid", strategy: "told", cause, message: expect.stringContaining("x is not a function") },
    ]);
    const strange: OverflowStrategy = { name: "strange", run: () => Promise.reject("a word") };
    const told = await runOnce(strange, windowOf({}));
    expect(told.failures).toMatchObject([{ strategy: "strange", cause: "a word", message: expect.stringContaining("a word") }]);
  });

  test("a failure of a known kind stays what it is", async () => {
    expect((await runOnce(strategyOf(overloaded), windowOf({}))).failures).toEqual([overloaded]);
  });

  test("an abort rejects with the signal's own reason, whatever the strategy makes of it (rule 44)", async () => {
    const reason = new Error("the user left");
    const aborted = new AbortController();
    const input = { ...windowOf({}), signal: aborted.signal };
    const aborting = (then: () => Outcome): OverflowStrategy => ({
      name: "aborting",
      run: async () => {
        aborted.abort(reason);
        return then();
      },
    });
    await expect(
      runOnce(
        aborting(() => landing),
        input,
      ),
    ).rejects.toBe(reason);
    const throwing = aborting(() => {
      throw overloaded;
    });
    await expect(runOnce(throwing, input)).rejects.toBe(reason);
  });
});

describe("the breaker counts failures in a row (rule 43)", () => {
  const after = async (...outcomes: readonly (Outcome | Error)[]): Promise<RunnerState> => {
    let state = freshRunner;
    for (const outcome of outcomes) state = (await runOnce(strategyOf(outcome), windowOf({}), { state })).state;
    return state;
  };

  test("it opens with the third, for a minute unless said otherwise", async () => {
    expect(await after(overloaded, overloaded)).toEqual({ failures: 2, pausedUntil: undefined, fruitless: 0 });
    expect(await after(overloaded, overloaded, overloaded)).toEqual({ failures: 3, pausedUntil: now + 60_000, fruitless: 0 });
    const state = { failures: 2, pausedUntil: undefined, fruitless: 0 };
    const paused = await runOnce(strategyOf(overloaded), windowOf({}), { state, options: { pauseMs: 5 } });
    expect(paused.state.pausedUntil).toBe(now + 5);
  });

  test("an outcome that changes nothing neither counts nor clears", async () => {
    expect(await after(overloaded, overloaded, nothing)).toEqual({ failures: 2, pausedUntil: undefined, fruitless: 0 });
  });

  test("a landing clears them, a job that finished too, whether or not it landed", async () => {
    expect(await after(overloaded, overloaded, landing)).toEqual(freshRunner);
    expect(await after(overloaded, overloaded, { ...nothing, finished: true })).toEqual(freshRunner);
    expect(await after(overloaded, overloaded, { status: "pending", why: "it runs", finished: true })).toEqual(freshRunner);
  });

  test("of a partial landing its job is credited first, then the failures count", async () => {
    const partial: Outcome = { ...landing, failures: [overloaded] };
    const { outcome, failures, state } = await runOnce(strategyOf(partial), windowOf({}), { state: await after(overloaded, overloaded) });
    expect(outcome).toBe(partial);
    expect(failures).toEqual([overloaded]);
    expect(state).toEqual({ failures: 1, pausedUntil: undefined, fruitless: 0 });
  });

  test("while it is open nothing is run, but over the limit", async () => {
    const state = { failures: 3, pausedUntil: now + 1_500, fruitless: 0 };
    const strategy = strategyOf(landing);
    const { held, outcome, state: same, failures } = await runOnce(strategy, windowOf({}), { state });
    expect(held).toEqual({ by: "breaker", why: "3 failures in a row; tried again in 2 s" });
    expect({ outcome, same, failures, runs: strategy.runs }).toEqual({ outcome: undefined, same: state, failures: [], runs: 0 });
    expect((await runOnce(strategy, windowOf({}, "over"), { state })).state).toEqual(freshRunner);
  });

  test("behind its pause there is one attempt: a failure opens it again, and a turn without an outcome leaves it", async () => {
    const state = { failures: 3, pausedUntil: now, fruitless: 0 };
    const failed = await runOnce(strategyOf(overloaded), windowOf({}), { state });
    expect(failed.state).toEqual({ failures: 4, pausedUntil: now + 60_000, fruitless: 0 });
    expect((await runOnce(strategyOf(nothing), windowOf({}), { state })).state).toEqual(state);
  });
});

describe("the loop guard counts landings without headroom (rule 43)", () => {
  const useless = () => windowOf({}, "high", 950);

  test("a landing that leaves the window above high water counts, one at high water does not", async () => {
    expect((await runOnce(strategyOf(landing), useless())).state.fruitless).toBe(1);
    expect((await runOnce(strategyOf(landing), windowOf({}, "high", 900))).state.fruitless).toBe(0);
  });

  test("behind two of them nothing is run, and the figures say why", async () => {
    const state = { ...freshRunner, fruitless: 2 };
    const strategy = strategyOf(landing);
    const { held } = await runOnce(strategy, useless(), { state });
    expect(held).toEqual({ by: "loop-guard", why: "2 landings left the window above high water 900: floor 100, kept 900, limit 2000" });
    expect(strategy.runs).toBe(0);
    expect((await runOnce(strategy, useless(), { state: { ...freshRunner, fruitless: 1 } })).held).toBeUndefined();
  });

  test("a window that came below high water by itself is cut again", async () => {
    const state = { ...freshRunner, fruitless: 2 };
    const strategy = strategyOf(nothing);
    expect((await runOnce(strategy, windowOf({ tokens: 900 }, "early"), { state })).state.fruitless).toBe(0);
    expect((await runOnce(strategy, windowOf({ tokens: 901 }, "early"), { state })).held).toMatchObject({ by: "loop-guard" });
  });

  test("what did not land leaves the count", async () => {
    const state = { ...freshRunner, fruitless: 1 };
    expect((await runOnce(strategyOf(overloaded), useless(), { state })).state.fruitless).toBe(1);
    expect((await runOnce(strategyOf(nothing), useless(), { state })).state.fruitless).toBe(1);
  });
});

describe("a landing must save more than it costs (rule 43)", () => {
  const dear = () => windowOf({}, "high", 820, 820);

  test("one that does not is declined by what it would really leave, with the figures, and is no failure", async () => {
    const { outcome, held, failures, state } = await runOnce(strategyOf(landing), dear());
    expect(outcome).toMatchObject({ status: "unchanged", declined: true });
    expect(held).toEqual({ by: "minimum-gain", why: "bringing 1000 tokens down to 820 costs more in lost cache than it saves" });
    expect({ failures, state }).toEqual({ failures: [], state: freshRunner });
    expect((await runOnce(strategyOf(landing), windowOf({}, "high", 819, 820))).outcome).toBe(landing);
  });

  test("a job that finished is credited all the same, and a step that failed beside it counts", async () => {
    const state = { failures: 2, pausedUntil: undefined, fruitless: 0 };
    const finished = await runOnce(strategyOf({ ...landing, finished: true }), dear(), { state });
    expect(finished.state.failures).toBe(0);
    const partial = await runOnce(strategyOf({ ...landing, failures: [overloaded] }), dear(), { state });
    expect(partial.failures).toEqual([overloaded]);
    expect(partial.state.failures).toBe(3);
  });

  test("a strategy that declines by itself is held by the same", async () => {
    const own = strategyOf({ status: "unchanged", why: "too dear", declined: true });
    expect((await runOnce(own, windowOf({}))).held).toEqual({ by: "minimum-gain", why: "too dear" });
  });
});

test("in a tool turn below the limit a strategy whose landings are unsigned sees no more than early (rules 34 and 62)", async () => {
  const seen: Urgency[] = [];
  const looking = (signed: boolean): OverflowStrategy => ({
    name: "looking",
    signed,
    run: async ({ urgency }) => {
      seen.push(urgency);
      return nothing;
    },
  });
  const open = (urgency: Urgency) => ({ ...windowOf({}, urgency), openCalls: ["c1"] });
  await runOnce(looking(false), open("high"));
  await runOnce(looking(true), open("high"));
  await runOnce(looking(false), open("over"));
  await runOnce(looking(false), windowOf({}));
  expect(seen).toEqual(["early", "high", "over", "high"]);
});
