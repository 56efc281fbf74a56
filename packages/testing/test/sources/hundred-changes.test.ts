import process from "node:process";
import {
  announcement,
  clock,
  guardrail,
  inMemoryStore,
  memory,
  retrieval,
  type SessionOptions,
  type StandardSchema,
  skill,
  state,
} from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { Office } from "./office.ts";
import { harbourText, type TestWire, testWires } from "./wires.ts";

// Rules 16 to 25: a hundred turns, and in every one of them something that the model is told changes.

const schema: StandardSchema<object> = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) } };

/** Something that changes each turn, and the most characters that one change may add to the request. */
type Changing = {
  readonly name: string;
  readonly options: Omit<SessionOptions, "wire">;
  change(office: Office, turn: number): void | Promise<void>;
  readonly charactersMax: number;
  /** Elsewhere it is a checkpoint. */
  readonly needsPositionalSystem?: true;
};

const board = state<object>("board", { schema });
const reminder = state<object>("reminder", { schema, channel: "turn" });
const notice = announcement("notice", { channel: "system" });
const found = retrieval("found");
const mode = skill();
const form = guardrail("form");
const points = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`berth ${index}`, "free until the morning tide"]));

function sources(): readonly Changing[] {
  const store = inMemoryStore(
    Array.from({ length: 40 }, (_, index) => ({ key: `ship/${index}`, text: "draught two metres, home port Faro" })),
  );
  let now = Date.UTC(2026, 10, 30);
  return [
    {
      name: "a state of sixty members, one of which changes",
      options: { sources: [board] },
      change: ({ session }, turn) => session.set(board, { ...points, [`berth ${turn % 60}`]: `taken in turn ${turn}` }),
      charactersMax: 400,
    },
    {
      name: "a turn-scoped reminder",
      options: { sources: [reminder] },
      change: ({ session }, turn) => session.set(reminder, { left: 100 - turn }),
      charactersMax: 400,
    },
    {
      name: "an announcement of the system's channel",
      options: { sources: [notice] },
      change: ({ session }, turn) => session.set(notice, `Ship ${turn} has come in.`),
      charactersMax: 400,
    },
    {
      name: "three retrieved documents, one of which is new",
      options: { sources: [found] },
      change: ({ session }, turn) =>
        session.set(
          found,
          [turn, turn + 1, turn + 2].map((number) => ({ id: `page ${number}`, text: `Page ${number} of the log. `.repeat(10) })),
        ),
      charactersMax: 800,
    },
    {
      name: "a skill that is switched",
      options: { sources: [mode] },
      change: ({ session }, turn) =>
        session.set(mode, { name: turn % 2 === 0 ? "plan" : "act", instructions: `Work as it is fit in turn ${turn}.` }),
      charactersMax: 400,
    },
    {
      name: "a guardrail that is said again",
      options: { sources: [form] },
      change: ({ session }, turn) => session.set(form, { text: `Answer in at most ${turn + 1} words.` }),
      charactersMax: 500,
    },
    {
      name: "a clock whose minute turns",
      options: { sources: [clock({ granularity: "minute" })], now: () => now },
      change: () => {
        now += 60_000;
      },
      charactersMax: 300,
    },
    {
      name: "a memory of forty entries, one of which the host or the model writes",
      options: { sources: [memory({ store })] },
      change: async ({ session }, turn) => {
        const key = `ship/${turn % 40}`;
        if (turn % 2 === 0) await store.write({ key, text: `draught ${turn} metres` });
        else await session.tools.call("memory", { command: "create", path: `/memories/${key}`, file_text: `draught ${turn} metres` });
      },
      charactersMax: 400,
    },
    {
      name: "a system text with a line that changes",
      options: { systemChanges: "append" },
      needsPositionalSystem: true,
      change: (office, turn) => {
        office.system = `${harbourText}\nThe tide stands at ${turn} feet.\nBe brief.`;
      },
      charactersMax: 500,
    },
  ];
}

const turns = 100;

/** Restoring a window costs as much as the window is long: `TIDEMARK_LONG=1` restores at every point of the whole run. */
const restoredTurns = process.env["TIDEMARK_LONG"] === "1" ? turns : 10;

