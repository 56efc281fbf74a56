import { describe, expect, test } from "vitest";
import { plainSchema } from "../../test/plain-schema.ts";
import { anthropicSpeaker, chatSpeaker, type Speaker, speakers } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { joinNeighbours } from "../adapters/bedrock/join.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { announcement } from "../sources/announcement.ts";
import { clock } from "../sources/clock.ts";
import { guardrail } from "../sources/guardrail.ts";
import { handoff } from "../sources/handoff.ts";
import { retrieval } from "../sources/retrieval.ts";
import { skill } from "../sources/skill.ts";
import { state } from "../sources/state.ts";

type Task = { readonly step: string; readonly open?: readonly string[] };

const task = state<Task>("task", { schema: plainSchema((value) => typeof (value as Task).step === "string", "a step is needed") });
const news = announcement("news");

/** What is said of a source in the last request, as the wire has it. */
function saidText(talk: Talk): string {
  return allOf(talk.turn).replaceAll('\\"', '"').replaceAll("\\n", "\n");
}

/** Asks and answers, and sees that what was sent is repeated. */
async function step(talk: Talk, words: string): Promise<readonly string[]> {
  const before = bytes(talk.turn);
  const turn = await talk.ask(words);
  expect(bytes(turn).slice(0, before.length)).toEqual(before);
  expect(breaks(turn)).toEqual([]);
  talk.answer({ text: `answer to ${words}` });
  return turn.said.map(({ source, revision }) => `${source} ${revision}`);
}

