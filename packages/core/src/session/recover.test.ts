import { describe, expect, test } from "vitest";
import { Crowded, prose, small } from "../../test/crowded.ts";
import { allOf, breaks, sent } from "../../test/talk.ts";
import { elide } from "../overflow/elide.ts";
import { reset } from "../overflow/reset.ts";

/** Anthropic's refusal for length. */
function tooLong(tokens?: number, limit?: number): object {
  const figures = tokens === undefined ? "" : `: ${tokens} tokens > ${limit} maximum`;
  return {
    status: 400,
    error: { type: "error", error: { type: "invalid_request_error", message: `prompt is too long${figures}` } },
  };
}

describe("recover (rule 59)", () => {
  test("answers a refusal for length once, by making room as over the limit", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(3, 20);
    await talk.ask("refused");
    const turn = await talk.session.recover(tooLong());
    expect(breaks(turn)).toEqual(["compaction at 0"]);
    expect(sent(turn).at(-1)).toMatchObject({ role: "user" });
    expect(allOf(turn)).toContain("refused");
    const again = tooLong();
    await expect(talk.session.recover(again)).rejects.toBe(again);
  });

  test("says nothing twice where the session owns the history", async () => {
    const talk = new Crowded(reset(), { history: "new" });
    const say = (words: string) => talk.session.prepare({ ...talk.request(), messages: [talk.speaker.user(words)] });
    for (const words of [prose("first", 80), prose("second", 80)])
      (await say(words)).settle(talk.speaker.replied(talk.speaker.reply({ text: prose("reply", 80) })));
    await say("refused");
    const turn = await talk.session.recover(tooLong());
    expect(allOf(turn).match(/refused/g)).toHaveLength(1);
    expect(JSON.stringify(talk.session.snapshot().owned).match(/refused/g)).toHaveLength(1);
  });

  test("answers nothing once the request has its reply", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(3, 20);
    const late = tooLong();
    await expect(talk.session.recover(late)).rejects.toBe(late);
  });

  test("gives any other error back as it came, and takes nothing out of the window", async () => {
    const talk = new Crowded(elide());
    await talk.exchange(2, 20);
    await talk.ask("refused");
    const other = new Error("thinking blocks cannot be modified");
    await expect(talk.session.recover(other)).rejects.toBe(other);
    expect(breaks(await talk.send())).toEqual([]);
  });

  test("believes the provider's count: what was counted too low is counted higher from then on", async () => {
    const { measure: _, ...budget } = small;
    const talk = new Crowded(reset(), { budget });
    for (let turn = 0; turn < 4; turn++) {
      await talk.ask("question");
      talk.answer({ text: prose("answer", 100) }, { usage: {} });
    }
    const before = (await talk.ask("refused")).budget.tokens;
    talk.turn = await talk.session.recover(tooLong(before * 2, 3_000));
    talk.answer({ text: prose("answer", 100) }, { usage: {} });
    const { tokens } = (await talk.ask("on")).budget;
    expect(tokens).toBeGreaterThan(1.7 * Math.ceil(prose("answer", 100).length / 5));
  });

  test("believes the provider's window in place of the profile's, across a restore too", async () => {
    const talk = new Crowded(reset(), { budget: { output: 1_000 } });
    await talk.exchange(3, 20);
    expect((await talk.ask("refused")).budget.limits?.context).toBe(1_000_000);
    talk.turn = await talk.session.recover(tooLong(40_000, 32_000));
    expect(talk.turn.budget.limits?.context).toBe(32_000);
    talk.answer({ text: "yes" });
    expect((await talk.ask("on")).budget.limits?.context).toBe(32_000);
    talk.restore();
    expect((await talk.send()).budget.limits?.context).toBe(32_000);
  });

  test("leaves the host's own figure as it is but for the answer, and says so (rule 30)", async () => {
    const talk = new Crowded(reset(), { budget: { context: 500_000, output: 1_000 } });
    const warnings: string[] = [];
    talk.session.on("warning", ({ code }) => warnings.push(code));
    await talk.exchange(3, 20);
    await talk.ask("refused");
    talk.turn = await talk.session.recover(tooLong(210_000, 200_000));
    expect(talk.turn.budget.limits?.context).toBe(200_000);
    talk.answer({ text: "yes" });
    expect((await talk.ask("on")).budget.limits?.context).toBe(500_000);
    expect(warnings).toEqual(["context-differs"]);
  });

  test("never sends again what was refused, whoever calls it again", async () => {
    for (const strategy of [undefined, elide()]) {
      const talk = new Crowded(strategy);
      await talk.ask("hello");
      const error = tooLong(5_000, 3_000);
      const failed: unknown = await talk.session.recover(error).catch((thrown: unknown) => thrown);
      if (strategy === undefined) expect(failed).toBe(error);
      else expect(failed).toMatchObject({ code: "over-limit", cause: error, held: [{ by: "question" }] });
      await expect(talk.session.recover(error)).rejects.toBe(error);
    }
  });

  test("serves the next refusal of another request again", async () => {
    const talk = new Crowded(reset());
    for (let round = 1; round <= 3; round++) {
      await talk.exchange(3, 20);
      await talk.ask(`refused ${round}`);
      talk.turn = await talk.session.recover(tooLong());
      // The notice of a later landing may say the same.
      expect(breaks(talk.turn)).toEqual([expect.stringMatching(/^compaction at [01]$/)]);
      expect(allOf(talk.turn)).not.toContain("answer");
      talk.answer({ text: "yes" });
    }
  });
});
