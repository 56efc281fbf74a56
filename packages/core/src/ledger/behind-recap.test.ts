import { describe, expect, test } from "vitest";
import { speakers } from "../../test/speakers.ts";
import { allOf, breaks, bytes, Talk } from "../../test/talk.ts";

describe.each(speakers)("behind a summary ($name)", (speaker) => {
  /** A summary of the first exchange; in what was kept a call was closed without its result. */
  async function summarised(): Promise<Talk> {
    const talk = new Talk({}, speaker);
    await talk.ask("one");
    talk.answer({ text: "1" });
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1" }] });
    await talk.ask("go on meanwhile");
    talk.answer({ text: "I do" });
    talk.session.compact({ from: 0, to: 2, text: "SUMMARY" });
    const turn = await talk.ask("well?");
    expect(turn.continuity.checkpoints).toMatchObject([{ reason: "compaction" }]);
    talk.answer({ text: "not yet" });
    return talk;
  }

  test.each(["live", "restored"])(
    "a result that is filled in where its host hands over what was kept alone is late: it is said once at the end, and is no break (rules 5 and 12): %s",
    async (how) => {
      const talk = await summarised();
      const before = bytes(talk.turn);
      const kept = talk.history.slice(2);
      talk.history = [...kept.slice(0, 2), ...speaker.results(["c1", "text of c1"]), ...kept.slice(2)];
      for (const words of ["and?", "or?"]) {
        if (how === "restored") talk.restore();
        const turn = await talk.ask(words);
        expect(breaks(turn)).toEqual([]);
        expect(bytes(turn).slice(0, before.length)).toEqual(before);
        expect(allOf(turn).match(/text of c1/g)).toHaveLength(1);
        expect(bytes(turn).findIndex((message) => message.includes("text of c1"))).toBeGreaterThan(before.length);
        talk.answer({ text: "thanks" });
      }
    },
  );

  test.each(["live", "restored"])(
    "a history that was trimmed at its start, or is what was kept alone, goes on: nothing that was sent changes (rule 5): %s",
    async (how) => {
      for (const from of [1, 2]) {
        const talk = await summarised();
        const before = bytes(talk.turn);
        talk.history = talk.history.slice(from);
        for (const words of ["and?", "or?"]) {
          if (how === "restored") talk.restore();
          const turn = await talk.ask(words);
          expect(breaks(turn)).toEqual([]);
          expect(bytes(turn).slice(0, before.length)).toEqual(before);
          talk.answer({ text: "thanks" });
        }
      }
    },
  );

  test.each(["live", "restored"])("an edit under it changes nothing that was sent, and is counted (rule 7): %s", async (how) => {
    const talk = await summarised();
    const before = bytes(talk.turn);
    if (how === "restored") talk.restore();
    talk.history = [speaker.user("one, edited"), ...talk.history.slice(1)];
    const turn = await talk.ask("and?");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(turn.repairs.underRecap).toBe(1);
    talk.answer({ text: "thanks" });
    expect((await talk.ask("or?")).repairs.underRecap).toBe(0);
  });

  test.each(["live", "restored"])(
    "a summary of the host's own stands before what was kept: that is sent, and none of ours (rule 5 c): %s",
    async (how) => {
      const talk = await summarised();
      if (how === "restored") talk.restore();
      talk.history = [speaker.user("the host's summary"), ...talk.history.slice(2)];
      const turn = await talk.ask("and?");
      expect(turn.continuity.checkpoints).toMatchObject([{ reason: "history", at: 0 }]);
      expect(allOf(turn)).toContain("the host's summary");
      expect(allOf(turn)).not.toContain("SUMMARY");
    },
  );
});