describe.each(speakers)("a state on $name (rule 16)", (speaker) => {
  const begun = (options: TalkOptions = {}): Talk => new Talk({ sources: [task, news], ...options }, speaker);

  test("is said at the end when it is set, and not again while it stands", async () => {
    const talk = begun();
    expect(await step(talk, "one")).toEqual([]);
    talk.session.set(task, { step: "read" });
    expect(await step(talk, "two")).toEqual(["task 1"]);
    expect(saidText(talk)).toContain('<state id="task" rev="1">\n{\n"step": "read"\n}\n</state>');
    expect(await step(talk, "three")).toEqual([]);
  });

  test("is the next revision when it changed, which says the members that changed where that is shorter", async () => {
    const talk = begun();
    const open = Array.from({ length: 20 }, (_, index) => `point ${index}`);
    talk.session.set(task, { step: "read", open });
    await step(talk, "one");
    talk.session.set(task, { step: "write", open });
    expect(await step(talk, "two")).toEqual(["task 2"]);
    expect(saidText(talk)).toContain('<state id="task" rev="2" changes="1">\n{"set": {\n"step": "write"\n}}\n</state>');
    expect(talk.turn?.said).toMatchObject([{ source: "task", channel: "user", change: true }]);
    talk.session.set(task, { step: "write" });
    await step(talk, "three");
    expect(saidText(talk)).toContain('<state id="task" rev="3">\n{\n"step": "write"\n}\n</state>');
  });

  test("set several times between two requests is said once, in its last form; set and set back says nothing", async () => {
    const talk = begun();
    talk.session.set(task, { step: "a" });
    talk.session.set(task, { step: "b" });
    expect(await step(talk, "one")).toEqual(["task 1"]);
    expect(saidText(talk)).not.toContain('"a"');
    talk.session.set(task, { step: "c" });
    talk.session.set(task, { step: "b" });
    expect(await step(talk, "two")).toEqual([]);
  });

  test("that is withdrawn leaves a tombstone, once; set again it goes on with the revisions", async () => {
    const talk = begun();
    talk.session.clear(task);
    expect(await step(talk, "one")).toEqual([]);
    talk.session.set(task, { step: "a" });
    await step(talk, "two");
    talk.session.clear(task);
    expect(await step(talk, "three")).toEqual(["task 2"]);
    expect(saidText(talk)).toContain('<state id="task" rev="2" withdrawn="true">\nThis no longer holds.\n</state>');
    expect(await step(talk, "four")).toEqual([]);
    talk.session.set(task, { step: "a" });
    expect(await step(talk, "five")).toEqual(["task 3"]);
  });

  test("that a checkpoint dropped is said again, whole", async () => {
    const talk = begun();
    await step(talk, "one");
    talk.session.set(task, { step: "a", open: Array.from({ length: 9 }, (_, at) => `point ${at}`) });
    await step(talk, "two");
    talk.session.set(task, { step: "b", open: Array.from({ length: 9 }, (_, at) => `point ${at}`) });
    await step(talk, "three");
    talk.history = [talk.history[0] as never, talk.history[1] as never, speaker.user("elsewhere")];
    const turn = await talk.send();
    expect(turn.said).toMatchObject([{ source: "task", revision: 1 }]);
    expect(turn.said[0]).not.toHaveProperty("change");
  });

  test("says the whole where the change before stands and what it changes does not", async () => {
    const talk = begun();
    const open = Array.from({ length: 20 }, (_, index) => `point ${index}`);
    talk.session.set(task, { step: "a", open });
    await step(talk, "one");
    talk.session.set(task, { step: "b", open });
    await step(talk, "two");
    // The host trims its history: the change of revision 2 stays behind the first kept turn, what it changes goes.
    talk.history = talk.history.slice(2);
    const turn = await talk.ask("three");
    const said = turn.said.find(({ source }) => source === "task");
    expect(said === undefined || said.change === undefined).toBe(true);
    expect(saidText(talk)).toContain('"point 19"');
  });

  test("is not said while the history ends in a reply's calls, and behind their results it is", async () => {
    const talk = begun();
    await talk.ask("one");
    talk.answer({ calls: [{ id: "c1" }] });
    talk.session.set(task, { step: "a" });
    const turn = await talk.results(["c1", "text"]);
    expect(turn.said).toHaveLength(1);
    expect(breaks(turn)).toEqual([]);
  });

  test("that its schema refuses changes nothing and names the place", async () => {
    const talk = begun();
    talk.session.set(task, { step: "a" });
    expect(() => talk.session.set(task, {} as Task)).toThrow(/"task" is refused at \$\.step: a step is needed/);
    expect(() => talk.session.set(state("other", { schema: plainSchema() }), 1)).toThrow(/no source "other"/);
    expect(await step(talk, "one")).toEqual(["task 1"]);
  });

  test("survives a restore at every point, with the same bytes (rule 48)", async () => {
    const plays = async (restores: boolean): Promise<readonly (readonly string[])[]> => {
      const talk = begun();
      const windows: (readonly string[])[] = [];
      const settings: (Task | undefined)[] = [{ step: "a" }, { step: "b" }, undefined, { step: "a" }];
      for (const [index, value] of settings.entries()) {
        if (value === undefined) talk.session.clear(task);
        else talk.session.set(task, value);
        if (restores) talk.restore();
        const turn = await talk.ask(`turn ${index}`);
        windows.push(bytes(turn));
        if (restores) {
          const snapshot = JSON.parse(JSON.stringify(talk.session.snapshot())) as unknown;
          talk.answer({ text: "yes" });
          expect(JSON.stringify(talk.session.snapshot())).not.toBe(JSON.stringify(snapshot));
          talk.restore();
        } else talk.answer({ text: "yes" });
      }
      return windows;
    };
    expect(await plays(true)).toEqual(await plays(false));
  });
});

