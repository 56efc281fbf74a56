import type { ObjectValue } from "@tidemark/core";
import { describe, expect, it } from "vitest";
import type { SimulatedRequest } from "../simulated-request.ts";
import type { HandleOptions, Simulator } from "../simulator.ts";
import { type AnthropicSimulatorOptions, anthropicSimulator } from "./server.ts";

type Message = { role: string; content: string | Record<string, unknown>[]; clear_at?: string };
type Body = { model: string; max_tokens: number; system?: unknown; tools?: unknown; messages: Message[] } & Record<string, unknown>;

const controls = "thinking-binding-controls-2026-08-01";
const clearAt = "mid-conversation-system-clear-at-2026-08-21";
const withControls = { headers: { "anthropic-beta": controls } };
const user = (text: string): Message => ({ role: "user", content: text });
const tools = [{ name: "read", description: "Reads a file.", input_schema: { type: "object", properties: { path: { type: "string" } } } }];
const system = "You mend clocks.";

/** Replies in turn think, speak and think again, so that a conversation has several thinking blocks. */
const script = (_request: ObjectValue, n: number) => ({ parts: [{ thinking: `Thought ${n}.` }, { text: `Answer ${n}.` }] });

const body = (messages: Message[], extra: Record<string, unknown> = {}): Body => ({
  model: "claude-opus-5-5",
  max_tokens: 1_000,
  system,
  tools,
  messages,
  ...extra,
});

const replyOf = (request: SimulatedRequest): Message => ({
  role: "assistant",
  content: request.reply.content as unknown as Record<string, unknown>[],
});

/** A conversation of `turns` answered user turns and one more question. */
async function talk(sim: Simulator, turns: number, extra: Record<string, unknown> = {}, options?: HandleOptions): Promise<Message[]> {
  const messages: Message[] = [user("Question 0?")];
  for (let turn = 0; turn < turns; turn++) {
    const answer = await sim.handle(body(messages, extra), options);
    expect(answer.refusal).toBeUndefined();
    messages.push(replyOf(answer), user(`Question ${turn + 1}?`));
  }
  return messages;
}

const simulator = (options: AnthropicSimulatorOptions = {}) => anthropicSimulator({ script, ...options });
const blocksIn = (message: Message | undefined): Record<string, unknown>[] => (Array.isArray(message?.content) ? message.content : []);
const edited = (messages: Message[], index: number, message: Message): Message[] =>
  messages.map((old, at) => (at === index ? message : old));
const withoutThinking = (messages: Message[], ...indexes: number[]): Message[] =>
  messages.map((message, at) =>
    indexes.includes(at) && Array.isArray(message.content)
      ? { ...message, content: message.content.filter((block) => block.type !== "thinking") }
      : message,
  );

async function verdict(sim: Simulator, request: Body, options?: HandleOptions) {
  const { status, refusal } = await sim.handle(request, options);
  return refusal === undefined ? status : `${refusal.rule} ${refusal.path}`;
}

