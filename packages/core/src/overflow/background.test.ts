import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { allOf, breaks } from "../../test/talk.ts";
import { background } from "./background.ts";
import { chain } from "./chain.ts";
import { reset } from "./reset.ts";
import { summarize } from "./summarize.ts";

/** A summariser that answers when it is let go. */
function held(): {
  readonly summarizer: ReturnType<typeof scripted>;
  readonly asked: () => number;
  readonly finish: (text: string) => Promise<void>;
} {
  const waiting: ((text: string) => void)[] = [];
  let asked = 0;
  const summarizer = Object.assign(
    async () => {
      asked += 1;
      const text = await new Promise<string>((resolve) => waiting.push(resolve));
      return { text, complete: true, refused: false };
    },
    { asked: [] },
  );
  const finish = async (text: string): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve(text);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { summarizer, asked: () => asked, finish };
}

async function started(job = held()) {
  const strategy = chain(background(summarize({ summarizer: job.summarizer })), reset());
  const talk = new Crowded(undefined, { overflow: { strategy, minimumGain: 0 } });
  await talk.exchange(5, 140);
  return { talk, job };
}

describe("a background job (rule 40)", () => {
  test("starts early, lands later where the strategy might act, and keeps what arrived meanwhile; nothing is reset while it runs", async () => {
    const { talk, job } = await started();
    expect(job.asked()).toBe(1);
    await talk.exchange(1, 140);
    expect(talk.turn?.budget.tokens).toBeGreaterThan(1_200);
    expect(talk.landings).toHaveLength(0);
    expect(talk.reports.at(-1)).toMatchObject({ status: "pending" });
    await job.finish("SUMMARY");
    const turn = await talk.ask("after it");
    expect(talk.landings).toMatchObject([{ reason: "compaction" }]);
    expect(allOf(turn)).toMatch(/SUMMARY.*answer 6.*after it/s);
    expect(breaks(turn)).toEqual(["compaction at 0"]);
  });

  test("lands no more where it would leave so much of what came meanwhile that it no longer pays: another one is started (rule 43)", async () => {
    const job = held();
    const talk = new Crowded(chain(background(summarize({ summarizer: job.summarizer })), reset()));
    await talk.exchange(4, 140);
    await talk.ask("question 5");
    await job.finish("SUMMARY of the first");
    talk.answer({ text: prose("answer 5", 280) });
    await talk.ask("after it");
    expect(talk.landings).toHaveLength(0);
    expect(job.asked()).toBe(2);
    talk.answer({ text: "yes" });
    await job.finish("SUMMARY of all");
    expect(allOf(await talk.ask("and then"))).toContain("SUMMARY of all");
    expect(talk.landings[0]?.tokensAfter).toBeLessThan(600);
  });

  test("is stale when what it read was edited in place, and counts as no failure", async () => {
    const { talk, job } = await started();
    await job.finish("SUMMARY of what was");
    talk.history[0] = talk.speaker.user("question 1, edited");
    await talk.exchange(1, 140);
    const turn = await talk.ask("after it");
    expect(allOf(turn)).not.toContain("SUMMARY of what was");
    expect(talk.reports.filter(({ status }) => status === "failed")).toEqual([]);
    expect(job.asked()).toBe(2);
  });

  test("is stale when a message in its span is pinned meanwhile", async () => {
    const { talk, job } = await started();
    await job.finish("SUMMARY without the pin");
    talk.session.pin(talk.history[0] as object);
    await talk.exchange(1, 140);
    expect(allOf(await talk.ask("after it"))).not.toContain("SUMMARY without the pin");
  });

  test("is not waited for over the limit: the strategy runs now", async () => {
    const { talk, job } = await started();
    const prepared = talk.ask(prose("a very long question", 700));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(job.asked()).toBe(2);
    await job.finish("SUMMARY");
    expect(allOf(await prepared)).toMatch(/SUMMARY.*a very long question/s);
  });

  test("that is done over the limit lands first, and what it leaves is fitted again", async () => {
    const { talk, job } = await started();
    await talk.exchange(1, 330);
    await job.finish("SUMMARY 1");
    const prepared = talk.ask(prose("a very long question", 720));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(job.asked()).toBe(2);
    await job.finish("SUMMARY 2");
    const turn = await prepared;
    expect(talk.landings).toHaveLength(1);
    expect(breaks(turn)).toEqual(["compaction at 0"]);
    expect(allOf(turn)).toMatch(/SUMMARY 2.*a very long question/s);
    expect(turn.budget.tokens).toBeLessThanOrEqual(2_000);
  });

  test("that failed leaves the window to the next step, and its failure counts", async () => {
    const summarizer = scripted(new Error("529"));
    const talk = new Crowded(chain(background(summarize({ summarizer })), reset()));
    await talk.exchange(7, 140);
    expect(talk.landings[0]?.strategy).toContain("reset");
    expect(talk.landings[0]?.failures).toEqual(["overloaded"]);
  });

  test("that failed is no reason to wait over the limit: the strategy runs now, and the failure counts beside its landing", async () => {
    const summarizer = scripted(new Error("529"), "SUMMARY");
    const talk = new Crowded(background(summarize({ summarizer })));
    await talk.exchange(5, 140);
    expect(summarizer.asked).toHaveLength(1);
    const turn = await talk.ask(prose("a very long question", 700));
    expect(allOf(turn)).toMatch(/SUMMARY.*a very long question/s);
    expect(talk.landings).toMatchObject([{ failures: ["overloaded"] }]);
  });

  test("is not used up by a request that is aborted (rule 44)", async () => {
    const { talk, job } = await started();
    await talk.exchange(1, 140);
    await job.finish("SUMMARY");
    const stop = new AbortController();
    talk.history = [...talk.history, talk.speaker.user("aborted")];
    const aborted = talk.send({}, { signal: stop.signal });
    stop.abort(new Error("stop it"));
    await expect(aborted).rejects.toThrow("stop it");
    expect(talk.landings).toHaveLength(0);
    expect(allOf(await talk.send())).toContain("SUMMARY");
    expect(job.asked()).toBe(1);
  });
});

test("the abort signal reaches the summariser, and the call rejects with its own reason (rule 44)", async () => {
  const seen: AbortSignal[] = [];
  const talk = new Crowded(
    summarize({
      summarizer: (_input, { signal }) => {
        seen.push(signal);
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("some SDK error"))));
      },
    }),
  );
  const stop = new AbortController();
  const failed = (async () => {
    for (let number = 0; number < 9; number++) {
      talk.history = [...talk.history, talk.speaker.user(`question ${number}`)];
      await talk.send({}, { signal: stop.signal });
      talk.answer({ text: prose("answer", 200) });
    }
  })();
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort(new Error("the host's own reason"));
  await expect(failed).rejects.toThrow("the host's own reason");
  expect(talk.reports.filter(({ status }) => status === "failed")).toEqual([]);
});

test("a summariser that asks its own session fails at once (rule 45)", async () => {
  const talk = new Crowded(
    summarize({
      summarizer: async (_input, { signal }) => {
        await talk.session.prepare(talk.request(), { signal });
        return { text: "never", complete: true, refused: false };
      },
    }),
  );
  await talk.exchange(6, 200);
  expect(talk.reports.find(({ status }) => status === "failed")).toMatchObject({ error: { cause: { code: "session-waits-for-itself" } } });
});
