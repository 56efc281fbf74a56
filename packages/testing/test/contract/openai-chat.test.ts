import type { ObjectValue } from "@tidemark/core";
import { type DialectName, openaiChat } from "@tidemark/core/openai-chat";
import { chatRuleSamples } from "../../../core/test/rule-samples/openai-chat.ts";
import { type ContractPromise, type Said, type WireSubject, wireContract } from "../../src/contract.ts";
import { streamOf } from "../../src/simulator/openai-chat/stream.ts";

type Exemptions = { readonly [promise in ContractPromise]?: string };

/** What a dialect's provider does in its own way; all else is the same for all of them. */
type Ways = {
  readonly model: string;
  /** Where a reply has its reasoning. */
  readonly reasoning: "reasoning_content" | "reasoning" | "reasoning_details" | "thinking";
  /** Text goes out as parts, since a mark may come to sit on it. */
  readonly parts?: boolean;
  /** A reply with calls and no reasoning goes out with an empty field. */
  readonly emptyReasoning?: boolean;
  readonly callId?: (position: number) => string;
  readonly strict?: boolean;
  readonly exempt?: Exemptions;
};

const noReasoning = "no reasoning field goes out to this server";
const silent: Exemptions = {
  reasoningKept: noReasoning,
  reasoningRestored: noReasoning,
  reasoningForeign: noReasoning,
};
const nobodyBinds = "its reasoning is plain text that every model may read";
const plain: Exemptions = { reasoningForeign: nobodyBinds };

const dialects: Readonly<Record<DialectName, Ways>> = {
  openai: { model: "gpt-4.1", reasoning: "reasoning_content", exempt: silent },
  deepseek: { model: "deepseek-v4-pro", reasoning: "reasoning_content", emptyReasoning: true, exempt: plain },
  openrouter: { model: "anthropic/claude-opus-5.5", reasoning: "reasoning_details", parts: true },
  mistral: {
    model: "mistral-medium-latest",
    reasoning: "thinking",
    callId: (position) => `call${String(position).padStart(5, "0")}`,
    // MI-09: its open-source validator refuses a user behind results, the service took it.
    strict: false,
    exempt: plain,
  },
  cerebras: { model: "gpt-oss-120b", reasoning: "reasoning", exempt: plain },
  groq: { model: "openai/gpt-oss-120b", reasoning: "reasoning", exempt: silent },
  kimi: { model: "kimi-k3", reasoning: "reasoning_content", exempt: plain },
  qwen: { model: "qwen3-max", reasoning: "reasoning_content", parts: true, exempt: plain },
  xai: { model: "grok-4.7", reasoning: "reasoning_content", exempt: plain },
  vllm: { model: "qwen3-32b", reasoning: "reasoning", exempt: plain },
  sglang: { model: "qwen3-32b", reasoning: "reasoning_content", exempt: plain },
  "llama-cpp": { model: "qwen3-8b", reasoning: "reasoning_content", exempt: plain },
};

const reasoningNames = ["reasoning_content", "reasoning", "reasoning_details"];
const usage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49, prompt_tokens_details: { cached_tokens: 0 } };
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};
const textPart = (text: string) => ({ type: "text", text });
const tools = ["look", "ask"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
const lead = { role: "system", content: "You keep lamps." };

const body = (messages: readonly ObjectValue[], model: string) => ({ model, tools, messages: [lead, ...messages] });

function completion(model: string, message: ObjectValue, more: ObjectValue = {}): ObjectValue {
  const finish_reason = message.tool_calls === undefined ? "stop" : "tool_calls";
  const head = { id: "chatcmpl-1", object: "chat.completion", created: 1, model, service_tier: "default" };
  return { ...head, choices: [{ index: 0, message, logprobs: null, finish_reason }], usage, ...more };
}

function messageOf({ reasoning, text, calls = [] }: Said, ways: Ways): ObjectValue {
  const inContent = ways.reasoning === "thinking" && reasoning !== undefined;
  const thinking = inContent ? [{ type: "thinking", thinking: [textPart(reasoning)] }] : [];
  const content = inContent ? [...thinking, ...(text === undefined ? [] : [textPart(text)])] : (text ?? null);
  return {
    role: "assistant",
    content,
    ...(reasoning === undefined || inContent ? {} : { [ways.reasoning]: reasoningField(reasoning, ways) }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } })),
        }),
  };
}

function reasoningField(reasoning: string, ways: Ways) {
  if (ways.reasoning !== "reasoning_details") return reasoning;
  return [
    { type: "reasoning.text", text: reasoning, signature: btoa(encodeURIComponent(reasoning)), format: "anthropic-claude-v1", index: 0 },
  ];
}

/** The form in which the dialect sends a message: parts where marks may come, its own reasoning field or none. */
function sent(message: ObjectValue, ways: Ways): ObjectValue {
  const gone = ways.exempt === silent ? reasoningNames : [];
  const members = Object.entries(message).filter(([name, value]) => !gone.includes(name) && !(name === "refusal" && value === null));
  const kept: Record<string, unknown> = Object.fromEntries(members);
  if (ways.parts === true && typeof kept.content === "string") kept.content = [textPart(kept.content)];
  if (ways.emptyReasoning === true && kept.tool_calls !== undefined) kept.reasoning_content ??= "";
  return kept as ObjectValue;
}