describe("the order of one request (rule 17)", () => {
  test.each(speakers)("is one message of the user's channel and then one of the system's on $name", async (speaker) => {
    const sources = [
      guardrail("form", { channel: "system" }),
      news,
      retrieval("found"),
      announcement("urgent", { channel: "system" }),
      task,
      skill({ channel: "user" }),
    ] as const;
    const talk = new Talk({ sources: [...sources] }, speaker);
    talk.session.set(sources[0], { text: "Answer in verse." });
    talk.session.set(sources[1], "The build is green.");
    talk.session.set(sources[2], [{ id: "a", text: "A fact." }]);
    talk.session.set(sources[3], "Stop at noon.");
    talk.session.set(sources[4], { step: "one" });
    talk.session.set(sources[5], { name: "poet", instructions: "Be a poet." });
    const turn = await talk.ask("go");
    expect(turn.said.map(({ source }) => source)).toEqual(["skill", "task", "found", "news", "urgent", "form"]);
    const events = sent(turn).slice(1);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events[0])).toMatch(/<skill.*<state.*<retrieval.*<announcement/);
    expect(JSON.stringify(events[1])).toMatch(/Stop at noon.*Answer in verse/);
  });

  test("joins events with the user's message where the wire refuses neighbours of one role, and they stay joined", async () => {
    const wire = anthropicSpeaker.wire;
    const speaker: Speaker = { ...anthropicSpeaker, wire: { ...wire, join: joinNeighbours } };
    const talk = new Talk({ sources: [task] }, speaker);
    talk.session.set(task, { step: "a" });
    expect(sent(await talk.ask("one"))).toHaveLength(1);
    expect(talk.turn?.said).toMatchObject([{ source: "task", revision: 1 }]);
    talk.answer({ text: "1" });
    expect(await step(talk, "two")).toEqual([]);
    talk.restore();
    talk.session.set(task, { step: "b" });
    const turn = await talk.ask("three");
    expect(breaks(turn)).toEqual([]);
    expect(turn.said).toMatchObject([{ revision: 2 }]);
  });

  test("waits for the next user turn where user text may not stand behind results", async () => {
    const speaker: Speaker = {
      ...chatSpeaker,
      model: "mistral-large",
      wire: openaiChat({ dialect: "mistral" }) as unknown as Speaker["wire"],
    };
    const talk = new Talk({ sources: [task] }, speaker);
    await talk.ask("one");
    talk.answer({ calls: [{ id: "abcdefghi" }] });
    talk.session.set(task, { step: "a" });
    expect((await talk.results(["abcdefghi", "text"])).said).toEqual([]);
    talk.answer({ text: "done" });
    expect((await talk.ask("two")).said).toHaveLength(1);
  });
});

describe("channels by profile (rules 20 and 24)", () => {
  const reminder = state<Task>("reminder", { schema: plainSchema(), channel: "turn" });
  const note = announcement("note", { channel: "system" });

  test("the system's is a positional system message where the model takes one, else the user says it and it keeps its channel", async () => {
    for (const [model, role] of [
      ["claude-opus-5-5", "system"],
      ["claude-sonnet-4-6", "user"],
    ] as const) {
      const talk = new Talk({ sources: [note] }, { ...anthropicSpeaker, model });
      talk.session.set(note, "Stop at noon.");
      const turn = await talk.ask("one");
      expect(sent(turn).at(-1)).toMatchObject({ role });
      expect(saidText(talk).includes("<system>")).toBe(role === "user");
      expect(turn.said).toMatchObject([role === "user" ? { channel: "system", as: "user" } : { channel: "system" }]);
      talk.answer({ text: "1" });
      expect(await step(talk, "two")).toEqual([]);
    }
  });

  test("a turn-scoped reminder is said again in each request, is the same revision while it is the same, and just stops", async () => {
    const talk = new Talk({ sources: [reminder], headers: true });
    talk.session.set(reminder, { step: "a" });
    for (const words of ["one", "two", "three"]) expect(await step(talk, words)).toEqual(["reminder 1"]);
    expect(talk.turn?.headers["anthropic-beta"]).toBe(
      "thinking-binding-controls-2026-08-01,mid-conversation-system-clear-at-2026-08-21,mid-conversation-output-config-2026-07-01",
    );
    expect(sent(talk.turn).filter((message) => message["clear_at"] === "next_user_message")).toHaveLength(3);
    talk.session.set(reminder, { step: "b" });
    expect(await step(talk, "four")).toEqual(["reminder 2"]);
    talk.session.clear(reminder);
    expect(await step(talk, "five")).toEqual([]);
    expect(saidText(talk)).not.toContain("withdrawn");
  });

  test("without the beta header a turn-scoped reminder falls back to the system's channel, and rule 16 holds for it", async () => {
    const talk = new Talk({ sources: [reminder] });
    talk.session.set(reminder, { step: "a" });
    expect(await step(talk, "one")).toEqual(["reminder 1"]);
    expect(talk.turn?.said).toMatchObject([{ channel: "turn", as: "system" }]);
    expect(await step(talk, "two")).toEqual([]);
    talk.session.clear(reminder);
    expect(await step(talk, "three")).toEqual(["reminder 2"]);
  });
});

