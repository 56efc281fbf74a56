import { describe, expect, test } from "vitest";
import { Crowded } from "../../test/crowded.ts";
import { text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent } from "../../test/talk.ts";
import type { ObjectValue } from "../json/value.ts";
import type { OverflowStrategy } from "../overflow/strategy.ts";

/** Makes the first reply with calls shorter, in its own way. */
function shortening(form: (message: ObjectValue) => ObjectValue | null): OverflowStrategy {
  return {
    name: "shortening",
    run: async ({ wire, groups }) => {
      const calling = groups.flatMap(({ members }) => members).find(({ reading }) => reading.units.some(({ kind }) => kind === "call"));
      if (calling === undefined) return { status: "unchanged", why: "there is none" };
      const { nativeRole, units } = calling.reading;
      const shorter = form(wire.compose(nativeRole, units));
      return { status: "replaced", changes: [{ kind: "elision", forms: new Map([[calling.entry, shorter]]) }] };
    },
  };
}

const without =
  (...types: readonly string[]) =>
  (message: ObjectValue): ObjectValue => ({
    ...message,
    content: (message["content"] as readonly ObjectValue[]).filter(({ type }) => !types.includes(String(type))),
  });

/** Two exchanges with a call in the first; what its strategy makes of the reply with the call has landed. */
async function shortened(strategy: OverflowStrategy): Promise<Crowded> {
  const talk = new Crowded(strategy);
  await talk.ask("read");
  talk.answer([thinking("which"), text(`let me see ${"and see ".repeat(200)}`), { type: "tool_use", id: "c1", name: "read", input: {} }]);
  await talk.results(["c1", "a"]);
  talk.answer([thinking("done"), text("read")]);
  talk.session.compact();
  await talk.ask("go on");
  talk.answer({ text: "on" });
  return talk;
}

describe.each([false, true])("a reply that a strategy made shorter (rules 26, 27 and 37), restored: %s", (restores) => {
  test("goes out so from then on, its reasoning gone with the words, and the reasoning behind it, too", async () => {
    const talk = await shortened(shortening(without("text", "thinking")));
    expect(breaks(talk.turn as NonNullable<typeof talk.turn>)).toEqual(["elision at 1"]);
    expect(talk.turn?.continuity.checkpoints[0]).toMatchObject({ voids: ["$.messages[1].content[0]", "$.messages[3].content[0]"] });
    const before = bytes(talk.turn);
    expect(sent(talk.turn)[1]?.["content"]).toEqual([{ type: "tool_use", id: "c1", name: "read", input: {} }]);
    expect(allOf(talk.turn)).not.toMatch(/signature|let me see/);
    if (restores) talk.restore();
    const turn = await talk.ask("and on");
    expect([breaks(turn), bytes(turn).slice(0, before.length)]).toEqual([[], before]);
  });

  test("is still known for the calls that it has: another result of one is late (rule 12)", async () => {
    const talk = await shortened(shortening(without("text", "thinking")));
    if (restores) talk.restore();
    expect((await talk.results(["c1", "more"])).repairs).toMatchObject({ resultsLate: ["c1"], resultsOrphaned: [] });
  });
});
