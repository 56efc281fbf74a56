import { describe, expect, test } from "vitest";
import {
  anthropicSpeaker,
  type Block,
  type Body,
  call,
  chatSpeaker,
  type Message,
  result,
  type Speaker,
  text,
  thinking,
} from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { bedrock } from "../adapters/bedrock/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { createSession } from "../session/create-session.ts";
import type { Wire } from "../wire/wire.ts";

const user = (...content: readonly object[]): { role: string; content: readonly object[] } => ({ role: "user", content });

/** The reply as the request behind it sends it. */
async function repliedAs(reply: readonly Block[], options: ConstructorParameters<typeof Talk>[0] = {}): Promise<unknown> {
  const talk = new Talk(options);
  await talk.ask("go on");
  talk.answer(reply);
  const calls = reply.filter(({ type }) => type === "tool_use").map(({ id }) => result(String(id)));
  talk.history.push(calls.length > 0 ? user(...calls) : user(text("next")));
  return sent(await talk.send())[1]?.content;
}

describe("reasoning (rule 15)", () => {
  test("is kept exactly as the reply gave it: order, interleaving, empty text and all", async () => {
    const reply = [thinking("first"), text("I look."), thinking("", "c2lnbmVk"), call("c1"), thinking("between"), call("c2")];
    expect(await repliedAs(reply)).toEqual(reply);
  });

  test("that is hidden goes back as it came", async () => {
    const reply = [{ type: "redacted_thinking", data: "aGlkZGVu" }, text("yes")];
    expect(await repliedAs(reply)).toEqual(reply);
  });

  test("without a signature is never sent to a wire that reads only signed", async () => {
    expect(await repliedAs([{ type: "thinking", thinking: "loose" }, text("yes")])).toEqual([text("yes")]);
    expect(await repliedAs([{ type: "thinking", thinking: "loose", signature: "" }, text("yes")])).toEqual([text("yes")]);
  });

  test("stays away where the host chose so", async () => {
    expect(await repliedAs([thinking("first"), text("yes")], { reasoning: "omit" })).toEqual([text("yes")]);
  });

  test("that the host's store lost comes back from the settled reply, and is counted as a repair", async () => {
    const talk = new Talk();
    await talk.ask("go on");
    talk.answer([thinking("first"), text("yes")]);
    talk.history[1] = { role: "assistant", content: [text("yes")] };
    const turn = await talk.ask("next");
    expect(sent(turn)[1]?.content).toEqual([thinking("first"), text("yes")]);
    expect(turn.repairs).toMatchObject({ equivalent: 1, reasoningWithheld: 0 });
    expect(breaks(turn)).toEqual([]);
  });

  test.each([
    ["deepseek", { reasoning_content: "because" }],
    ["vllm", { reasoning: "because" }],
    ["groq", {}],
  ] as const)("that is plain goes out in the dialect's own field, whichever field it came in (%s)", async (dialect, field) => {
    const speaker: Speaker = { ...chatSpeaker, wire: openaiChat({ dialect }) as unknown as Wire<Body> };
    for (const came of ["reasoning_content", "reasoning"]) {
      const talk = new Talk({}, speaker);
      await talk.ask("go on");
      talk.history.push({ role: "assistant", content: "yes", [came]: "because" });
      const { role: _role, content: _content, ...others } = sent(await talk.ask("next"))[1] as Message;
      expect(others, came).toEqual(field);
    }
  });

  // Soak seeds 8000145 and 8100164.
  test("alone, for which the dialect has no form, leaves its placeholder; a host that stores what was sent goes on from it (rules 5 and 27)", async () => {
    const talk = new Talk({}, { ...chatSpeaker, wire: openaiChat({ dialect: "groq" }) as unknown as Wire<Body> });
    await talk.ask("one");
    talk.history.push({ role: "assistant", content: null, reasoning: "hm" });
    const first = sent(await talk.ask("two"));
    expect(first[1]).toEqual({ role: "assistant", content: "(this reply was reasoning only)" });
    talk.history = [...first, { role: "assistant", content: "2" }];
    const turn = await talk.ask("three");
    expect(sent(turn).slice(0, 3)).toEqual(first);
    expect(breaks(turn)).toEqual([]);
  });
});

