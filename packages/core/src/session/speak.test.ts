import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Speaker, text } from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";

const lines = (clock: string): string => `You help with files.\nBe brief.\nToday is ${clock}.\nNever delete.`;
const appends: TalkOptions = { systemChanges: "append" };

async function begun(options: TalkOptions = appends, speaker: Speaker = anthropicSpeaker): Promise<Talk> {
  const talk = new Talk(options, speaker);
  talk.head = { max_tokens: 1_000, system: lines("Monday") };
  await talk.ask("one");
  talk.answer({ thinking: "first", text: "1" });
  return talk;
}

describe('a changed system text with systemChanges: "append" (rule 25)', () => {
  test("leaves the head frozen, and its changed lines are one system message at the end", async () => {
    const talk = await begun();
    Object.assign(talk.head, { system: lines("Tuesday") });
    const turn = await talk.ask("two");
    expect(turn.request["system"]).toEqual([text(lines("Monday"))]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "system"]);
    expect(JSON.stringify(sent(turn).at(-1))).toContain("Today is Tuesday.");
    expect(breaks(turn)).toEqual([]);
    expect(turn.said).toEqual([{ source: "system", channel: "system", value: lines("Tuesday"), change: true, revision: 1 }]);
    expect(allOf(turn)).toContain("first");
  });

  test("says each change against what was last said, keeps what it said, and says nothing new where nothing is", async () => {
    const talk = await begun();
    let before: readonly string[] = [];
    for (const clock of ["Tuesday", "Tuesday", "Wednesday"]) {
      Object.assign(talk.head, { system: lines(clock) });
      const turn = await talk.ask(`on ${clock}`);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      before = bytes(turn);
      talk.answer({ text: "yes" });
    }
    expect(sent(talk.turn).filter(({ role }) => role === "system")).toHaveLength(2);
    expect(JSON.stringify(sent(talk.turn).at(-1))).toMatch(/Tuesday.*Wednesday/);
    expect(talk.turn?.said).toMatchObject([{ revision: 2 }]);
  });

  test("set and set back between two requests says nothing; set back later is said (rule 16)", async () => {
    const talk = await begun();
    Object.assign(talk.head, { system: lines("Tuesday") });
    Object.assign(talk.head, { system: lines("Monday") });
    expect((await talk.ask("two")).said).toEqual([]);
    talk.answer({ text: "2" });
    Object.assign(talk.head, { system: lines("Tuesday") });
    await talk.ask("three");
    talk.answer({ text: "3" });
    Object.assign(talk.head, { system: lines("Monday") });
    expect((await talk.ask("four")).said).toMatchObject([{ value: lines("Monday"), revision: 2 }]);
  });

  test("is said again when a checkpoint took it away (rule 16)", async () => {
    const talk = await begun();
    Object.assign(talk.head, { system: lines("Tuesday") });
    await talk.ask("two");
    talk.answer({ text: "2" });
    talk.history = talk.history.slice(0, 1);
    talk.history[0] = anthropicSpeaker.user("another");
    const turn = await talk.send();
    expect(turn.said).toMatchObject([{ value: lines("Tuesday"), revision: 1 }]);
  });

  test("is said whole when a checkpoint took away what its last change builds on", async () => {
    const talk = await begun();
    for (const [clock, tone] of [
      ["Tuesday", "Be brief."],
      ["Tuesday", "Be long."],
    ] as const) {
      Object.assign(talk.head, { system: lines(clock).replace("Be brief.", tone) });
      await talk.ask(clock);
      talk.history = [...sent(talk.turn)];
      talk.answer({ text: tone });
    }
    talk.history = talk.history.slice(5);
    const turn = await talk.ask("and now?");
    expect(allOf(turn)).not.toContain("Today is Monday. Today is Tuesday.");
    expect(turn.said).toMatchObject([{ revision: 3 }]);
    expect(JSON.stringify(sent(turn).at(-1))).toMatch(/Be long.*Today is Tuesday/);
    talk.answer({ text: "now" });
    expect((await talk.ask("bye")).said).toEqual([]);
  });

  test("replaces the head where the model takes no positional system message", async () => {
    const talk = await begun(appends, { ...anthropicSpeaker, model: "claude-sonnet-4-6" });
    Object.assign(talk.head, { system: lines("Tuesday") });
    const turn = await talk.ask("two");
    expect(breaks(turn)).toEqual(["system at 0"]);
    expect(turn.request["system"]).toEqual([text(lines("Tuesday"))]);
  });

  test("replaces the head where it is more than text", async () => {
    const talk = await begun({ ...appends, strict: false });
    Object.assign(talk.head, { system: [text(lines("Tuesday")), { type: "hologram" }] });
    expect(breaks(await talk.ask("two"))).toEqual(["system at 0"]);
  });

  test("is a developer's or system's message where the wire has those in line", async () => {
    const speaker = { ...chatSpeaker, model: "mistral-large" };
    const talk = new Talk(appends, { ...speaker, wire: openaiChat({ dialect: "mistral" }) as never });
    const system = (words: string): { role: string; content: string } => ({ role: "system", content: words });
    talk.history = [system(lines("Monday"))];
    await talk.ask("one");
    talk.answer({ text: "1" });
    talk.history[0] = system(lines("Tuesday"));
    const turn = await talk.ask("two");
    expect(breaks(turn)).toEqual([]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "system"]);
  });

  // Soak seed 80001411: a trimmed history began with a positional system message.
  test("leaves places in the request those of the head that is sent, whatever leads the host's own messages (rule 26)", async () => {
    const talk = new Talk(appends, { ...chatSpeaker, model: "mistral-large", wire: openaiChat({ dialect: "mistral" }) as never });
    const system = (words: string): { role: string; content: string } => ({ role: "system", content: words });
    talk.history = [system(lines("Monday"))];
    await talk.ask("one");
    talk.answer({ text: "1" });
    talk.history.splice(1, 1, system("the build is red"), chatSpeaker.user("one, edited"));
    const turn = await talk.ask("two");
    expect(sent(turn).map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "system"]);
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 1, path: "$.messages[1].content" });
  });
});