describe("the prefix check (AN-13)", () => {
  it("accepts a conversation that keeps the three habits", async () => {
    const sim = simulator();
    expect(await verdict(sim, body(await talk(sim, 5)))).toBe(200);
  });

  it("refuses an edit before a thinking block with the provider's words and place", async () => {
    const sim = simulator();
    const messages = await talk(sim, 2);
    const answer = await sim.handle(body(edited(messages, 0, user("Another question?"))));
    expect(answer.status).toBe(400);
    expect(answer.refusal).toMatchObject({ rule: "AN-13", path: "messages.1.content.0" });
    expect(answer.reply).toMatchObject({
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header.',
      },
    });
    const announced = await sim.handle(body(edited(messages, 0, user("Another question?"))), withControls);
    expect(announced.refusal?.message.endsWith('to "drop_block".')).toBe(true);
  });

  const changes: [string, (messages: Message[]) => Body][] = [
    ["the system text", (messages) => body(messages, { system: `${system} Today.` })],
    ["a tool's description", (messages) => body(messages, { tools: [{ ...tools[0], description: "Reads." }] })],
    ["an added tool", (messages) => body(messages, { tools: [...tools, { ...tools[0], name: "write" }] })],
    [
      "a split text block",
      (messages) =>
        body(
          edited(messages, 0, {
            role: "user",
            content: [
              { type: "text", text: "Question" },
              { type: "text", text: "0?" },
            ],
          }),
        ),
    ],
    [
      "an added `citations: null`",
      (messages) => body(edited(messages, 0, { role: "user", content: [{ type: "text", text: "Question 0?", citations: null }] })),
    ],
  ];
  it.each(changes)("counts %s as a change", async (_name, change) => {
    const sim = simulator();
    expect(await verdict(sim, change(await talk(sim, 2)))).toBe("AN-13 messages.1.content.0");
  });

  const ignored: [string, (messages: Message[]) => Body][] = [
    [
      "key order",
      (messages) =>
        body(messages, {
          tools: [
            { input_schema: { properties: { path: { type: "string" } }, type: "object" }, description: "Reads a file.", name: "read" },
          ],
        }),
    ],
    [
      "cache marks",
      (messages) =>
        body(edited(messages, 0, { role: "user", content: [{ type: "text", text: "Question 0?", cache_control: { type: "ephemeral" } }] })),
    ],
    ["a string against one text block", (messages) => body(messages, { system: [{ type: "text", text: system }] })],
    ["white space around a text", (messages) => body(edited(messages, 0, user("  Question 0?\n")))],
    [
      "blank text beside other text",
      (messages) =>
        body(
          edited(messages, 0, {
            role: "user",
            content: [
              { type: "text", text: "Question 0?" },
              { type: "text", text: " \n" },
            ],
          }),
        ),
    ],
    [
      "parameters outside system, tools and messages",
      (messages) =>
        body(messages, { max_tokens: 2_000, tool_choice: { type: "none" }, output_config: { effort: "low" }, metadata: { user_id: "u" } }),
    ],
    ["a deferred tool", (messages) => body(messages, { tools: [...tools, { ...tools[0], name: "later", defer_loading: true }] })],
    ["a user turn cut into two messages", (messages) => body([...messages.slice(0, -1), user("Question"), user("and more?")])],
  ];
  it.each(ignored)("does not look at %s", async (_name, change) => {
    const sim = simulator();
    expect(await verdict(sim, change(await talk(sim, 2)))).toBe(200);
  });

  it("leaves a change alone that stands behind the thinking, and holds it against later thinking only", async () => {
    const sim = simulator();
    const messages = await talk(sim, 3);
    expect(await verdict(sim, body(edited(messages, 6, user("Changed?"))))).toBe(200);
    expect(await verdict(sim, body(edited(messages, 4, user("Changed?"))))).toBe("AN-13 messages.5.content.0");
  });

  it("binds thinking of one turn alike, however its reply is cut into messages", async () => {
    const sim = simulator({ script: () => ({ parts: [{ thinking: "a" }, { text: "b" }, { thinking: "c" }, { text: "d" }] }) });
    const [question, reply, next] = await talk(sim, 1);
    const blocks = blocksIn(reply);
    const cut = [
      question,
      { role: "assistant", content: blocks.slice(0, 2) },
      { role: "assistant", content: blocks.slice(2) },
      next,
    ] as Message[];
    expect(await verdict(sim, body(cut))).toBe(200);
  });

  it("runs only on models that bind their thinking", async () => {
    const sim = simulator();
    const older = { model: "claude-opus-4-8" };
    const messages = await talk(sim, 2, older);
    expect(await verdict(sim, body(edited(messages, 0, user("Changed?")), older))).toBe(200);
  });

  it("counts a turn-scoped message only until the next user message", async () => {
    const sim = simulator();
    const options = { headers: { "anthropic-beta": clearAt } };
    const reminder: Message = { role: "system", content: "Be brief.", clear_at: "next_user_message" };
    const first = await sim.handle(body([user("Question 0?"), reminder]), options);
    const kept = [user("Question 0?"), reminder, replyOf(first), user("Question 1?")];
    expect(await verdict(sim, body(kept), options)).toBe(200);
    expect(await verdict(sim, body([user("Question 0?"), replyOf(first), user("Question 1?")]), options)).toBe(
      "AN-13 messages.1.content.0",
    );
    // Behind the next user message it no longer matters to what is made there, whether it stays or goes.
    const second = await sim.handle(body(kept), options);
    const later = [...kept, replyOf(second), user("Question 2?")];
    expect(await verdict(sim, body(later), options)).toBe(200);
    const bare = withoutThinking(later, 2).filter((message) => message !== reminder);
    expect(await verdict(sim, body(bare), options)).toBe(200);
  });
});