function subjectOf(dialect: DialectName, ways: Ways): WireSubject {
  const wire = openaiChat({ dialect, profiles: { alternating: { traits: ["roles-alternate"] } } });
  const { model } = ways;
  const ids = new Set(wire.rules.map(({ id }) => id));
  const words = completion(model, { role: "assistant", content: "Yes." });
  const custom = [{ id: ways.callId?.(1) ?? "call_1", type: "custom", custom: { name: "look", input: "ls -l" } }];
  const marked = { ...textPart("Hello."), cache_control: { type: "ephemeral" } };
  return {
    name: `openai-chat, ${dialect}`,
    wire: wire as unknown as WireSubject["wire"],
    model,
    otherModel: "another-model",
    request: (messages, asked) => body(messages, asked),
    user: (text) => ({ role: "user", content: text }),
    results: (results) => results.map(({ id, text }) => ({ role: "tool", content: text, tool_call_id: id })),
    reply: (said) => completion(model, messageOf(said, ways)),
    stream: (whole, pieceUnits) => streamOf(whole, true, pieceUnits).flatMap(({ data }) => (data === "[DONE]" ? [] : [data])),
    ...(ways.callId && { callId: ways.callId }),
    ...(ways.strict !== undefined && { strict: ways.strict }),
    sent: (message) => sent(message, ways),
    withoutReasoning: (message) => withoutReasoning(message),
    samples: {
      replies: [
        { title: "a refusal", reply: completion(model, { role: "assistant", content: null, refusal: "I must not." }) },
        { title: "a call of a custom tool", reply: completion(model, { role: "assistant", content: null, tool_calls: custom }) },
        {
          title: "a text with annotations",
          reply: completion(model, {
            role: "assistant",
            content: "Lit.",
            annotations: [{ type: "url_citation", url_citation: { url: "u" } }],
          }),
        },
      ].filter(({ title }) => dialect === "openai" || title !== "a call of a custom tool"),
      rules: chatRuleSamples.filter(({ rule }) => ids.has(rule)),
      alike: [
        {
          title: "a string and one text part",
          given: [{ role: "user", content: "Hello." }],
          again: [{ role: "user", content: [textPart("Hello.")] }],
        },
        {
          title: "one text part and a string",
          given: [{ role: "user", content: [textPart("Hello.")] }],
          again: [{ role: "user", content: "Hello." }],
        },
        {
          title: "a member that is null and one that is absent",
          given: [{ role: "user", content: "Hello." }],
          again: [{ role: "user", content: "Hello.", name: null }],
        },
      ],
      usages: [
        {
          title: "cached tokens in details",
          reply: { ...words, usage: { ...usage, prompt_tokens_details: { cached_tokens: 16, cache_write_tokens: 8 } } },
          usage: { ...unreported, prompt: 40, uncached: 16, cacheRead: 16, cacheWrite: 8, output: 9 },
        },
        { title: "none of them cached", reply: words, usage: { ...unreported, prompt: 40, uncached: 40, cacheRead: 0, output: 9 } },
        {
          title: "nothing said of a cache",
          reply: { ...words, usage: { prompt_tokens: 40, completion_tokens: 9 } },
          usage: { ...unreported, prompt: 40, output: 9 },
        },
        { title: "no usage", reply: { ...words, usage: null }, usage: unreported },
      ],
      overflows: [
        {
          error: {
            error: {
              message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
              type: "invalid_request_error",
              code: "context_length_exceeded",
            },
          },
          says: { tokens: 9_001, limit: 8_192 },
        },
        { error: { error: { message: "Rate limit reached.", type: "rate_limit_exceeded", code: null } }, says: undefined },
      ],
      marked:
        ways.parts === true
          ? [
              body(
                [
                  { role: "user", content: [textPart("Before."), marked] },
                  { role: "assistant", content: "Hi." },
                ],
                model,
              ),
            ]
          : [],
      unknown: [
        { title: "a part", message: { role: "user", content: [textPart("So."), { type: "hologram", data: { b: 1, a: [2] } }] } },
        { title: "a member of a message", message: { role: "user", content: "So.", mood: { b: 1, a: 2 } } },
        { title: "a member of a reply", message: { role: "assistant", content: "So.", mood: "calm" } },
      ],
    },
    ...(ways.exempt && { exempt: ways.exempt }),
  };
}

function withoutReasoning(message: ObjectValue): ObjectValue {
  const members = Object.entries(message).filter(([name]) => !reasoningNames.includes(name));
  const kept = Object.fromEntries(members) as ObjectValue;
  if (!Array.isArray(kept.content)) return kept;
  return { ...kept, content: (kept.content as readonly ObjectValue[]).filter(({ type }) => type !== "thinking") };
}

for (const [dialect, ways] of Object.entries(dialects)) wireContract(subjectOf(dialect as DialectName, ways));