describe("a bare prefill (rules 2 and 18)", () => {
  const prefilled = { ...anthropicSpeaker, model: "claude-sonnet-4-5" };

  test("is sent and never admitted: the reply that goes on from it is no break", async () => {
    const talk = new Talk({}, prefilled);
    talk.history = [prefilled.user("answer in JSON"), { role: "assistant", content: "{" }];
    expect(sent(await talk.send()).at(-1)).toEqual({ role: "assistant", content: [text("{")] });
    talk.history[1] = { role: "assistant", content: '{"a":1}' };
    const turn = await talk.ask("and again");
    expect(sent(turn)[1]).toEqual({ role: "assistant", content: [text('{"a":1}')] });
    expect(breaks(turn)).toEqual([]);
  });

  test("stands before messages that bear nothing, and behind the replies of its row", async () => {
    const talk = new Talk({}, prefilled);
    const empty = { role: "assistant", content: [] };
    talk.history = [prefilled.user("answer in JSON"), { role: "assistant", content: [call("c1")] }, user(result("c1")), ...[empty, empty]];
    talk.history.splice(3, 0, { role: "assistant", content: "{" });
    expect(sent(await talk.send()).at(-1)).toEqual({ role: "assistant", content: [text("{")] });
    expect(talk.turn?.continuity.appended).toBe(3);
    talk.history = [prefilled.user("answer in JSON"), empty, empty];
    expect(sent(await talk.send())).toEqual([user(text("answer in JSON"))]);
  });

  test("that is taken back or worded otherwise is no break", async () => {
    const talk = new Talk({}, prefilled);
    const asked = prefilled.user("answer in JSON");
    for (const words of ["{", "[", undefined]) {
      talk.history = words === undefined ? [asked] : [asked, { role: "assistant", content: words }];
      expect(breaks(await talk.send()), String(words)).toEqual([]);
    }
  });
});

describe("a reply (rule 2)", () => {
  test("that is empty is not sent, and answers nothing: what stands before it may still be corrected", async () => {
    const talk = new Talk();
    await talk.ask("hello");
    talk.answer([]);
    talk.history = [anthropicSpeaker.user("hello there"), { role: "assistant", content: [] }, anthropicSpeaker.user("anyone?")];
    const turn = await talk.send();
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "user"]);
    expect(breaks(turn)).toEqual([]);
  });

  test("behind which the host has nothing but reasoning goes out alone: that keeps no place of its own", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer({ text: "1" });
    talk.history.push({ role: "assistant", content: [thinking("more")] });
    expect(sent(await talk.ask("two")).map(({ content }) => content)).toEqual([[text("one")], [text("1")], [text("two")]]);
  });

  test("stands in as many messages as the host cuts it into, and is the same", async () => {
    const talk = new Talk();
    await talk.ask("go on");
    talk.answer([thinking("first"), text("yes"), call("c1")]);
    talk.history.splice(1, 1, ...[thinking("first"), text("yes"), call("c1")].map((block) => ({ role: "assistant", content: [block] })));
    const before = bytes(await talk.results(["c1", "a"]));
    expect(before[1]).toBe(JSON.stringify({ role: "assistant", content: [thinking("first"), text("yes"), call("c1")] }));
    talk.answer({ text: "done" });
    expect(bytes(await talk.ask("next")).slice(0, before.length)).toEqual(before);
  });
});

// Soak seeds 500125 and 500208.
describe("where neighbours of one role are refused (rule 53)", () => {
  const user = (words: string) => ({ role: "user", content: [{ text: words }] });
  const reply = (...content: readonly object[]) => ({ role: "assistant", content });
  const request = (...messages: readonly object[]) => ({ modelId: "us.anthropic.claude-opus-5-5", messages });
  const thought = { reasoningContent: { reasoningText: { text: "hm", signature: "c2lnbmVk" } } };

  test("a reply that the host cut into messages goes out as one, whoever vouches for it", async () => {
    const session = createSession({ wire: bedrock(), cache: "off" });
    await session.prepare(request(user("one")));
    const onTrust = await session.prepare(request(user("one"), reply(thought), reply({ text: "1" }), user("two")));
    expect(onTrust.request.messages).toEqual([user("one"), reply(thought, { text: "1" }), user("two")]);
    session.restart();
    const anew = await session.prepare(
      request(user("one"), reply(thought), reply({ text: "1" }), user("two"), reply({ text: "2" }), user("three")),
    );
    expect((anew.request.messages as readonly Message[]).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
  });

  test("what the host puts behind a reply goes out with it", async () => {
    const session = createSession({ wire: bedrock(), cache: "off" });
    const turn = await session.prepare(request(user("one")));
    turn.settle({ output: { message: reply(thought, { text: "1" }) }, stopReason: "end_turn", usage: { inputTokens: 1, outputTokens: 1 } });
    const next = await session.prepare(request(user("one"), reply(thought, { text: "1" }), reply({ text: "and more" }), user("two")));
    expect(next.request.messages[1]).toEqual(reply(thought, { text: "1" }, { text: "and more" }));
    expect(next.repairs.reasoningWithheld).toBe(0);
  });
});

describe("what a wire does not know (rules 4 and 55)", () => {
  const strange = { type: "hologram", depth: 3, angles: [1, 2] };

  test("is carried verbatim: blocks in replies, messages and results", async () => {
    expect(await repliedAs([text("look"), strange], { strict: false })).toEqual([text("look"), strange]);
    const talk = new Talk({ strict: false });
    talk.history = [user(text("see"), strange), { role: "assistant", content: [call("c1")] }, user(result("c1", [strange, text("x")]))];
    expect(sent(await talk.send())).toEqual(talk.history);
  });

  test("is compared: a changed one is an edit", async () => {
    const talk = new Talk({ strict: false });
    talk.history = [user(text("see"), strange)];
    await talk.send();
    talk.answer({ text: "seen" });
    talk.history = [user(text("see"), { ...strange, depth: 4 }), ...talk.history.slice(1)];
    expect(breaks(await talk.ask("next"))).toEqual(["history at 0"]);
  });

  test("is reported once", async () => {
    const talk = new Talk({ strict: false });
    talk.history = [user(text("see"), strange)];
    expect((await talk.send()).repairs.doubtful).toMatchObject([{ rule: "AN-01", path: expect.stringContaining("content") }]);
    talk.answer({ text: "seen" });
    talk.history.push(user(text("more"), strange));
    expect((await talk.send()).repairs.doubtful).toEqual([]);
  });

  test("of which the host says that it is its own metadata, is neither sent nor compared", async () => {
    const talk = new Talk({ ignore: ["createdAt"] });
    talk.history = [{ role: "user", content: "hello", createdAt: 1 }];
    expect(sent(await talk.send())).toEqual([user(text("hello"))]);
    talk.answer({ text: "yes?" });
    talk.history[0] = { role: "user", content: "hello", createdAt: 2 };
    const turn = await talk.ask("next");
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs.equivalent).toBe(0);
  });
});

