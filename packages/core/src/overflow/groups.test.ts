import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { plainSchema } from "../../test/plain-schema.ts";
import { speakers, text } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent } from "../../test/talk.ts";
import { state } from "../sources/state.ts";
import type { Group } from "./groups.ts";
import { reset } from "./reset.ts";
import { type OverflowStrategy, unchanged } from "./strategy.ts";
import { summarize } from "./summarize.ts";

/** Shows what a strategy is shown, and changes nothing. */
function looking(): { readonly seen: (readonly Group[])[]; readonly strategy: OverflowStrategy } {
  const seen: (readonly Group[])[] = [];
  return {
    seen,
    strategy: {
      name: "looking",
      run: async ({ groups }) => {
        seen.push(groups);
        return unchanged("only looking");
      },
    },
  };
}

const schema = plainSchema<string>();
const small = { highWater: 60, lowWater: 30, context: 100_000, output: 256, measure: "counter" } as const;
const kinds = (groups: readonly Group[] | undefined): readonly string[] =>
  (groups ?? []).map(({ kind, members }) => `${kind} ${members.length}`);

describe.each(speakers)("$name: cut points are group boundaries (rule 35)", (speaker) => {
  test("a batch of calls stands with its results, reasoning with what must follow it, an event with the turn it follows", async () => {
    const { seen, strategy } = looking();
    const task = state("task", { schema });
    const talk = new Crowded(strategy, { budget: small, sources: [task] }, speaker);
    talk.session.set(task, "mend");
    await talk.ask("read both");
    talk.answer({ thinking: "so", calls: [{ id: "c1" }, { id: "c2" }] });
    await talk.results(["c1", "one"], ["c2", "two"]);
    talk.answer({ text: "read" });
    await talk.ask(prose("now", 80));
    const results = speaker.results(["c1", ""], ["c2", ""]).length;
    expect(kinds(seen.at(-1))).toEqual(["user 2", `calls ${1 + results}`, "reply 1", "user 1"]);
    const groups = seen.at(-1) ?? [];
    expect(groups.map(({ from, to }) => [from, to])).toEqual(groups.map((group, index) => [groups[index - 1]?.to ?? 0, group.to]));
  });

  test("an unanswered call and results that the model has not seen are one open group, the first thing kept over the limit", async () => {
    const { seen, strategy } = looking();
    const talk = new Crowded(strategy, { budget: small }, speaker);
    await talk.exchange(2, 20);
    await talk.ask("read");
    talk.answer({ thinking: "so", calls: [{ id: "c1" }] });
    await talk.results(["c1", prose("unseen", 60)]);
    expect(seen.at(-1)?.map(({ open }) => open)).toEqual([false, false, false, false, false, true]);
    const cut = new Crowded(reset(), {}, speaker);
    await cut.exchange(2, 20);
    await cut.ask("read");
    cut.answer({ thinking: "so", calls: [{ id: "c1" }] });
    cut.session.compact();
    const turn = await cut.results(["c1", prose("unseen", 200)]);
    expect(cut.landings).toHaveLength(1);
    expect(allOf(turn)).toMatch(/read.*unseen/s);
    expect(allOf(turn)).not.toContain("answer 1");
  });

  test("what the user said before anybody answered stands together: a store may join it to one message (rules 4 and 35)", async () => {
    const talk = new Crowded(summarize({ summarizer: scripted("what was said"), keepRecentTurns: 2 }), {}, speaker);
    await talk.exchange(2);
    await talk.ask("three");
    talk.history.push(speaker.user("and one more"));
    talk.answer({ text: prose("answer", 40) });
    talk.session.compact();
    const cut = await talk.ask("four");
    expect(breaks(cut)).toEqual(["compaction at 0"]);
    const blocks = { role: "user", content: ["three", "and one more"].map(text) };
    const at = talk.history.findIndex((message) => JSON.stringify(message).includes("three"));
    talk.answer({ text: "4" });
    talk.history.splice(at, 2, blocks);
    const turn = await talk.ask("five");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, bytes(cut).length)).toEqual(bytes(cut));
  });

  test("pinning a message pins its batch, not its events: those are said again", async () => {
    const task = state("task", { schema });
    const talk = new Crowded(reset(), { sources: [task] }, speaker);
    talk.session.set(task, "mend the clock");
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1" }] });
    await talk.results(["c1", "the key is under the mat"]);
    talk.session.pin(talk.history[1] as object);
    talk.answer({ text: "read" });
    await talk.exchange(3, 60);
    talk.session.compact();
    const turn = await talk.ask("go on");
    expect(allOf(turn)).toContain("the key is under the mat");
    expect(turn.said).toMatchObject([{ source: "task" }]);
    expect(allOf(turn).match(/mend the clock/g)).toHaveLength(1);
  });

  test("what is pinned is read by value at each step", async () => {
    const wanted = new Set(["question 1"]);
    const talk = new Crowded(reset(), { pinned: ({ text }) => wanted.has(text) }, speaker);
    await talk.exchange(3, 60);
    talk.session.compact();
    talk.history = structuredClone(talk.history);
    expect(allOf(await talk.ask("go on"))).toContain("question 1");
    talk.answer({ text: prose("answer", 100) });
    wanted.clear();
    wanted.add("go on");
    await talk.exchange(1, 100);
    talk.session.compact();
    const turn = await talk.ask("and on");
    expect(allOf(turn)).not.toContain("question 1");
    expect(allOf(turn)).toContain("go on");
    expect(sent(turn).length).toBeGreaterThan(1);
  });
});
