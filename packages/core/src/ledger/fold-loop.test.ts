import { describe, expect, test } from "vitest";
import {
  anthropicSpeaker,
  type Block,
  type Body,
  bedrockSpeaker,
  call,
  chatSpeaker,
  type Message,
  result,
  text,
  thinking,
} from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession, type Wire } from "../index.ts";
import type { Turn } from "../session/turn.ts";

const read = { name: "read", description: "Reads.", input_schema: { type: "object" } };
const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } };

/** Inside a tool loop of two rows, whose replies think. */
async function inLoop(options: TalkOptions = {}, speaker = anthropicSpeaker): Promise<Talk> {
  const talk = new Talk(options, speaker);
  talk.head = { max_tokens: 1_000, system: "be brief", tools: [read] };
  await talk.ask("hello");
  talk.answer([thinking("greet"), text("hi")]);
  await talk.ask("read both");
  talk.answer([thinking("start"), call("c1")]);
  await talk.results(["c1", "a"]);
  talk.answer([thinking("go on"), call("c2")]);
  return talk;
}

describe("in an open tool loop, what can wait is held (rule 62 a)", () => {
  test.each<readonly [string, (talk: Talk) => void]>([
    ["an edit in place", (talk) => talk.history.splice(0, 1, anthropicSpeaker.user("hello, edited"))],
    ["a changed system text", (talk) => Object.assign(talk.head, { system: "be long" })],
    ["a changed tool list", (talk) => Object.assign(talk.head, { tools: [read, { ...read, name: "ls" }] })],
  ])("%s: the same goes out again, and the checkpoint comes behind the loop", async (what, change) => {
    const talk = await inLoop();
    const before = talk.turn?.request;
    change(talk);
    const held = await talk.results(["c2", "b"]);
    expect(breaks(held)).toEqual([]);
    expect(held.repairs.held).toBe(1);
    expect(held.request).toMatchObject({ system: before?.["system"], tools: before?.["tools"] });
    expect(bytes(held)[0]).toContain('"hello"');
    expect(allOf(held)).toMatch(/greet.*start.*go on/s);
    talk.answer([thinking("end"), text("both read")]);
    const behind = await talk.ask("thanks");
    expect(behind.continuity.checkpoints).toMatchObject([
      { reason: what.includes("system") ? "system" : what.includes("tool") ? "tools" : "history" },
    ]);
    expect(behind.repairs.held).toBe(0);
    expect(allOf(behind)).not.toMatch(/greet|start|go on/);
  });

  test("they wait in a request that is sent again, too, and with them edits of other messages", async () => {
    const talk = await inLoop();
    await talk.results(["c2", "b"]);
    const before = bytes(talk.turn);
    talk.history[2] = anthropicSpeaker.user("read both, edited");
    Object.assign(talk.head, { system: "be long" });
    const again = await talk.send();
    expect([breaks(again), again.repairs.held]).toEqual([[], 2]);
    expect(bytes(again)).toEqual(before);
  });

  test("nothing waits for a model that does not read the loop's reasoning", async () => {
    const talk = await inLoop();
    await talk.results(["c2", "b"]);
    Object.assign(talk.head, { system: "be long" });
    const again = await talk.send({ model: "claude-haiku-5-5" });
    expect(again.repairs.held).toBe(0);
    expect(again.request).toMatchObject({ system: [{ text: "be long" }] });
  });

  test("all of them at once are held, each counted, and told together behind the loop", async () => {
    const talk = await inLoop();
    talk.history[0] = anthropicSpeaker.user("hello, edited");
    Object.assign(talk.head, { system: "be long", tools: [read, { ...read, name: "ls" }] });
    const held = await talk.results(["c2", "b"]);
    expect([breaks(held), held.repairs.held]).toEqual([[], 3]);
    talk.answer([thinking("end"), text("both read")]);
    expect(breaks(await talk.ask("thanks"))).toEqual(["system at 0", "tools at 0", "history at 0"]);
  });

  test("nothing waits for a last row of which not all is the reply that was settled: another attempt may have made it", async () => {
    const talk = await inLoop();
    Object.assign(talk.head, { system: "be long" });
    talk.store([thinking("of another attempt"), call("c3")]);
    const turn = await talk.results(["c2", "b"], ["c3", "c"]);
    expect(breaks(turn)).toContain("system at 0");
    expect(turn.repairs.held).toBe(0);
    expect(turn.request).toMatchObject({ system: [{ text: "be long" }] });
  });

  test("nothing waits for a last row that does not think", async () => {
    const talk = new Talk();
    talk.head = { max_tokens: 1_000, system: "be brief", tools: [read] };
    await talk.ask("read it");
    talk.answer([call("c1")]);
    Object.assign(talk.head, { system: "be long" });
    const turn = await talk.results(["c1", "a"]);
    expect(breaks(turn)).toEqual(["system at 0"]);
    expect(turn.repairs.held).toBe(0);
  });

  test("what the binding does not cover does not wait", async () => {
    const talk = await inLoop();
    talk.history.push(...anthropicSpeaker.results(["c2", "b"]));
    const turn = await talk.send({ output_config: { effort: "low" } });
    expect(breaks(turn)).toEqual(["params at 0"]);
    expect(turn.repairs.held).toBe(0);
    expect(allOf(turn)).toMatch(/start.*go on/s);
  });

  test("nothing waits for reasoning that another model does not read: a switch and a changed system text are told at once", async () => {
    const talk = await inLoop();
    talk.history.push(...anthropicSpeaker.results(["c2", "b"]));
    const turn = await talk.send({ model: "claude-fable-5-2", system: "be long" });
    // The head voids the reasoning of the loop, which is folded: it could not go on when the model is switched back.
    expect(breaks(turn)).toEqual(["model at 0", "system at 0", "history at 1"]);
    expect(turn.repairs.held).toBe(0);
    expect(turn.request).toMatchObject({ system: [{ text: "be long" }] });
  });

  test("nothing is held outside a loop, or where reasoning is not bound", async () => {
    const outside = await inLoop();
    await outside.results(["c2", "b"]);
    outside.answer({ text: "both read" });
    outside.history[0] = anthropicSpeaker.user("hello, edited");
    expect((await outside.ask("thanks")).continuity.checkpoints).toMatchObject([{ reason: "history", at: 0 }]);
    const loose = await inLoop({}, { ...anthropicSpeaker, model: "claude-sonnet-4-6" });
    loose.history[0] = anthropicSpeaker.user("hello, edited");
    const turn = await loose.results(["c2", "b"]);
    expect(turn.repairs.held).toBe(0);
    expect(breaks(turn)).toEqual(["history at 0"]);
  });
});

