import { describe, expect, test } from "vitest";
import { speakers } from "../../test/speakers.ts";
import { allOf, breaks, bytes, Talk } from "../../test/talk.ts";

describe.each(speakers)("a host that hands over no more than what a summary kept ($name)", (speaker) => {
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
    "and fills a result in there: it is late, is said once at the end, and is no break (rules 5 and 12): %s",
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
});
