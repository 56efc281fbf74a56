import { expect, test } from "vitest";
import { Crowded, prose } from "../../test/crowded.ts";
import { allOf, breaks, sent } from "../../test/talk.ts";
import { elide } from "./elide.ts";

// Soak seeds 3000004, 3000010, 3000012.
test("a batch stays where a positional system message stands behind its results alone (rules 20 and 37)", async () => {
  const talk = new Crowded(elide({ protect: 1 }));
  await talk.ask(prose("read it", 500));
  talk.answer({ calls: [{ id: "c1" }] });
  talk.history.push(...talk.speaker.results(["c1", prose("text", 100)]), { role: "system", content: "It is late." });
  await talk.send();
  talk.answer({ text: "done" });
  await talk.ask("read the other");
  talk.answer({ calls: [{ id: "c2" }] });
  await talk.results(["c2", prose("other", 100)]);
  talk.answer({ text: "done too" });
  talk.session.compact();
  const turn = await talk.ask("on");
  expect(breaks(turn)).toHaveLength(1);
  expect(
    sent(turn)
      .map(({ role }) => role)
      .join(),
  ).toBe("user,assistant,user,system,assistant,user,assistant,assistant,user");
  expect(allOf(turn)).not.toMatch(/text: copper|other: copper/);
  expect(allOf(turn)).toContain("It is late.");
});

test("an elision voids reasoning from its place on: what was thought before it stays (rule 27)", async () => {
  const talk = new Crowded(elide({ protect: 1 }));
  await talk.ask("hello");
  talk.answer({ thinking: "before it", text: "hi" });
  await talk.ask("read it");
  talk.answer({ thinking: "in it", calls: [{ id: "c1" }] });
  await talk.results(["c1", prose("text", 300)]);
  talk.answer({ thinking: "behind it", text: "done" });
  talk.session.compact();
  const turn = await talk.ask("on");
  expect(breaks(turn)).toEqual(["elision at 4"]);
  expect(["before it", "in it", "behind it"].filter((thought) => allOf(turn).includes(`"thinking":"${thought}"`))).toEqual([
    "before it",
    "in it",
  ]);
});