describe("where what cannot wait may be dropped by the provider, it is lent (rule 62 b)", () => {
  const lends: TalkOptions = { headers: true };
  const dropped = {
    input_transformations: [{ type: "thinking_dropped", path: "messages.5.content.0", reason: "prefix_binding_mismatch" }],
  };

  /** The loop itself was edited: its first result. */
  async function edited(): Promise<Talk> {
    const talk = await inLoop(lends);
    talk.history[4] = { role: "user", content: [result("c1", "a, edited")] };
    await talk.results(["c2", "b"]);
    return talk;
  }

  test("so does a reply that a store cut apart: reasoning in a message of its own stays in its place", async () => {
    const talk = new Talk(lends);
    await talk.ask("hello");
    talk.answer({ text: "hi" });
    await talk.ask("read it");
    talk.store([thinking("nobody saw it made")]);
    talk.store([call("c1")]);
    const turn = await talk.results(["c1", "a"]);
    expect(breaks(turn)).toEqual([]);
    expect(sent(turn).slice(3, 5)).toEqual([
      { role: "assistant", content: [thinking("nobody saw it made")] },
      { role: "assistant", content: [call("c1")] },
    ]);
  });

  test("the last row goes out with its reasoning once, and the rows before it without", async () => {
    const talk = await edited();
    expect(onlyCheckpoint(talk.turn as Turn<Body>)).toMatchObject({ reason: "history", at: 4 });
    expect(sent(talk.turn)[5]?.content).toEqual([thinking("go on"), call("c2")]);
    expect(talk.turn?.request["thinking"]).toMatchObject({ block_binding: { prefix_mismatch_behavior: "drop_block" } });
  });

  test("what the reply reports as dropped is removed, and that is a checkpoint that says so", async () => {
    const talk = await edited();
    talk.answer([thinking("end"), text("both read")], dropped);
    const turn = await talk.ask("thanks");
    expect(allOf(turn)).not.toContain("go on");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 5, hint: "dropped-by-provider" });
  });

  test.each([false, true])("what it does not report stays, and so does what was made over it: restored: %s", async (restores) => {
    const talk = await edited();
    talk.answer([thinking("end"), text("both read")]);
    if (restores) talk.restore();
    const turn = await talk.ask("thanks");
    expect(allOf(turn)).toMatch(/go on.*end/s);
    expect(breaks(turn)).toEqual([]);
  });
});

