import { describe, expect, test } from "vitest";
import { anthropicSpeaker, type Block, call, chatSpeaker, type Message, type Speaker, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { defaultWordings } from "./wordings.ts";

const read = { name: "read", description: "Reads.", input_schema: { type: "object" } };

/** Three exchanges whose replies think; the input of a call has its keys in no sorted order. */
async function talked(speaker: Speaker = anthropicSpeaker, options: TalkOptions = {}): Promise<Talk> {
  const talk = new Talk(options, speaker);
  talk.head = { max_tokens: 1_000, system: "be brief", tools: [read] };
  await talk.ask("one");
  talk.answer([thinking("first"), text("1")]);
  await talk.ask("two");
  talk.answer([thinking("second"), call("c1", "read", { path: "a", all: true })]);
  await talk.results(["c1", "a"]);
  talk.answer([thinking("third"), text("2")]);
  return talk;
}

const keysSorted = (history: readonly Message[]): Message[] =>
  history.map((message) =>
    JSON.parse(
      JSON.stringify(message, (_name, value) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
      ),
    ),
  );

describe("behind a history checkpoint (rule 27)", () => {
  test("bound reasoning is voided from the place on, and stays before it", async () => {
    const talk = await talked();
    await talk.ask("three");
    talk.answer({ text: "3" });
    talk.history[2] = anthropicSpeaker.user("two, edited");
    const turn = await talk.ask("four");
    expect(allOf(turn)).toContain("first");
    expect(allOf(turn)).not.toMatch(/second|third/);
    expect(onlyCheckpoint(turn).voids).toEqual(["$.messages[3].content[0]", "$.messages[5].content[0]"]);
  });

  test("other blocks stay as they were sent, whatever the store did to them since", async () => {
    const talk = await talked();
    const before = sent(await talk.ask("three"));
    talk.answer({ text: "3" });
    talk.history = keysSorted(talk.history);
    talk.history[0] = anthropicSpeaker.user("one, edited");
    const after = sent(await talk.ask("four"));
    const bare = before.map(({ role, content }) => ({
      role,
      content: (content as readonly Block[]).filter(({ type }) => type !== "thinking"),
    }));
    expect(JSON.stringify(after.slice(1, before.length))).toBe(JSON.stringify(bare.slice(1)));
  });

  test("what was voided never comes back, after a restore neither", async () => {
    const talk = await talked();
    talk.history[0] = anthropicSpeaker.user("one, edited");
    for (const words of ["three", "four", "five"]) {
      const turn = await talk.ask(words);
      expect(allOf(turn)).not.toMatch(/first|second|third/);
      talk.answer({ text: `to ${words}` });
      if (words === "four") talk.restore();
    }
  });

  test("a reply made over the edited window keeps its reasoning", async () => {
    const talk = await talked();
    talk.history[0] = anthropicSpeaker.user("one, edited");
    await talk.ask("three");
    talk.answer([thinking("fourth"), text("3")]);
    const turn = await talk.ask("four");
    expect(allOf(turn)).toContain("fourth");
    expect(breaks(turn)).toEqual([]);
  });

  // Left out, it would open the tool loop before it again, and a system message before it would meet the next user turn.
  test("a reply of which nothing is left keeps its place with a fixed placeholder", async () => {
    const talk = await talked();
    await talk.ask("three");
    talk.answer([thinking("thought only")]);
    talk.history[0] = anthropicSpeaker.user("one, edited");
    const turn = await talk.ask("well?");
    expect(sent(turn).at(-2)).toEqual({ role: "assistant", content: [text(defaultWordings.reasoningOnly)] });
    talk.answer({ text: "4" });
    const before = bytes(turn);
    expect(bytes(await talk.ask("five")).slice(0, before.length)).toEqual(before);
  });
});

describe("what a checkpoint voids (rule 27)", () => {
  test.each([
    ["system", { system: "be long" }],
    ["tools", { tools: [{ ...read, description: "Reads a file." }] }],
  ])("%s: everything", async (reason, change) => {
    const talk = await talked();
    await talk.ask("three");
    talk.answer({ text: "3" });
    talk.history.push(anthropicSpeaker.user("four"));
    const turn = await talk.send(change);
    expect(breaks(turn)).toEqual([`${reason} at 0`]);
    expect(allOf(turn)).not.toMatch(/first|second|third/);
    expect(onlyCheckpoint(turn).voids).toHaveLength(3);
  });

  test("ledger: everything, since nobody knows what was sent", async () => {
    const talk = await talked();
    const stranger = new Talk();
    stranger.history = [...talk.history];
    const turn = await stranger.ask("three");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "ledger", at: 0, hint: "no-record" });
    expect(allOf(turn)).not.toMatch(/first|second|third/);
    expect(turn.repairs.reasoningWithheld).toBe(3);
  });

  test("params: nothing", async () => {
    const talk = await talked();
    talk.history.push(anthropicSpeaker.user("three"));
    const turn = await talk.send({ output_config: { effort: "low" } });
    expect(breaks(turn)).toEqual(["params at 0"]);
    expect(allOf(turn)).toMatch(/first.*second.*third/s);
    expect(onlyCheckpoint(turn).voids).toEqual([]);
  });

  test("nothing where the wire does not bind reasoning to its prefix", async () => {
    const talk = await talked({ ...anthropicSpeaker, model: "claude-sonnet-4-6" });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    const turn = await talk.ask("three");
    expect(allOf(turn)).toMatch(/first.*second.*third/s);
    expect(onlyCheckpoint(turn).voids).toEqual([]);
    const chat = new Talk({}, chatSpeaker);
    await chat.ask("one");
    chat.answer({ thinking: "because", calls: [{ id: "c1" }] });
    await chat.results(["c1", "a"]);
    chat.answer({ text: "1" });
    chat.history[0] = chatSpeaker.user("one, edited");
    expect(allOf(await chat.ask("two"))).toContain("because");
  });

  test("a model that may bind counts as one that does", async () => {
    const talk = await talked({ ...anthropicSpeaker, model: "claude-unheard-of" }, { strict: false });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    expect(allOf(await talk.ask("three"))).not.toMatch(/first|second|third/);
  });
});

describe("what comes back behind an edit (rules 12 and 27)", () => {
  test("bears the host's cache marks where they are now", async () => {
    const marked = (message: Message): Message => ({
      ...message,
      content: [{ ...text("one more"), cache_control: { type: "ephemeral" } }],
    });
    const talk = new Talk({ cache: "off" });
    for (const words of ["one", "one more"]) {
      await talk.ask(words);
      talk.answer({ text: `to ${words}` });
    }
    await talk.ask("three");
    talk.answer({ text: "3" });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    talk.history[2] = marked(talk.history[2] as Message);
    const { messages } = (await talk.ask("four")).request;
    expect(messages.flatMap((message, at) => (JSON.stringify(message).includes("cache_control") ? [at] : []))).toEqual([2]);
  });

  test("keeps its call ids, and a new call of the same id is mapped", async () => {
    const talk = await talked({ ...anthropicSpeaker, model: "claude-sonnet-4-6" });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    talk.history.push(anthropicSpeaker.user("once more"), { role: "assistant", content: [call("c1", "read", { path: "b" })] });
    const turn = await talk.results(["c1", "b"]);
    const ids = [...allOf(turn).matchAll(/"type":"tool_use","id":"(\w+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["c1", "c1_2"]);
    expect(allOf(turn)).toContain('"tool_use_id":"c1_2"');
  });
});