describe("the chain of thinking blocks (AN-13)", () => {
  it("may lose blocks from its start, from its end, or all of them", async () => {
    const sim = simulator();
    const messages = await talk(sim, 3);
    expect(await verdict(sim, body(withoutThinking(messages, 1)))).toBe(200);
    expect(await verdict(sim, body(withoutThinking(messages, 1, 3)))).toBe(200);
    expect(await verdict(sim, body(withoutThinking(messages, 5)))).toBe(200);
    expect(await verdict(sim, body(withoutThinking(messages, 1, 3, 5)))).toBe(200);
  });

  it("may not lose one between others", async () => {
    const sim = simulator();
    const messages = await talk(sim, 3);
    expect(await verdict(sim, body(withoutThinking(messages, 3)))).toBe("AN-13 messages.5.content.0");
  });

  it("does not take a removed block back: what was made without it is void", async () => {
    const sim = simulator();
    const messages = await talk(sim, 2);
    const bare = withoutThinking(messages, 1, 3);
    const answer = await sim.handle(body(bare));
    const last = [replyOf(answer), user("More?")];
    expect(await verdict(sim, body([...bare, ...last]))).toBe(200);
    expect(await verdict(sim, body([...messages, ...last]))).toBe("AN-13 messages.5.content.0");
  });
});

describe("drop mode", () => {
  it("drops what fails and everything chained to it, reports it where the beta asks, and bills it not", async () => {
    const sim = simulator({ mode: "drop" });
    const messages = await talk(sim, 3);
    const changed = body(edited(messages, 2, user("Changed?")));
    const answer = await sim.handle(changed, withControls);
    const dropped = (path: string) => ({ type: "thinking_dropped", path, reason: "prefix_binding_mismatch" });
    expect(answer.reply.input_transformations).toEqual([dropped("messages.3.content.0"), dropped("messages.5.content.0")]);
    const silent = await sim.handle(changed);
    expect(silent.reply).not.toHaveProperty("input_transformations");
    expect(silent.transformations).toHaveLength(2);
    const without = await sim.handle(body(withoutThinking(changed.messages, 3, 5)));
    expect(without.cache?.prompt).toBe(answer.cache?.prompt);
  });

  it("lets thinking stand that was made after the change", async () => {
    const sim = simulator({ mode: "drop" });
    const messages = edited(await talk(sim, 2), 0, user("Changed?"));
    const answer = await sim.handle(body(messages));
    const next = await sim.handle(body([...messages, replyOf(answer), user("More?")]), withControls);
    expect((next.reply.input_transformations as ObjectValue[]).map(({ path }) => path)).toEqual([
      "messages.1.content.0",
      "messages.3.content.0",
    ]);
  });

  it("takes the rest of a run of thinking with a block that fails", async () => {
    const sim = simulator({ mode: "drop", script: () => ({ parts: [{ thinking: "a" }, { thinking: "b" }, { text: "c" }] }) });
    const messages = await talk(sim, 1);
    const answer = await sim.handle(body(edited(messages, 0, user("Changed?"))), withControls);
    expect((answer.reply.input_transformations as ObjectValue[]).map(({ path }) => path)).toEqual([
      "messages.1.content.0",
      "messages.1.content.1",
    ]);
  });

  it("takes a block that would stand alone, if it directly follows one that fails", async () => {
    const sim = simulator({ mode: "drop" });
    const [, stale] = await talk(sim, 1, { system: "Another." });
    const [question, reply, next] = await talk(sim, 1);
    const joined = { role: "assistant", content: [...blocksIn(stale).slice(0, 1), ...blocksIn(reply)] };
    const answer = await sim.handle(body([question, joined, next] as Message[]), withControls);
    expect(answer.reply.input_transformations).toHaveLength(2);
  });

  it("is chosen by the request over the account, with the beta only", async () => {
    const strict = simulator();
    const messages = edited(await talk(strict, 1), 0, user("Changed?"));
    const asks = (behaviour: string) =>
      body(messages, { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: behaviour } } });
    expect(await verdict(strict, asks("drop_block"), withControls)).toBe(200);
    expect(await verdict(strict, asks("drop_block"))).toBe("AN-27 thinking.block_binding");
    const lenient = simulator({ mode: "drop" });
    expect(await verdict(lenient, { ...asks("error"), messages: edited(await talk(lenient, 1), 0, user("Changed?")) }, withControls)).toBe(
      "AN-13 messages.1.content.0",
    );
  });

  it("reports an empty list when nothing was dropped", async () => {
    const answer = await simulator().handle(body([user("Hello?")]), withControls);
    expect(answer.reply.input_transformations).toEqual([]);
  });
});

it("an account that allows mismatches leaves the blocks and says so", async () => {
  const sim = simulator({ mode: "allow" });
  const messages = edited(await talk(sim, 2), 2, user("Changed?"));
  const answer = await sim.handle(body(messages), withControls);
  expect(answer.reply.input_transformations).toEqual([
    { type: "thinking_mismatch_allowed", path: "messages.3.content.0", reason: "prefix_binding_mismatch" },
  ]);
});