describe("the other sources", () => {
  test("a clock is said once, and again only when its day changes", async () => {
    let now = Date.UTC(2026, 10, 30, 9);
    const talk = new Talk({ sources: [clock()], now: () => now });
    expect(await step(talk, "one")).toEqual(["clock 1"]);
    expect(saidText(talk)).toContain('<clock zone="UTC">\nMonday 2026-11-30\n</clock>');
    now += 3_600_000;
    expect(await step(talk, "two")).toEqual([]);
    now += 24 * 3_600_000;
    expect(await step(talk, "three")).toEqual(["clock 2"]);
    talk.session.clear(clock());
    now += 24 * 3_600_000;
    expect(await step(talk, "four")).toEqual([]);
    expect(() => talk.session.set(clock(), undefined as never)).toThrow(/cannot be set/);
  });

  test("a skill switched says that it replaces, and leaves a tombstone when none is active (rule 22)", async () => {
    const mode = skill();
    const talk = new Talk({ sources: [mode] });
    talk.session.set(mode, { name: "plan", instructions: "Only plan.", allowedTools: ["Read", "Grep"] });
    await step(talk, "one");
    expect(sent(talk.turn).at(-1)?.role).toBe("system");
    expect(saidText(talk)).toContain('<skill name="plan" rev="1" tools="Read, Grep">\nOnly plan.\n</skill>');
    talk.session.set(mode, { name: "build", instructions: "Now build." });
    await step(talk, "two");
    expect(saidText(talk)).toContain('<skill name="build" rev="2" replaces="plan">');
    talk.session.clear(mode);
    await step(talk, "three");
    expect(saidText(talk)).toContain('<skill name="build" rev="3" withdrawn="true">\nThis skill is no longer active');
  });

  test("retrieved documents whose words stand in the window are only named again", async () => {
    const found = retrieval("found");
    const talk = new Talk({ sources: [found] });
    talk.session.set(found, [
      { id: "a", text: "Long words of a." },
      { id: "b", text: "Words of b.", title: "B" },
    ]);
    await step(talk, "one");
    talk.session.set(found, [
      { id: "c", text: "Words of c." },
      { id: "a", text: "Long words of a." },
    ]);
    expect(await step(talk, "two")).toEqual(["found 2"]);
    expect(saidText(talk).split("Long words of a.")).toHaveLength(2);
    expect(saidText(talk)).toContain('<document id="a" unchanged="true"/>');
    expect(await step(talk, "three")).toEqual([]);
    talk.session.set(found, [{ id: "a", text: "Other words of a." }]);
    await step(talk, "four");
    expect(saidText(talk)).toContain('<document id="a">\nOther words of a.\n</document>');
  });

  test("a guardrail said again says that it replaces; cleared, or moved into the system text, it says so (rule 23)", async () => {
    const form = guardrail("form");
    const talk = new Talk({ sources: [form] });
    talk.session.set(form, { text: "Answer in verse." });
    await step(talk, "one");
    talk.session.set(form, { text: "Answer in prose." });
    await step(talk, "two");
    expect(saidText(talk)).toContain("These instructions replace the earlier ones of this name:\nAnswer in prose.");
    talk.session.clear(form);
    await step(talk, "three");
    expect(saidText(talk)).toContain("The earlier instructions of this name no longer hold.");
    talk.session.set(form, { text: "Answer in verse." });
    await step(talk, "four");
    talk.session.set(form, { text: "Answer in verse.", place: "system" });
    const turn = await talk.ask("five");
    expect(breaks(turn)).toEqual(["system at 0"]);
    expect(JSON.stringify(turn.request["system"])).toContain("Answer in verse.");
    expect(saidText(talk)).toContain("now part of the system instructions");
  });

  test.each(speakers)("a guardrail in the system text from the start is part of the head on $name (rule 23)", async (speaker) => {
    const form = guardrail("form");
    const talk = new Talk({ sources: [form] }, speaker);
    talk.session.set(form, { text: "Answer in verse.", place: "system" });
    expect(await step(talk, "one")).toEqual([]);
    expect(JSON.stringify(talk.turn?.request)).toContain("Answer in verse.");
    expect(await step(talk, "two")).toEqual([]);
    talk.history = [speaker.user("another"), ...talk.history.slice(1)];
    const [checkpoint] = (await talk.ask("three")).continuity.checkpoints;
    expect(checkpoint?.path).toMatch(speaker === anthropicSpeaker ? /^\$\.messages\[0\]/ : /^\$\.messages\[1\]/);
  });

  test("a guardrail for the system text is said as an event where the wire has no place for it (rule 23)", async () => {
    const { systemPart: _none, ...wire } = anthropicSpeaker.wire;
    const form = guardrail("form");
    const talk = new Talk({ sources: [form] }, { ...anthropicSpeaker, wire });
    talk.session.set(form, { text: "Answer in verse.", place: "system" });
    expect(await step(talk, "one")).toEqual(["form 1"]);
    expect(saidText(talk)).toContain("Answer in verse.");
  });

  test("a prefill is native where the model takes one, an instruction where not, and kept where it is asked for natively (rule 23)", async () => {
    const form = guardrail("form");
    const json = { text: "Answer in JSON.", prefill: "{" } as const;
    const old = new Talk({ sources: [form] }, { ...anthropicSpeaker, model: "claude-haiku-4-5" });
    old.session.set(form, json);
    expect(sent(await old.ask("one")).at(-1)).toEqual({ role: "assistant", content: [{ type: "text", text: "{" }] });
    old.answer({ text: "{}" });
    const fresh = new Talk({ sources: [form] });
    fresh.session.set(form, json);
    expect(await step(fresh, "one")).toEqual(["form 1"]);
    expect(saidText(fresh)).toContain("Begin your reply with exactly this text:\n{");
    fresh.session.set(form, { ...json, prefillAs: "native" });
    await expect(fresh.ask("two")).rejects.toThrow(/AN-/);
  });

  test("a handoff is one notice a window when room is short", async () => {
    const talk = new Talk({ sources: [handoff({ from: 0.0005 })] });
    expect(await step(talk, "one")).toEqual([]);
    expect(await step(talk, "long words ".repeat(400))).toEqual(["handoff 1"]);
    expect(await step(talk, "three")).toEqual([]);
    talk.restore();
    expect(await step(talk, "four")).toEqual([]);
    // A window that lost the notice has its own.
    talk.history[0] = anthropicSpeaker.user("another one");
    expect((await talk.ask("five")).said).toMatchObject([{ source: "handoff", revision: 1 }]);
    talk.answer({ text: "yes" });
    expect(await step(talk, "six")).toEqual([]);
  });
});

