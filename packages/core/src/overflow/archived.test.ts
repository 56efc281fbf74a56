import { expect, test } from "vitest";
import { Crowded, prose } from "../../test/crowded.ts";
import { chatSpeaker } from "../../test/speakers.ts";
import { allOf, Talk } from "../../test/talk.ts";
import { inMemoryArchive } from "../sources/in-memory-archive.ts";
import { elide } from "./elide.ts";
import { reset } from "./reset.ts";

const noise = "a line of a long result\n".repeat(60);

test("what an elision took away can be read back, the results of a reply that went with them too (rules 37 and 43)", async () => {
  const archive = inMemoryArchive();
  const talk = new Talk({ overflow: elide(), archive, budget: { context: 4_000, output: 500, measure: "counter" } }, chatSpeaker);
  talk.head = {};
  for (let step = 0; step < 60; step++) {
    await talk.ask(`step ${step}`);
    const message = talk.speaker.reply({ text: "", calls: [{ id: `c${step}`, name: "read", input: { step } }] });
    talk.turn?.settle(talk.speaker.replied(message));
    talk.history = [...talk.history, message];
    await talk.results([`c${step}`, `secret-${step}.\n${noise}`]);
    talk.answer({ text: "Done." });
  }
  const window = allOf(talk.turn);
  expect(window.match(/elided entry/g)?.length).toBeGreaterThan(20);
  const reached = await readable(archive, window);
  for (let step = 0; step < 60; step++) expect(reached, `secret ${step}`).toContain(`secret-${step}.`);
});

test("what a recap took away is archived whole, long results too", async () => {
  const archive = inMemoryArchive();
  const talk = new Talk({ overflow: reset(), archive, budget: { context: 20_000, output: 500, measure: "counter" } }, chatSpeaker);
  talk.head = {};
  for (let step = 0; step < 12; step++) {
    await talk.ask(`step ${step}`);
    const message = talk.speaker.reply({ text: "", calls: [{ id: `c${step}`, name: "read", input: { step } }] });
    talk.turn?.settle(talk.speaker.replied(message));
    talk.history = [...talk.history, message];
    await talk.results([`c${step}`, `${noise.repeat(3)}secret-${step}.\n${noise.repeat(3)}`]);
    talk.answer({ text: "Done." });
  }
  const window = allOf(talk.turn);
  expect(window).toContain("left out to make room");
  const [, reference = ""] = /left out to make room\] \(the full text is archived as ([0-9a-f]{12})/.exec(window) ?? [];
  const { landings } = talk.session;
  const about = { landing: landings.at(-1)?.number, turn: landings.at(-1)?.turn, from: 0, to: expect.any(Number) };
  expect((await archive.get(reference))?.about).toEqual({
    ...about,
    source: expect.stringMatching(new RegExp(`^${reference}[0-9a-f]{52}$`)),
  });
  const reached = await readable(archive, window);
  for (let step = 0; step < 12; step++) expect(reached, `secret ${step}`).toContain(`secret-${step}.`);
});

/** A window and all that its references lead to. */
async function readable(archive: ReturnType<typeof inMemoryArchive>, text: string): Promise<string> {
  const texts = await Promise.all(
    [...text.matchAll(/archived as ([0-9a-f]{12})/g)].map(async ([, reference]) => (await archive.get(reference as string))?.text),
  );
  const deeper = await Promise.all(texts.map((found) => (found === undefined ? "" : readable(archive, found))));
  return [text, ...deeper].join("\n");
}

test("of a landing that was declined nothing is archived (rule 43)", async () => {
  const store = inMemoryArchive();
  const kept: string[] = [];
  const archive: typeof store = {
    ...store,
    put: async (record) => {
      kept.push(record.reference);
      await store.put(record);
    },
  };
  const talk = new Crowded(undefined, { archive, overflow: { strategy: elide(), minimumGain: 1_000 } });
  await talk.ask("read it");
  talk.answer({ calls: [{ id: "c1" }] });
  await talk.results(["c1", prose("result", 250)]);
  talk.answer({ text: "read" });
  await talk.exchange(4, 150);
  expect(talk.reports.at(-1)).toMatchObject({ status: "held", why: expect.stringContaining("minimum-gain") });
  expect(kept).toEqual([]);
  talk.session.compact();
  await talk.ask("on");
  // The result, and its batch as a whole.
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(2);
  expect(talk.landings).toHaveLength(1);
});
