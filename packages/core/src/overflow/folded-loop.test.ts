import { describe, expect, test } from "vitest";
import { Crowded, prose } from "../../test/crowded.ts";
import type { Message } from "../../test/speakers.ts";
import { allOf, sent } from "../../test/talk.ts";
import { inMemoryArchive } from "../sources/in-memory-archive.ts";
import { chain } from "./chain.ts";
import { elide } from "./elide.ts";
import { reset } from "./reset.ts";

type Options = ConstructorParameters<typeof Crowded>[1];

/** In a tool loop whose unsigned landing folded it (rule 62 c): the fold holds most of the window. */
async function folded(strategy = elide({ protect: 2 }), options: Options = {}): Promise<Crowded> {
  const talk = new Crowded(strategy, options);
  await talk.ask("read them all");
  for (let step = 1; talk.landings.length === 0; step++) {
    talk.answer({ thinking: `think ${step}`, calls: [{ id: `c${step}` }] });
    await talk.results([`c${step}`, prose(`result ${step}`, 250)]);
  }
  expect(allOf(talk.turn)).toContain("what was done so far");
  return talk;
}

/** One more step of the loop. */
async function step(talk: Crowded, number: number): Promise<void> {
  talk.answer({ thinking: `more ${number}`, calls: [{ id: `m${number}` }] });
  await talk.results([`m${number}`, prose(`later result ${number}`, 250)]);
}

describe("a folded loop (rules 37 and 62 c)", () => {
  test("is elided like the calls and results that it stands for, and can be read back", async () => {
    const archive = inMemoryArchive();
    const talk = await folded(elide({ protect: 2 }), { archive });
    for (let number = 1; number <= 30; number++) await step(talk, number);
    expect(talk.landings.length).toBeGreaterThan(3);
    expect(allOf(talk.turn)).toContain("read them all");
    expect(allOf(talk.turn)).toContain("later result 30");
    expect(allOf(talk.turn)).not.toContain("later result 1:");
    const references = [...allOf(talk.turn).matchAll(/archived as ([0-9a-f]{12})/g)].map(([, reference]) => reference as string);
    const texts = await Promise.all(references.map((reference) => archive.get(reference)));
    expect(texts.every((text) => text !== undefined)).toBe(true);
  });

  test("keeps what the user said in it, whatever takes its steps away", async () => {
    for (const strategy of [elide({ protect: 2 }), reset(), chain(elide({ protect: 2 }), reset())]) {
      const talk = new Crowded(strategy);
      await talk.ask("read them all");
      talk.answer({ thinking: "first", calls: [{ id: "c1" }] });
      talk.history.push({
        role: "user",
        content: [
          ...((talk.speaker.results(["c1", prose("result 1", 250)])[0] as Message)["content"] as object[]),
          { type: "text", text: "but hurry" },
        ],
      });
      await talk.send();
      for (let number = 1; number <= 12; number++) await step(talk, number);
      expect(talk.landings.length).toBeGreaterThan(1);
      expect(allOf(talk.turn)).toContain("but hurry");
      expect(allOf(talk.turn)).not.toContain("result 1: copper linen");
    }
  });

  test("stays whole while the model has not seen it", async () => {
    const talk = await folded(elide({ protect: 0 }));
    const results = sent(talk.turn).at(-1);
    expect(JSON.stringify(results)).toMatch(/result \d+: copper/);
  });
});