describe("without it, a changed system text (rule 25)", () => {
  test("is a system checkpoint, and explain() names the option once it keeps changing", async () => {
    const talk = await begun({});
    for (const clock of ["Tuesday", "Wednesday", "Thursday"]) {
      Object.assign(talk.head, { system: lines(clock) });
      expect(onlyCheckpoint(await talk.ask(clock)).reason).toBe("system");
      talk.answer({ text: "yes" });
    }
    expect(talk.session.explain().advice).toContain('systemChanges: "append"');
  });
});

describe("an event (rules 18 and 19)", () => {
  async function changed(talk: Talk, clock: string): Promise<void> {
    Object.assign(talk.head, { system: lines(clock) });
    await talk.send();
  }

  test("waits until the calls have their results, and stands behind them", async () => {
    const talk = await begun();
    await talk.ask("two");
    talk.answer([call("c1")]);
    Object.assign(talk.head, { system: lines("Tuesday") });
    const turn = await talk.results(["c1", "a"]);
    expect(
      sent(turn)
        .map(({ role }) => role)
        .slice(-3),
    ).toEqual(["assistant", "user", "system"]);
    expect(breaks(turn)).toEqual([]);
  });

  test("stands before the system messages that the host ends its history with", async () => {
    const talk = await begun();
    talk.history.push(anthropicSpeaker.user("two"), { role: "system", content: "the build is red" });
    await changed(talk, "Tuesday");
    expect(
      sent(talk.turn)
        .slice(-2)
        .map((message) => JSON.stringify(message)),
    ).toEqual([expect.stringContaining("Tuesday"), expect.stringContaining("the build is red")]);
  });

  test("that is not answered has no place: a retry says it anew, as it is by then", async () => {
    const talk = await begun();
    talk.history.push(anthropicSpeaker.user("two"));
    await changed(talk, "Tuesday");
    await changed(talk, "Wednesday");
    expect(allOf(talk.turn)).not.toContain("Tuesday");
    expect(breaks(talk.turn as never)).toEqual([]);
    await changed(talk, "Monday");
    expect(sent(talk.turn).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("moves behind what the user adds before a reply comes", async () => {
    const talk = await begun();
    talk.history.push(anthropicSpeaker.user("two"));
    await changed(talk, "Tuesday");
    const turn = await talk.ask("and three");
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "user", "system"]);
    expect(breaks(turn)).toEqual([]);
  });

  test("keeps the place that the window gave it once its reply is in the history, also behind a restore", async () => {
    for (const restores of [false, true]) {
      const talk = await begun();
      talk.history.push(anthropicSpeaker.user("two"));
      await changed(talk, "Tuesday");
      const before = bytes(talk.turn);
      talk.answer({ thinking: "second", text: "2" });
      if (restores) talk.restore();
      const turn = await talk.ask("three");
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
      expect(turn.said).toEqual([]);
      expect(allOf(turn)).toContain("second");
    }
  });

  test("that the host stores with the window becomes the host's own message and is not said again", async () => {
    const talk = await begun();
    talk.history.push(anthropicSpeaker.user("two"));
    await changed(talk, "Tuesday");
    const before = bytes(talk.turn);
    talk.history = [...sent(talk.turn)];
    talk.answer({ text: "2" });
    const turn = await talk.ask("three");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(turn.said).toEqual([]);
    expect(breaks(turn)).toEqual([]);
  });
});