async function play(on: TestWire, { options, change, charactersMax }: Changing): Promise<readonly (readonly string[])[]> {
  const office = new Office(on, options);
  const said: (readonly string[])[] = [];
  for (let turn = 0; turn < turns; turn++) {
    if (turn % 7 === 3) office.restore();
    await change(office, turn);
    if (turn % 10 === 5) office.restore();
    const { turn: prepared, request } = await office.step();
    expect(request.refusal, `turn ${turn}`).toBeUndefined();
    expect(prepared.continuity.checkpoints, `turn ${turn}`).toEqual([]);
    expect(request.transformations).toEqual([]);
    said.push(prepared.said.map(({ source, revision }) => `${source} ${revision}`));
    const before = office.answered[turn - 1]?.request;
    if (before?.cache === undefined) continue;
    expect(request.cache?.read, `turn ${turn}`).toBeGreaterThanOrEqual(on.readable(before.cache));
    expect(request.text.length - before.text.length, `turn ${turn}`).toBeLessThan(charactersMax + replyCharactersMax);
  }
  return said;
}

/** What a reply with its thinking, and the question behind it, add to the next request's text. */
const replyCharactersMax = 1_600;

function isFor({ wire, model }: TestWire, { needsPositionalSystem }: Changing): boolean {
  return needsPositionalSystem !== true || wire.profile(model).positionalSystem;
}

describe.each(testWires)("a hundred turns with a change in each on $name", (on) => {
  test.each(sources().filter((source) => isFor(on, source)))(
    "$name: each reads the whole prompt before it, no reasoning is lost, and what is added is what changed",
    { timeout: 240_000 },
    async (source) => {
      const said = await play(on, source);
      // Of memory every other change is the model's own, which is not echoed; the first system text is no change.
      const least = source.name.startsWith("a memory") ? turns / 2 : turns - 1;
      expect(said.filter((items) => items.length > 0).length).toBeGreaterThanOrEqual(least);
    },
  );

  test("the same bytes go out of sessions that are restored before and behind every request (rule 48)", {
    timeout: 24_000 * restoredTurns,
  }, async () => {
    const bodies = async (source: Changing, restores: boolean): Promise<readonly string[]> => {
      const office = new Office(on, source.options);
      for (let turn = 0; turn < restoredTurns; turn++) {
        if (restores) office.restore();
        await source.change(office, turn);
        if (restores) office.restore();
        await office.step();
      }
      return office.answered.map(({ request }) => request.text);
    };
    const [once, again] = [sources(), sources()];
    for (const [index, source] of once.entries()) {
      if (!isFor(on, source)) continue;
      expect(await bodies(again[index] as Changing, true), source.name).toEqual(await bodies(source, false));
    }
  });

  test("tools that come and go, where the wire has a form for it", async () => {
    if (on.wire.inBand?.toolChanges === undefined) return;
    const office = new Office(on, { toolChanges: "append" });
    for (let turn = 0; turn < turns; turn++) {
      office.tools = ["read", "list", ...Array.from({ length: turn }, (_, index) => `tool_${index}`).slice(-20)];
      const { turn: prepared, request } = await office.step();
      expect(request.refusal, `turn ${turn}`).toBeUndefined();
      expect(prepared.continuity.checkpoints).toEqual([]);
      const before = office.answered[turn - 1]?.request.cache;
      if (before !== undefined) expect(request.cache?.read, `turn ${turn}`).toBeGreaterThanOrEqual(on.readable(before));
      expect(office.session.checkCall("list")).toBeUndefined();
      if (turn > 30) expect(office.session.checkCall("tool_0")).toContain("not available");
    }
  });

  test("an effort that changes, where the wire has a form for it", async () => {
    const set = effortOn[on.name];
    if (set === undefined) return;
    const office = new Office(on, {});
    office.model = set.model;
    // GPT-6.2 reads the system text behind the conversation: it is no part of what is cached.
    office.opening = harbourText;
    for (let turn = 0; turn < turns; turn++) {
      if (turn % 10 === 5) office.restore();
      office.more = set.effort(turn % 2 === 0 ? "low" : "high");
      const { turn: prepared, request } = await office.step();
      expect(request.refusal, `turn ${turn}`).toBeUndefined();
      expect([prepared.continuity.checkpoints, request.transformations], `turn ${turn}`).toEqual([[], []]);
      expect(prepared.said.map(({ value }) => value)).toEqual(turn === 0 ? [] : [{ effort: turn % 2 === 0 ? "low" : "high" }]);
      const before = office.answered[turn - 1]?.request.cache;
      if (before !== undefined) expect(request.cache?.read, `turn ${turn}`).toBeGreaterThanOrEqual(on.readable(before));
    }
  });
});

const effortOn: Readonly<Record<string, { readonly model: string; effort(level: string): object }>> = {
  Anthropic: { model: "claude-opus-5-5", effort: (effort) => ({ output_config: { effort } }) },
  Responses: { model: "gpt-6.2-sol", effort: (effort) => ({ reasoning: { effort } }) },
};
