import { announcement, guardrail, type SessionOptions, type StandardSchema, skill, state } from "@tidemark/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Office } from "./office.ts";
import { harbourText, type TestWire, testWires } from "./wires.ts";

// Rules 15 to 25 together: whatever changes between two requests, the provider takes the next one, and a restored session sends the same.

const schema: StandardSchema<object> = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) } };
const task = state<object>("task", { schema });
const notice = announcement("notice", { channel: "system" });
const reminder = announcement("reminder", { channel: "turn" });
const mode = skill();
const form = guardrail("form");

const options: Omit<SessionOptions, "wire"> = {
  sources: [task, notice, reminder, mode, form],
  toolChanges: "append",
  systemChanges: "append",
};

/** What a host does between two requests. */
type Change = (office: Office, on: Models) => void;
type Models = { readonly models: readonly string[]; effort(level: string): object };

const allTools = ["read", "list", "write", "grep", "move"] as const;
const words = fc.constantFrom("a", "b", "c");

type Named = readonly [name: string, change: Change];

/** What depends on the model, and the model. */
const inBand: fc.Arbitrary<Named> = fc.oneof(
  fc.subarray([...allTools], { minLength: 1 }).map(
    (tools): Named => [
      `tools ${tools.join(" ")}`,
      (office) => {
        office.tools = ["read", ...tools.filter((name) => name !== "read")];
      },
    ],
  ),
  fc.constantFrom("low", "medium", "high").map(
    (level): Named => [
      `effort ${level}`,
      (office, { effort }) => {
        office.more = effort(level);
      },
    ],
  ),
  fc.nat(3).map(
    (index): Named => [
      `model ${index}`,
      (office, { models }) => {
        office.model = models[index % models.length];
      },
    ],
  ),
);

const others: fc.Arbitrary<Named> = fc.oneof(
  fc
    .constantFrom(...allTools)
    .chain((name) =>
      fc
        .boolean()
        .map(
          (bans): Named => [
            `${bans ? "ban" : "allow"} ${name}`,
            ({ session }) => (bans ? session.tools.ban(name) : session.tools.allow(name)),
          ],
        ),
    ),
  words.map((word): Named => [`state ${word}`, ({ session }) => session.set(task, { word })]),
  words.map((word): Named => [`notice ${word}`, ({ session }) => session.set(notice, word)]),
  words.map((word): Named => [`remind ${word}`, ({ session }) => session.set(reminder, word)]),
  words.map((word): Named => [`mode ${word}`, ({ session }) => session.set(mode, { name: word, instructions: word })]),
  words.map((word): Named => [`form ${word}`, ({ session }) => session.set(form, { text: word })]),
  fc.constant<Named>([
    "clear",
    ({ session }) => {
      for (const source of [task, notice, reminder, mode, form]) session.clear(source);
    },
  ]),
  words.map(
    (word): Named => [
      `system ${word}`,
      (office) => {
        office.system = `${harbourText}\nRule ${word}.\nBe brief.`;
      },
    ],
  ),
  fc.constant<Named>([
    "retry",
    (office) => {
      office.attempts = [() => office.session.set(task, { word: "retried" })];
    },
  ]),
);

const change = fc.oneof({ arbitrary: inBand, weight: 2 }, { arbitrary: others, weight: 1 });

const models: Readonly<Record<string, Models>> = {
  Anthropic: {
    models: ["claude-opus-5-5", "claude-haiku-5-5", "claude-sonnet-5", "claude-opus-4-6"],
    effort: (effort) => ({ output_config: { effort } }),
  },
  Responses: { models: ["gpt-6.2-sol", "gpt-5.5", "gpt-5.4"], effort: (effort) => ({ reasoning: { effort } }) },
};

async function play(on: TestWire, steps: readonly (readonly Named[])[], restores: boolean): Promise<readonly string[]> {
  const office = new Office(on, options);
  const known = models[on.name] as Models;
  office.model = known.models[0];
  office.more = known.effort("medium");
  const sent: string[] = [];
  for (const changes of steps) {
    const before = office.model;
    for (const [, make] of changes) make(office, known);
    if (restores) office.restore();
    const { request, turn } = await office.step();
    expect(request.refusal).toBeUndefined();
    // A loop that was begun on another model lends its reasoning once, and the provider says whether it took it (rule 62 b).
    if (office.model === before) expect(request.transformations).toEqual([]);
    expect(turn.repairs.doubtful).toEqual([]);
    sent.push(request.text);
    if (restores) office.restore();
  }
  return sent;
}

describe.each(testWires.filter(({ name }) => models[name] !== undefined))("random changes on $name", (on) => {
  test("of tools, effort, model, system text and sources: each request is taken, and a restored session sends the same", {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { minLength: 6, maxLength: 14 }), async (steps) => {
        const [once, again] = [await play(on, steps, false), await play(on, steps, true)];
        expect(again.findIndex((text, at) => text !== once[at])).toBe(-1);
      }),
      { numRuns: 15 },
    );
  });
});