// Soak seed 20001828.
test("what another model does not read is not lent to it, since its reply would prove nothing: the loop is folded (rule 62 b and c)", async () => {
  const talk = await inLoop({ headers: true });
  talk.history.push(...anthropicSpeaker.results(["c2", "b"]));
  const turn = await talk.send({ model: "claude-fable-5-2", system: "be long" });
  expect(breaks(turn)).toEqual(["model at 0", "system at 0", "history at 1"]);
  talk.answer({ calls: [{ id: "c3" }] });
  talk.history.push(...anthropicSpeaker.results(["c3", "c"]));
  expect(allOf(await talk.send({ system: "be long" }))).not.toMatch(/greet|start|go on/);
});

// Soak seed 30002502.
test("what is lent stands behind the reasoning that this model is sent, not behind another model's (rule 62 b)", async () => {
  const talk = new Talk({ headers: true });
  talk.head = { max_tokens: 1_000, tools: [read] };
  await talk.ask("hello");
  talk.answer([thinking("at first"), text("hi")]);
  await talk.ask("again", { model: "claude-sonnet-4-6" });
  talk.answer([thinking("of the other"), text("hi again")]);
  const before = bytes(await talk.ask("read it"));
  talk.restore();
  talk.store([thinking("nobody saw it made"), call("c1")]);
  const turn = await talk.results(["c1", "a"]);
  expect(bytes(turn).slice(0, before.length)).toEqual(before);
  expect(breaks(turn)).toEqual([]);
  expect(allOf(turn)).toMatch(/at first.*nobody saw it made/s);
});

describe("lent reasoning of another model (rules 15 and 62 b)", () => {
  const sonnet = { model: "claude-sonnet-5-5" };
  const older = { model: "claude-sonnet-4-6" };

  /** On a model that binds, then in a loop that one began which does not. */
  async function lentTo(more: object): Promise<Talk> {
    const talk = new Talk({ headers: true });
    talk.head = { max_tokens: 1_000, tools: [read] };
    await talk.ask("hello", sonnet);
    talk.answer([thinking("at first"), text("hi")]);
    await talk.ask("read it", older);
    talk.answer([thinking("of the older"), call("c1")]);
    talk.history.push({ role: "user", content: [result("c1")] });
    await talk.send(sonnet);
    expect(allOf(talk.turn)).toContain("of the older");
    talk.answer([thinking("end"), text("read")], more);
    return talk;
  }

  test("that was dropped did not stand before the reply: what else was away then stays away", async () => {
    const path = "messages.3.content.0";
    const talk = await lentTo({ input_transformations: [{ type: "thinking_dropped", path, reason: "prefix_binding_mismatch" }] });
    expect(allOf(talk.turn)).not.toContain("at first");
    const turn = await talk.ask("thanks", sonnet);
    expect(allOf(turn)).toContain("end");
    expect(allOf(turn)).not.toMatch(/of the older|at first/);
  });

  test("that was taken is void once its model's prefix changed, for the one that took it too", async () => {
    const talk = await lentTo({});
    Object.assign(talk.head, { tools: [{ ...read, description: "Reads anew." }] });
    await talk.ask("thanks", older);
    talk.answer({ text: "welcome" });
    expect(allOf(await talk.ask("bye", sonnet))).not.toContain("of the older");
  });
});

