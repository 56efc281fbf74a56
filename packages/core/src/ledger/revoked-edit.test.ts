import { expect, test } from "vitest";
import { Crowded } from "../../test/crowded.ts";
import { breaks } from "../../test/talk.ts";
import { reset } from "../overflow/reset.ts";

// Soak seed 8100355.
test("a revoked landing is a checkpoint where it stood, also where an earlier reply of its source follows an edit (rules 1 and 7)", async () => {
  const talk = new Crowded(reset());
  const { speaker } = talk;
  for (const words of ["one", "two"]) {
    await talk.ask(words);
    talk.answer({ text: `answer to ${words}` });
  }
  talk.session.compact();
  expect(breaks(await talk.ask("three"))).toEqual(["compaction at 0"]);
  talk.answer({ text: "answer to three" });
  talk.history[2] = speaker.user("two, otherwise");
  talk.session.revoke(1);
  expect(breaks(await talk.ask("four"))).toEqual(["history at 0"]);
});
