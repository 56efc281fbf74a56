import { expect, test } from "vitest";
import { anthropicSpeaker } from "../../test/speakers.ts";
import { breaks, Talk } from "../../test/talk.ts";

const plain = { model: "claude-sonnet-4-6" };

test.each([
  [0, "history at 0"],
  [1, "history at 1"],
  [2, "history at 2"],
  [3, "history at 3"],
])(
  "a session that wakes knows a system message that the user said for it: words put in at %s are %s, as live (rules 20 and 48)",
  async (at, checkpoint) => {
    for (const restored of [false, true]) {
      const talk = new Talk();
      talk.history = [anthropicSpeaker.user("one"), { role: "system", content: "The deploy starts." }];
      await talk.send();
      talk.answer({ text: "1" });
      await talk.ask("two");
      talk.answer({ text: "2" });
      await talk.ask("three", plain);
      talk.answer({ text: "3" });
      if (restored) talk.restore();
      talk.history = talk.history.toSpliced(at, 0, anthropicSpeaker.user("and this"));
      expect(breaks(await talk.ask("four", plain))).toEqual([checkpoint]);
    }
  },
);