describe("the signature itself (AN-12)", () => {
  const tampered = async (change: (block: Record<string, unknown>) => Record<string, unknown>) => {
    const sim = simulator();
    const messages = await talk(sim, 1);
    const content = blocksIn(messages[1]).map((block) => (block.type === "thinking" ? change(block) : block));
    return sim.handle(body(edited(messages, 1, { role: "assistant", content })));
  };

  it("must be one that this server minted", async () => {
    const answer = await tampered((block) => ({ ...block, signature: "c2lnbmF0dXJl" }));
    expect(answer.refusal).toMatchObject({ rule: "AN-12", message: "messages.1.content.0: Invalid `signature` in `thinking` block" });
    expect(answer.status).toBe(400);
  });

  it("covers the text of its block", async () => {
    expect((await tampered((block) => ({ ...block, thinking: "Another thought." }))).refusal?.rule).toBe("AN-12");
  });

  it("is spelled as it was handed out", async () => {
    expect((await tampered((block) => ({ ...block, signature: `${String(block.signature)} ` }))).refusal?.rule).toBe("AN-12");
  });

  it("follows from the seed, and is shared by simulators of one seed", async () => {
    const [one, two, other] = [simulator({ seed: 1 }), simulator({ seed: 1 }), simulator({ seed: 2 })];
    const messages = await talk(one, 2);
    expect(await talk(two, 2)).toEqual(messages);
    expect(await verdict(two, body(messages))).toBe(200);
    expect(await verdict(other, body(messages))).toBe("AN-12 messages.1.content.0");
  });

  it("is checked in drop mode and on models that do not bind", async () => {
    const sim = simulator({ mode: "drop" });
    const forged = [
      user("a?"),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "x", signature: "eA==" },
          { type: "text", text: "b" },
        ],
      },
      user("c?"),
    ];
    expect(await verdict(sim, body(forged))).toBe("AN-12 messages.1.content.0");
    expect(await verdict(sim, body(forged, { model: "claude-opus-4-8" }))).toBe("AN-12 messages.1.content.0");
  });

  it("signs hidden and redacted thinking as well", async () => {
    const sim = simulator({ script: () => ({ parts: [{ thinking: "secret", redacted: true }, { text: "a" }] }) });
    const messages = await talk(sim, 1, { thinking: { type: "adaptive", display: "omitted" } });
    expect(blocksIn(messages[1])[0]).toMatchObject({ type: "redacted_thinking" });
    expect(await verdict(sim, body(messages))).toBe(200);
    expect(await verdict(sim, body(edited(messages, 0, user("Changed?"))))).toBe("AN-13 messages.1.content.0");
    const hidden = simulator();
    const [, reply] = await talk(hidden, 1, { thinking: { type: "adaptive", display: "omitted" } });
    expect(blocksIn(reply)[0]).toMatchObject({
      type: "thinking",
      thinking: "",
      signature: expect.stringMatching(/^.{40,}$/),
    });
  });
});

describe("thinking of others", () => {
  it("of a model that this one does not read is dropped without a word", async () => {
    const sim = simulator();
    const messages = await talk(sim, 2, { model: "claude-fable-5-2" });
    const answer = await sim.handle(body(messages), withControls);
    expect(answer.status).toBe(200);
    expect(answer.reply.input_transformations).toEqual(
      ["messages.1.content.0", "messages.3.content.0"].map((path) => ({
        type: "thinking_dropped",
        path,
        reason: "model_binding_mismatch",
      })),
    );
  });

  it("of a model that this one reads stays and is checked like its own", async () => {
    const sim = simulator();
    const messages = await talk(sim, 1, { model: "claude-opus-5" });
    const answer = await sim.handle(body(messages), withControls);
    expect(answer.reply.input_transformations).toEqual([]);
    expect(await verdict(sim, body(edited(messages, 0, user("Changed?"))))).toBe("AN-13 messages.1.content.0");
  });

  it("of another organisation is dropped, and that reason comes first", async () => {
    const there = simulator({ organisation: "org_there" });
    const here = simulator({ organisation: "org_here" });
    const messages = edited(await talk(there, 1, { model: "claude-fable-5-2" }), 0, user("Changed?"));
    const answer = await here.handle(body(messages), withControls);
    expect(answer.reply.input_transformations).toEqual([
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "organization_binding_mismatch" },
    ]);
  });
});
