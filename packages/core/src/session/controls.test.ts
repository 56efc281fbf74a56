import { describe, expect, test } from "vitest";
import { type Block, call, chatSpeaker, result, text, thinking } from "../../test/speakers.ts";
import { sent, Talk, type TalkOptions } from "../../test/talk.ts";

const beta = "thinking-binding-controls-2026-08-01";
/** Named from the first request on, since a changed effort may be said in the conversation later. */
const effortBeta = "mid-conversation-output-config-2026-07-01";
const drop = { prefix_mismatch_behavior: "drop_block" };

async function first(options: TalkOptions, head: object = {}): Promise<Talk> {
  const talk = new Talk(options);
  Object.assign(talk.head, head);
  await talk.ask("one");
  return talk;
}

describe("a field that needs a beta header (rule 58)", () => {
  test("is not written where Tidemark writes no header", async () => {
    const { turn } = await first({});
    expect(turn?.request["thinking"]).toBeUndefined();
    expect(turn?.headers).toEqual({});
  });

  test("is written from the first request on, with the header, and stays", async () => {
    const talk = new Talk({ headers: true });
    for (const words of ["one", "two", "three"]) {
      const turn = await talk.ask(words);
      expect(turn.request["thinking"]).toEqual({ type: "adaptive", block_binding: drop });
      expect(turn.headers).toEqual({ "anthropic-beta": `${beta},${effortBeta}` });
      talk.answer({ text: "yes" });
      if (words === "two") talk.restore();
    }
  });

  test("is written with a request that names its own betas, which gets the name in their list and no header", async () => {
    const { turn } = await first({}, { betas: ["files-api-2025-04-14"] });
    expect(turn?.request["betas"]).toEqual(["files-api-2025-04-14", beta, effortBeta]);
    expect(turn?.request["thinking"]).toEqual({ type: "adaptive", block_binding: drop });
    expect(turn?.headers).toEqual({});
  });

  test("says error where the host asks for that", async () => {
    const { turn } = await first({ headers: true, reasoningMismatch: "error" });
    expect(turn?.request["thinking"]).toEqual({ type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } });
  });

  test.each([
    [
      "a host that set it itself",
      { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } } },
      "claude-opus-5-5",
    ],
    ["a model that binds nothing", { thinking: { type: "adaptive" } }, "claude-sonnet-4-6"],
    [
      "a model whose thinking is of another form",
      { thinking: { type: "enabled", budget_tokens: 2_000 }, max_tokens: 4_000 },
      "claude-opus-4-5",
    ],
  ])("is left alone: %s", async (_why, head, model) => {
    const talk = new Talk({ headers: true, strict: false, settingChanges: "checkpoint" });
    Object.assign(talk.head, head);
    const turn = await talk.ask("one", { model });
    expect(turn.request["thinking"]).toEqual(head.thinking);
    expect(turn.headers).toEqual({});
  });

  test("is none of a wire that has no such controls", async () => {
    const talk = new Talk({ headers: true }, chatSpeaker);
    expect((await talk.ask("one")).headers).toEqual({});
  });

  test("is outside what is compared: it makes no checkpoint", async () => {
    const talk = await first({ headers: true });
    talk.answer([thinking("first"), text("1")]);
    expect((await talk.ask("two")).continuity.checkpoints).toEqual([]);
  });
});

describe("the host's cache marks (rules 1 and 54)", () => {
  const ephemeral = { type: "ephemeral" };
  const marked = (block: Block): Block => ({ ...block, cache_control: ephemeral });

  test("go where the host put them this time, and change no other byte", async () => {
    const talk = new Talk();
    talk.history = [{ role: "user", content: [marked(text("one"))] }];
    const before = await talk.send();
    expect(before.request.messages[0]).toEqual({ role: "user", content: [marked(text("one"))] });
    talk.answer({ text: "1" });
    talk.history[0] = { role: "user", content: "one" };
    talk.history.push({ role: "user", content: [marked(text("two"))] });
    const turn = await talk.send();
    expect(turn.request.messages).toEqual([
      { role: "user", content: [text("one")] },
      { role: "assistant", content: [text("1")] },
      { role: "user", content: [marked(text("two"))] },
    ]);
    expect(turn.continuity).toMatchObject({ kept: 1, checkpoints: [] });
  });

  test("on the head and on results go out as well", async () => {
    const talk = new Talk();
    Object.assign(talk.head, {
      system: [marked(text("be brief"))],
      tools: [{ name: "read", input_schema: { type: "object" }, cache_control: ephemeral }],
    });
    await talk.ask("one");
    talk.answer([call("c1")]);
    talk.history.push({ role: "user", content: [marked(result("c1"))] });
    const { request } = await talk.send();
    expect(request["system"]).toEqual([marked(text("be brief"))]);
    expect(request["tools"]).toMatchObject([{ cache_control: ephemeral }]);
    expect(request.messages.at(-1)?.content).toEqual([marked(result("c1"))]);
  });

  test("on what may bear none move to what stands before it, or to the message's last block that may", async () => {
    const talk = new Talk({ strict: false });
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    talk.history[1] = { role: "assistant", content: [marked(thinking("first")), text("1")] };
    const { request } = await talk.ask("two");
    expect(request.messages[1]?.content).toEqual([thinking("first"), marked(text("1"))]);
  });

  test('of earlier requests are not this one\'s where the session owns the history (history: "new")', async () => {
    const talk = new Talk({ history: "new" });
    for (const words of ["one", "two", "three", "four", "five", "six"]) {
      talk.history = [{ role: "user", content: [marked(text(words))] }];
      const turn = await talk.send();
      expect(JSON.stringify(turn.request).split("cache_control")).toHaveLength(2);
      talk.answer({ text: "yes" });
    }
  });

  test("leave none of Tidemark's beside them, which are the provider's to place otherwise", async () => {
    const plain = await first({});
    expect(plain.turn?.request["cache_control"]).toEqual(ephemeral);
    const off = await first({ cache: "off" });
    expect(off.turn?.request["cache_control"]).toBeUndefined();
    const long = await first({ ttl: "1h" });
    expect(long.turn?.request["cache_control"]).toEqual({ ...ephemeral, ttl: "1h" });
    expect(sent(plain.turn)).toEqual(sent(off.turn));
  });
});
