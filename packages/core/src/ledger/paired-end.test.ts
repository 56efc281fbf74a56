import { expect, test } from "vitest";
import { Crowded, prose } from "../../test/crowded.ts";
import { allOf } from "../../test/talk.ts";
import { elide } from "../overflow/elide.ts";

test("a call whose result was said late while the call was elided has its result again when both show (rules 7 and 12)", async () => {
  const talk = new Crowded(elide({ protect: 1 }));
  const { speaker } = talk;
  await talk.ask(prose("read it", 500));
  talk.answer({ text: prose("so I read", 150), calls: [{ id: "c1" }] });
  await talk.results(["c1", prose("long", 150)]);
  talk.answer({ text: "done" });
  talk.session.compact();
  await talk.ask("on");
  expect(allOf(talk.turn)).not.toContain("tool_use");
  talk.answer({ text: "on it is" });
  const [cleared] = speaker.results(["c1", "cleared"]);
  talk.history = talk.history.with(2, cleared as (typeof talk.history)[number]);
  await talk.ask("and on");
  expect(allOf(talk.turn)).toContain("late result of call c1");
  talk.answer({ text: "well" });
  talk.session.compact({ from: 0, to: 6, text: "SUMMARY: it was read." });
  await talk.ask("go on");
  expect(allOf(talk.turn)).toContain("SUMMARY");
  // Older windows, which had the elision, are let go of.
  for (let times = 0; times < 6; times++) await talk.send();
  talk.history = [...talk.history.slice(0, 4), speaker.user("another way")];
  const turn = await talk.send();
  expect(turn.continuity.checkpoints[0]?.hint).toBe("landing-dropped");
  expect(allOf(turn)).not.toContain("late result");
});