describe("a reply with calls in an open loop, of whose making no window tells (rules 6, 15 and 62)", () => {
  const asks = anthropicSpeaker.user("one");
  const thinks = { role: "assistant", content: [thinking("hm"), call("c1")] };
  const pruned = { role: "assistant", content: [call("c1")] };
  const results = user(result("c1"));
  const binding = "claude-opus-5-5";
  const loose = "claude-sonnet-4-6";

  /** A request in short: the roles, of each message its blocks: text, thinking, calls, results. */
  function shape(talk: Talk): string {
    const letters: Readonly<Record<string, string>> = { text: "t", thinking: "k", tool_use: "c", tool_result: "r" };
    return sent(talk.turn)
      .map(({ role, content }) => `${role[0]}:${(content as readonly Block[]).map(({ type }) => letters[type]).join("")}`)
      .join(" ");
  }

  async function met(model: string, history: readonly Message[], options: ConstructorParameters<typeof Talk>[0] = {}): Promise<Talk> {
    const talk = new Talk(options, { ...anthropicSpeaker, model });
    talk.history = [...history];
    await talk.send();
    return talk;
  }

  test.each([
    [binding, "with its thinking: the loop is folded", [asks, thinks, results], "u:t u:t", 1],
    [binding, "without any: nobody can tell, it stays", [asks, pruned, results], "u:t a:c u:r", 0],
    [loose, "with its thinking, which is not bound", [asks, thinks, results], "u:t a:kc u:r", 0],
    [
      binding,
      "without any before one with it: the fold begins there",
      [asks, pruned, results, { role: "assistant", content: [thinking("on"), call("c2")] }, user(result("c2"))],
      "u:t u:t",
      1,
    ],
    [
      binding,
      "behind an answered question, which stays",
      [asks, { role: "assistant", content: [text("1")] }, asks, thinks, results],
      "u:t a:t u:t u:t",
      1,
    ],
  ])("on %s, %s", async (model, _how, history, expected, withheld) => {
    const talk = await met(model, history);
    expect(shape(talk)).toBe(expected);
    expect(talk.turn?.repairs.reasoningWithheld).toBe(withheld);
  });

  test("that the session knew stays as it was made, where one behind it is folded of which it does not know", async () => {
    const talk = await met(binding, [asks]);
    talk.answer([call("c1")]);
    talk.history.push(results, { role: "assistant", content: [thinking("on"), call("c2")] }, user(result("c2")));
    await talk.send();
    expect(shape(talk)).toBe("u:t a:c u:r u:t");
  });

  test.each([
    [binding, "u:t u:t u:t"],
    [loose, "u:t u:t a:kc u:r"],
  ])("that the session knew, and that the host moved and pruned: on %s it is missed where it is bound", async (model, expected) => {
    const talk = await met(model, [asks]);
    talk.answer([thinking("hm"), call("c1")]);
    await talk.results(["c1", "a"]);
    talk.history = [anthropicSpeaker.user("before"), asks, pruned, ...talk.history.slice(2)];
    await talk.send();
    expect(shape(talk)).toBe(expected);
    expect(talk.turn?.repairs.reasoningWithheld).toBe(0);
  });

  test.each([
    [binding, "replay", "u:t a:t u:t a:kc u:r"],
    [binding, "omit", "u:t a:t u:t u:t"],
    [loose, "omit", "u:t a:t u:t a:c u:r"],
  ] as const)("on %s may be lent by a host that settles, unless it omits reasoning: %s", async (model, reasoning, expected) => {
    const talk = await met(model, [asks], { headers: true, reasoning });
    talk.answer({ text: "1" });
    talk.history.push(asks, thinks, results);
    await talk.send();
    expect(shape(talk)).toBe(expected);
  });
});
