import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { allOf, breaks } from "../../test/talk.ts";
import { background } from "./background.ts";
import { chain } from "./chain.ts";
import { elide } from "./elide.ts";
import { OverflowError } from "./errors.ts";
import { onDemandCompaction } from "./on-demand-compaction.ts";
import { reset } from "./reset.ts";
import { type Outcome, type OverflowStrategy, replaced, unchanged } from "./strategy.ts";
import { summarize } from "./summarize.ts";
import { boundary, tokensAbove, when } from "./when.ts";

/** A step that answers with this, and counts how often it was asked. */
function step(name: string, answer: Outcome | Error): OverflowStrategy & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    ...{ name, runs },
    run: async ({ urgency }) => {
      runs.push(urgency);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

const pending: Outcome = { status: "pending", why: "a job runs" };

async function crowded(strategy: OverflowStrategy, rounds = 5): Promise<Crowded> {
  const talk = new Crowded(undefined, { overflow: { strategy, minimumGain: 0 } });
  await talk.exchange(rounds, 150);
  return talk;
}

describe("chain (rule 41)", () => {
  test.each<readonly [string, Outcome | Error]>([
    ["changes nothing", unchanged("nothing to do")],
    ["fails", new OverflowError("first", "overloaded")],
  ])("goes on when a step %s", async (_what, answer) => {
    const first = step("first", answer);
    const talk = await crowded(chain(first, reset()));
    expect(first.runs).toContain("high");
    expect(talk.landings.length).toBeGreaterThan(0);
    expect(talk.landings[0]?.failures).toEqual(answer instanceof Error ? ["overloaded"] : []);
  });

  test("goes on when a step leaves the window over, and is one landing", async () => {
    const few: OverflowStrategy = {
      name: "few",
      run: async ({ urgency }) =>
        urgency === "early" ? unchanged("there is room") : replaced({ kind: "recap", as: "notice", from: 0, to: 1, text: "[one]" }),
    };
    const talk = await crowded(chain(few, reset()));
    expect(talk.landings.length).toBeGreaterThan(0);
    expect(talk.turn?.budget.tokens).toBeLessThan(1_200);
    expect(allOf(talk.turn)).toContain("left out to make room");
  });

  test("a pending step stops it, unless the window is over its limit", async () => {
    const first = step("first", pending);
    const second = step("second", unchanged("nothing"));
    const talk = await crowded(chain(first, second, reset()), 5);
    expect(second.runs).toEqual([]);
    expect(talk.landings).toEqual([]);
    await talk.ask(prose("a very long question", 900));
    expect(second.runs).toEqual(["over"]);
    expect(talk.landings).toHaveLength(1);
  });

  test("a step that could act and does not pay stops it: what stands behind is harsher (rule 43)", async () => {
    const little: OverflowStrategy = {
      name: "little",
      run: async ({ urgency }) =>
        urgency === "early" ? unchanged("there is room") : replaced({ kind: "recap", as: "notice", from: 0, to: 1, text: "[one]" }),
    };
    const talk = new Crowded(chain(little, reset()));
    await talk.exchange(5, 150);
    await talk.ask("question 6");
    expect(talk.landings).toEqual([]);
    expect(talk.reports.at(-1)).toMatchObject({ status: "held", why: expect.stringContaining("minimum-gain: little") });
    expect(talk.turn?.budget.held).toMatchObject([{ by: "minimum-gain" }]);
    talk.answer({ text: "yes" });
    await talk.ask(prose("question 7", 300));
    expect(talk.landings).toHaveLength(1);
  });

  test("stops at the step that was enough", async () => {
    const last = step("last", unchanged("nothing"));
    const talk = await crowded(chain(reset(), last));
    expect(talk.landings.length).toBeGreaterThan(0);
    expect(last.runs.filter((urgency) => urgency !== "early")).toEqual([]);
  });

  test("where a step failed and nothing landed, its failure is the chain's", async () => {
    const talk = await crowded(chain(step("first", new OverflowError("first", "refused")), step("second", unchanged("nothing"))));
    expect(talk.reports.findLast(({ status }) => status === "failed")).toMatchObject({ strategy: "first", error: { failure: "refused" } });
  });

  test("to land a finished job only the step that holds it runs", async () => {
    const last = step("last", unchanged("nothing"));
    const talk = new Crowded(chain(background(summarize({ summarizer: scripted("SUMMARY") })), last));
    await talk.exchange(7, 140);
    expect(talk.landings[0]).toMatchObject({ reason: "compaction" });
    expect(last.runs).toEqual([]);
  });

  test("is signed only when what landed is exactly the provider's block", async () => {
    const send = async (): Promise<object> => ({
      ...{ type: "message", role: "assistant", stop_reason: "compaction", usage: {} },
      content: [{ type: "compaction", content: "COMPACTED", encrypted_content: null, tool_changes: [], signature: "c2ln" }],
    });
    for (const [steps, signed] of [
      [[onDemandCompaction({ send, keepRecentTurns: 1 })], true],
      [[elide({ protect: 0 }), onDemandCompaction({ send, keepRecentTurns: 1 })], false],
    ] as const) {
      const talk = new Crowded(undefined, { headers: true, overflow: { strategy: chain(...steps), minimumGain: 0 } });
      await talk.ask("read");
      talk.answer({ calls: [{ id: "c1" }] });
      await talk.results(["c1", prose("result", 40)]);
      talk.answer({ text: "read" });
      await talk.exchange(4, 145);
      const turn = await talk.ask(prose("go on", 80));
      expect(turn.continuity.checkpoints).toMatchObject([{ reason: "compaction", signed }]);
    }
  });

  test("a step that waits for a condition changes nothing where it does not hold", async () => {
    const talk = await crowded(chain(when(tokensAbove(1_000_000), elide()), when(boundary(), reset())));
    expect(talk.landings.length).toBeGreaterThan(0);
    expect(breaks(await talk.ask("on"))).toEqual([]);
  });
});