describe("elsewhere the loop is folded (rule 62 c)", () => {
  const asText = (turn: Turn<Body>): string => {
    const { content } = sent(turn).at(-1) as Message;
    return String((content as readonly [Block])[0].text);
  };

  test("its calls and results become text of one user message, and their reasoning goes", async () => {
    const talk = await inLoop();
    talk.history[4] = { role: "user", content: [result("c1", "a, edited")] };
    const turn = await talk.results(["c2", "b"]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user", "user"]);
    expect(asText(turn)).toBe('[what was done so far for the request above]\nread({"path":"c2.ts"})\nb');
    expect(allOf(turn)).not.toMatch(/go on/);
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 4, hint: "folded-loop" });
  });

  test("a session that did not see the loop being made folds all of it", async () => {
    const talk = await inLoop();
    const stranger = new Talk();
    stranger.history = [...talk.history];
    const turn = await stranger.results(["c2", "b"]);
    expect(breaks(turn)).toEqual(["ledger at 0"]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"]);
    expect(asText(turn)).toContain('read({"path":"c1.ts"})\na\nread({"path":"c2.ts"})\nb');
  });

  // Soak seed 60000075.
  test("it says the same however a store cut the replies: what is only reasoning keeps no place beside the rest (rules 4 and 27)", async () => {
    const talk = await inLoop();
    const split = talk.history.flatMap(({ role, content }) =>
      role === "assistant" ? (content as readonly Block[]).map((block) => ({ role, content: [block] })) : [{ role, content }],
    );
    const [whole, cut] = await Promise.all(
      [talk.history, split].map((history) => {
        const stranger = new Talk();
        stranger.history = [...history];
        return stranger.results(["c2", "b"]);
      }),
    );
    expect(sent(cut)).toEqual(sent(whole));
  });

  test("so are rows above it that may have lost theirs: the host pruned them before the session knew them", async () => {
    const talk = await inLoop();
    await talk.results(["c2", "b"]);
    talk.answer([thinking("at last"), call("c3")]);
    const stranger = new Talk();
    stranger.history = talk.history.map((message, index) => (index === 3 ? { role: "assistant", content: [call("c1")] } : message));
    const turn = await stranger.results(["c3", "c"]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"]);
    expect(asText(turn)).toContain('read({"path":"c1.ts"})\na\nread({"path":"c2.ts"})\nb');
  });

  test.each(["settled", "on trust"])("rows above it that are known to have had no reasoning stay as they are: %s", async (how) => {
    const talk = new Talk();
    await talk.ask("read both");
    if (how === "settled") talk.answer([call("c1")]);
    else talk.store([call("c1")]);
    await talk.results(["c1", "a"]);
    talk.store([thinking("made elsewhere"), call("c2")]);
    talk.restore();
    const turn = await talk.results(["c2", "b"]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"]);
    expect(asText(turn)).not.toContain("c1");
  });

  test("with a system message of the host's before it the user's turn comes along: no user message may stand behind one", async () => {
    const stranger = new Talk();
    stranger.history = [anthropicSpeaker.user("hello"), { role: "assistant", content: [text("hi")] }];
    stranger.history.push(anthropicSpeaker.user("look"), { role: "system", content: "the build is red" });
    stranger.history.push({ role: "assistant", content: [thinking("hm"), call("c1")] });
    const turn = await stranger.results(["c1", "a"]);
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(sent(turn)[2]?.["content"]).toEqual([
      text("look"),
      text(expect.stringMatching(/^\[what was done.*\n.*the build is red.*\nread\(.*\)\na$/s)),
    ]);
    stranger.answer([thinking("end"), text("both read")]);
    const next = await stranger.ask("thanks");
    expect(bytes(next).slice(0, 3)).toEqual(bytes(turn));
    expect(breaks(next)).toEqual([]);
  });

  /** The effort changed in a loop, and the reply behind that nobody saw being made. */
  async function foldedBehindEvent(): Promise<Talk> {
    const talk = new Talk({ headers: true });
    await talk.ask("read both", { output_config: { effort: "high" } });
    talk.store([call("c1")]);
    await talk.results(["c1", "a"]);
    await talk.send({ output_config: { effort: "low" } });
    expect(bytes(talk.turn).at(-1)).toContain('"effort":"low"');
    talk.store([thinking("made elsewhere"), call("c2")]);
    talk.head = { ...talk.head, output_config: { effort: "low" } };
    talk.restore();
    await talk.results(["c2", "b"]);
    return talk;
  }

  test("an event before it goes, and is said anew behind it", async () => {
    const { turn } = await foldedBehindEvent();
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "user", "user", "system"]);
    expect(bytes(turn)[3]).toContain("read({");
    expect(bytes(turn)[4]).toContain('"effort":"low"');
  });

  test.each(["live", "restored"])("a host that stores the window has the fold, and no event: %s", async (how) => {
    const talk = await foldedBehindEvent();
    const before = bytes(talk.turn);
    talk.history = sent(talk.turn).slice(0, -1).map(asBlocks);
    talk.store({ text: "both read" });
    for (const words of ["thanks", "bye"]) {
      if (how === "restored") talk.restore();
      const turn = await talk.ask(words);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
      talk.answer({ text: "well" });
    }
  });

  test("on Bedrock, where the block of a result is its holder's member: pictures stay pictures, and what else it says is text", async () => {
    const talk = new Talk({}, bedrockSpeaker);
    const shot = { image: { format: "png", source: { bytes: "aGVsbG8=" } } };
    const own = (content: readonly object[]): Message => ({ role: "user", content: [{ toolResult: { toolUseId: "c1", content } }] });
    talk.history = [
      bedrockSpeaker.user("look"),
      bedrockSpeaker.reply({ thinking: "hm", calls: [{ id: "c1" }] }),
      own([{ text: "a screen" }, shot]),
    ];
    const said = sent(await talk.send()).at(-1)?.["content"] as readonly Message[];
    expect(said.at(-1)).toEqual(shot);
    expect(JSON.stringify(said)).toContain("a screen");
  });

  test("pictures in its results stay pictures", async () => {
    const talk = new Talk();
    talk.history = [anthropicSpeaker.user("look"), { role: "assistant", content: [thinking("hm"), call("c1")] }];
    talk.history.push({ role: "user", content: [result("c1", [text("a screen"), picture])] });
    expect(sent(await talk.send()).at(-1)?.["content"]).toEqual([text(expect.stringContaining("a screen") as never), picture]);
  });

  test("on Responses, where the output is the list itself", async () => {
    const shot = { type: "input_image", image_url: "data:image/png;base64,aGVsbG8=" };
    const output = [{ type: "input_text", text: "a screen" }, shot];
    const session = createSession({ wire: openaiResponses() as unknown as Wire });
    const turn = await session.prepare({
      ...{ model: "gpt-5.6", store: false },
      input: [
        { role: "user", content: "look" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk" },
        { type: "function_call", call_id: "c1", name: "shot", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output },
      ],
    });
    const { input } = turn.request as unknown as { readonly input: readonly Message[] };
    expect(input).toHaveLength(2);
    expect(input[1]).toMatchObject({ role: "user", content: [{ text: expect.stringContaining("a screen") }, shot] });
  });

  test("the fold is repeated, whatever representation its messages come in", async () => {
    const stranger = new Talk();
    stranger.history = [...(await inLoop()).history];
    await stranger.results(["c2", "b"]);
    const before = bytes(stranger.turn);
    stranger.answer([thinking("end"), text("both read")]);
    stranger.history = stranger.history.map(asBlocks);
    const turn = await stranger.ask("thanks");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
    expect(allOf(turn)).toContain("end");
  });

  test("an edit under the fold changes nothing that was sent (rule 7)", async () => {
    const stranger = new Talk();
    stranger.history = [...(await inLoop()).history];
    await stranger.results(["c2", "b"]);
    const before = bytes(stranger.turn);
    stranger.answer({ text: "both read" });
    stranger.history[4] = { role: "user", content: [result("c1", "[cleared]")] };
    const turn = await stranger.ask("thanks");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
  });

  test("a wire that binds nothing folds nothing", async () => {
    const talk = new Talk({}, chatSpeaker);
    talk.history = [
      chatSpeaker.user("look"),
      chatSpeaker.reply({ thinking: "hm", calls: [{ id: "c1" }] }),
      ...chatSpeaker.results(["c1", "a"]),
    ];
    const turn = await talk.send();
    expect(sent(turn).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(allOf(turn)).toContain("hm");
  });
});

function asBlocks(message: Message): Message {
  return { ...message, content: typeof message["content"] === "string" ? [text(message["content"])] : message["content"] };
}
