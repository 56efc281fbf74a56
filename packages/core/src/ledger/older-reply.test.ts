import { expect, test } from "vitest";
import { Crowded, prose } from "../../test/crowded.ts";
import { anthropicSpeaker } from "../../test/speakers.ts";
import { allOf, breaks, Talk } from "../../test/talk.ts";
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

// Soak seed 80002864.
test("a reply that nobody settled is not taken on trust behind a folded loop that asked something else (rules 6 and 62)", async () => {
  const talk = new Talk();
  const tool = (description: string): object => ({ tools: [{ name: "read", description, input_schema: { type: "object" } }] });
  const folded = tool("Reads, and more.");
  const { user } = anthropicSpeaker;
  await talk.ask("read it", tool("Reads."));
  talk.store({ thinking: "first", calls: [{ id: "c1" }] });
  const loop = talk.history;
  const asked = await talk.ask("never mind, two", folded);
  expect(allOf(asked)).toContain("what was done so far");
  talk.store({ thinking: "about two", text: "2" });
  const branch = talk.history;
  talk.history = [...loop, user("never mind, other")];
  await talk.send(folded);
  talk.history = [...branch, user("three")];
  const turn = await talk.send(folded);
  expect(allOf(turn)).not.toContain("about two");
  expect(turn.repairs.reasoningWithheld).toBe(1);
});