describe("events to the host", () => {
  test("`source:said` and `result:capped` tell frozen data; a listener that throws fails no request and is reported", async () => {
    const talk = new Talk({ sources: [task], toolResultCap: 64 });
    const heard: unknown[] = [];
    const errors: unknown[] = [];
    talk.session.on("source:said", (said) => {
      heard.push(said);
      (said as { revision: number }).revision = 9;
    });
    talk.session.on("result:capped", (capped) => {
      heard.push(capped);
      throw new Error("no");
    });
    talk.session.on("listener-error", ({ event }) => errors.push(event));
    talk.session.set(task, { step: "a" });
    await talk.ask("one");
    talk.answer({ calls: [{ id: "c1" }] });
    await talk.results(["c1", "line\n".repeat(500)]);
    expect(heard).toMatchObject([
      { source: "task", revision: 1 },
      { id: "c1", cap: 64 },
    ]);
    expect(errors).toEqual(["source:said", "result:capped"]);
    expect(heard.every(Object.isFrozen)).toBe(true);
  });

  test("a source id stands once in a session", () => {
    expect(() => new Talk({ sources: [task, task] })).toThrow(/\$\.sources\[1\]\.id: the id "task" is taken/);
  });

  test("redaction runs over what is set, so that words, snapshot and events agree (rule 57)", async () => {
    const talk = new Talk({ sources: [news], redact: (text) => text.replaceAll("secret", "***") });
    talk.session.set(news, "The secret is out.");
    const turn = await talk.ask("one");
    expect(JSON.stringify([turn.request, turn.said, talk.session.snapshot()])).not.toContain("secret is");
  });
});
