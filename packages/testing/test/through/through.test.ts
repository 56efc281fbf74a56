import { ReplayLog, replay } from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { chanceOf } from "../../src/simulator/chance.ts";
import { type TestWire, testWires } from "../sources/wires.ts";
import { boundIn, type Habit, messagesOf, reasons, Traveller, tide } from "./traveller.ts";

const pairs = testWires.flatMap((from) =>
  testWires.filter((to) => to !== from).map((to) => ({ from, to, names: `${from.name} to ${to.name}` })),
);
const habits: readonly Habit[] = ["translates", "keeps", "hands over what is new"];
const long = Array.from({ length: 200 }, (_, line) => `line ${line} of the book`).join("\n");

describe.each(pairs)("a session that goes from $names and back (rule 15)", ({ from, to }) => {
  test.each(habits)("sends the originals again to a host that %s", async (habit) => {
    const agent = new Traveller(from, habit);
    agent.session.set(tide, { water: "low" });
    agent.say("When is high water?");
    await agent.exchange({
      thinking: "I must look.",
      text: "I look.",
      calls: [{ name: "read", input: { path: "tides/1", "from-line": 2 } }],
    });
    agent.handOver(long);
    const before = await agent.exchange({ thinking: "Once more.", calls: [{ name: "list", input: {} }] });

    agent.goTo(to);
    agent.session.set(tide, { water: "high" });
    agent.handOver("tides/1\ntides/2");
    const there = await agent.exchange({ thinking: "Elsewhere.", calls: [{ name: "read", input: { path: "tides/2" } }] });
    agent.handOver("At four.");
    const second = await agent.exchange({ thinking: "Now I know.", text: "At four." });
    const visible = JSON.stringify(there.turn.request);
    for (const words of ["When is high water?", "I look.", "line 0 of the book", "tides/2", "low", "high"])
      expect(visible).toContain(words);
    expect(visible).not.toContain("line 100 of the book");
    expect(visible).not.toContain("I must look.");

    agent.goTo(from);
    agent.say("And tomorrow?");
    const back = await agent.exchange({ thinking: "Again.", text: "At five." });
    agent.say("Thanks.");
    const after = await agent.exchange({ text: "You are welcome." });

    expect([there, second, back, after].map(reasons)).toEqual([["model at 0"], [], ["model at 0"], []]);
    const originals = messagesOf(from.wire, before);
    const again = messagesOf(from.wire, back);
    expect(JSON.stringify(again.slice(0, originals.length))).toBe(JSON.stringify(originals));
    const reply = from.wire.readReply(before.request.reply).messages;
    expect(boundIn(from.wire, again)).toEqual(expect.arrayContaining([...boundIn(from.wire, reply)]));
  });
});

describe("a journey through many providers (rules 15, 48 and 51)", () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => seed);

  test.each(seeds)("of seed %i is refused nowhere, breaks only where it goes on, and finds everywhere what it sent there", async (seed) => {
    const chance = chanceOf(`journey ${seed}`);
    const stations = testWires.filter(() => chance.happens(0.6)).slice(0, 4);
    const [start = testWires[0] as TestWire] = stations;
    const log = new ReplayLog();
    const agent = new Traveller(start, chance.pick(habits), { log });
    let here = start;
    let calls = 0;
    /** What each provider has answered: its next request repeats that. */
    const answeredBy = new Map<TestWire, readonly unknown[]>();
    for (let step = 0; step < 25; step++) {
      if (chance.happens(0.3)) agent.session.set(tide, { water: `mark ${step}` });
      const next = chance.happens(0.35) ? chance.pick(stations) : here;
      // Results that name no call come back from elsewhere with its id: the words of a window that sleeps are not found by them.
      const isKnownAgain = next === here || here.wire.abilities.resultsByName !== true;
      if (isKnownAgain && chance.happens(0.2)) agent.restore();
      agent.goTo(next);
      here = next;
      if (calls > 0) agent.handOver(chance.happens(0.3) ? long : `found in step ${step}`);
      else agent.say(`Question ${step}?`);
      // A request that nobody answers.
      if (chance.happens(0.15)) await agent.prepare();
      const before = agent.prepared.at(-1)?.on;
      calls = chance.happens(0.5) ? 1 + chance.below(2) : 0;
      const answered = await agent.exchange({
        ...(chance.happens(0.7) ? { thinking: `Thought ${step}.` } : {}),
        ...(calls === 0 || chance.happens(0.5) ? { text: `Answer ${step}.` } : {}),
        calls: Array.from({ length: calls }, (_, index) => ({
          name: chance.pick(["read", "list"]),
          input: { path: `step/${step}/${index}` },
        })),
      });
      expect(reasons(answered), `step ${step}`).toEqual(before === undefined || before === here ? [] : ["model at 0"]);
      const sent = messagesOf(here.wire, answered);
      const earlier = answeredBy.get(here) ?? [];
      expect(JSON.stringify(sent.slice(0, earlier.length)), `step ${step} on ${here.name}`).toBe(JSON.stringify(earlier));
      answeredBy.set(here, sent);
    }
    for (const [n, { on, turn }] of agent.prepared.entries()) {
      const { head, messages } = replay(log.records, n);
      expect(JSON.stringify(on.wire.close(turn.request, head, messages))).toBe(JSON.stringify(turn.request));
    }
  });
});
