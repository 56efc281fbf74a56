import { expect, test } from "vitest";
import { Crowded, prose } from "../../test/crowded.ts";
import { breaks } from "../../test/talk.ts";
import { elide } from "../overflow/elide.ts";

test("the reply to an older request answers nothing that was asked behind it in a newer one: that may stand elsewhere (rule 2)", async () => {
  const talk = new Crowded(elide({ protect: 1 }));
  const { speaker } = talk;
  await talk.ask("read it");
  talk.answer({ calls: [{ id: "c1" }] });
  await talk.results(["c1", prose("long", 300)]);
  talk.answer({ text: "done" });
  const older = await talk.ask("one");
  const start = talk.history;
  talk.session.compact();
  const newer = await talk.ask("two");
  expect(breaks(newer)).toEqual(["elision at 2"]);
  const reply = talk.message({ text: "1" });
  older.settle(speaker.replied(reply, {}));
  talk.history = [...start, reply, speaker.user("two")];
  expect(breaks(await talk.send())).toEqual([]);
});
