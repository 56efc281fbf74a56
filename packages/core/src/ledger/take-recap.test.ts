import { describe, expect, test } from "vitest";
import { reshapingsFor } from "../../test/reshapings.ts";
import type { Message } from "../../test/speakers.ts";
import { stories } from "../../test/stories.ts";
import { allOf, breaks, bytes, sent, type Talk } from "../../test/talk.ts";

/** A story that a summary stands for since the last request; what was asked behind it, and that request, are answered. */
async function summarised(story: () => Promise<Talk>): Promise<Talk> {
  const talk = await story();
  await talk.ask("before that");
  talk.answer({ text: "before that" });
  const to = sent(await talk.ask("more")).length - 1;
  talk.answer({ text: "more" });
  talk.session.compact({ from: 0, to, text: "SUMMARY" });
  const turn = await talk.ask("and more");
  expect(turn.continuity.checkpoints).toMatchObject([{ reason: "compaction", class: "removal" }]);
  expect(allOf(turn)).toContain("SUMMARY");
  talk.answer({ text: "and more" });
  return talk;
}

const ways = [
  ["live", false],
  ["restored", true],
] as const;

// Behind a restart there is nothing to sum up.
const { "nothing but a restart": _anew, ...recorded } = stories;

describe.each(Object.entries(recorded))("a summary of a history with %s (rules 5 and 7)", (_what, { talk: story }) => {
  test.each(ways)("is repeated as long as the history goes on, in whatever shape it comes: %s", async (_how, restores) => {
    const talk = await summarised(story);
    const reshapings = Object.values(reshapingsFor(talk.speaker));
    for (const reshaped of reshapings) {
      const before = bytes(talk.turn);
      if (restores) talk.restore();
      talk.history = structuredClone(reshaped(talk.history)) as Message[];
      const turn = await talk.ask("on");
      expect(breaks(turn)).toEqual([]);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      talk.answer({ text: "on" });
    }
  });

  test.each(ways)("is the host's own message where that stores it: %s", async (_how, restores) => {
    const talk = await summarised(story);
    talk.history = [...sent(talk.turn), talk.message({ text: "and more" })];
    for (const words of ["on", "and on"]) {
      const before = bytes(talk.turn);
      if (restores) talk.restore();
      const turn = await talk.ask(words);
      expect(breaks(turn)).toEqual([]);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      talk.answer({ text: words });
    }
  });

  test.each(ways)("stands where the messages under it are edited in place, and that is counted: %s", async (_how, restores) => {
    const talk = await summarised(story);
    const before = bytes(talk.turn);
    talk.history[0] = talk.speaker.user("edited");
    if (restores) talk.restore();
    const turn = await talk.ask("on");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(turn.repairs.underRecap).toBe(1);
  });
});
