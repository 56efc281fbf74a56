import type { ObjectValue } from "@tidemark/core";
import { type Said, type WireSubject, wireContract } from "@tidemark/testing/contract";
import { aiSdkWire } from "../src/index.ts";

const model = "anthropic.messages/claude-opus-5-5";
const tools = ["look", "ask"].map((name) => ({ type: "function", name, inputSchema: { type: "object" } }));
const lead = { role: "system", content: "You keep lamps." };
const text = (words: string) => ({ type: "text", text: words });
const user = (words: string) => ({ role: "user", content: [text(words)] });
const call = { type: "tool-call", toolCallId: "call_1", toolName: "look", input: {} };
const result = { type: "tool-result", toolCallId: "call_1", toolName: "look", output: { type: "text", value: "Lit." } };

const body = (messages: readonly ObjectValue[], asked: string) => ({ model: asked, prompt: [lead, ...messages], tools });

const signed = (words: string) => ({ anthropic: { signature: btoa(encodeURIComponent(words)) } });
const usage = {
  inputTokens: { total: 40, noCache: 40, cacheRead: 0, cacheWrite: undefined },
  outputTokens: { total: 9, text: undefined, reasoning: undefined },
};
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

function generated(content: readonly object[], more: object = {}): ObjectValue {
  const calls = content.some((part) => (part as { type: string }).type === "tool-call");
  return {
    content,
    finishReason: { unified: calls ? "tool-calls" : "stop", raw: undefined },
    usage,
    warnings: [],
    ...more,
  } as unknown as ObjectValue;
}

function contentOf({ reasoning, text: words, calls = [] }: Said): readonly object[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning, providerMetadata: signed(reasoning) }]),
    ...(words === undefined ? [] : [text(words)]),
    ...calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(input) })),
  ];
}

/** A whole reply as a provider streams it: a signature comes at the end of its reasoning. */
function streamed(whole: ObjectValue, pieceUnits: number): readonly object[] {
  const parts = (whole.content as readonly ObjectValue[]).flatMap((part, index): readonly object[] => {
    if (part.type !== "text" && part.type !== "reasoning") return [part];
    const words = String(part.text);
    const pieces = Array.from({ length: Math.ceil(words.length / pieceUnits) }, (_, at) =>
      words.slice(at * pieceUnits, (at + 1) * pieceUnits),
    );
    const id = String(index);
    const { providerMetadata } = part;
    return [
      { type: `${part.type}-start`, id },
      ...pieces.map((delta) => ({ type: `${part.type}-delta`, id, delta })),
      { type: `${part.type}-end`, id, ...(providerMetadata !== undefined && { providerMetadata }) },
    ];
  });
  const { finishReason } = whole;
  return [
    { type: "stream-start", warnings: [] },
    ...parts,
    { type: "finish", finishReason, ...("usage" in whole && { usage: whole.usage }) },
  ];
}

const marks = { anthropic: { cacheControl: { type: "ephemeral" } } };

const subject: WireSubject = {
  name: "ai-sdk",
  wire: aiSdkWire() as unknown as WireSubject["wire"],
  model,
  otherModel: "openai.responses/gpt-5.5",
  request: body,
  user,
  results: (results) => [
    {
      role: "tool",
      content: results.map(({ id, name, text: value }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: name,
        output: { type: "text", value },
      })),
    },
  ],
  reply: (said) => generated(contentOf(said)),
  stream: streamed,
  withoutReasoning: (message) => ({
    ...message,
    content: (message.content as readonly ObjectValue[]).filter(({ type }) => type !== "reasoning"),
  }),
  samples: {
    replies: [
      {
        title: "redacted and omitted thinking, interleaved",
        reply: generated([
          { type: "reasoning", text: "", providerMetadata: { anthropic: { redactedData: "abc" } } },
          text("Looking."),
          { type: "reasoning", text: "", providerMetadata: signed("omitted") },
          text("Lit."),
        ]),
      },
      {
        title: "a tool that the provider ran, its sources and a file",
        reply: generated([
          { type: "tool-call", toolCallId: "srv_1", toolName: "search", input: '{"q":"lamp"}', providerExecuted: true },
          { type: "tool-result", toolCallId: "srv_1", toolName: "search", result: [{ url: "u" }] },
          { type: "source", sourceType: "url", id: "s", url: "https://example.com" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
          text("Lit."),
        ]),
      },
      {
        title: "a signature on an empty text",
        reply: generated([text("Lit."), { type: "text", text: "", providerMetadata: { google: { thoughtSignature: "s" } } }]),
      },
    ],
    rules: [
      {
        rule: "AI-01",
        fails: body([{ role: "user", content: [{ type: "reasoning", text: "So." }] }], model),
        passes: body([user("So.")], model),
      },
      {
        rule: "AI-02",
        fails: body([user("So."), { role: "assistant", content: [call] }, user("Well?")], model),
        passes: body([user("So."), { role: "assistant", content: [call] }, { role: "tool", content: [result] }], model),
      },
      {
        rule: "AI-03",
        fails: body([user("So."), { role: "tool", content: [result] }], model),
        passes: body([user("So."), { role: "assistant", content: [call] }, { role: "tool", content: [result] }], model),
      },
    ],
    alike: [
      {
        title: "members that say nothing",
        given: [user("Hello.")],
        again: [{ role: "user", content: [{ type: "text", text: "Hello.", providerOptions: { anthropic: {} } }], providerOptions: {} }],
      },
      {
        title: "the start of a streamed reply and none",
        given: [user("Hello."), { role: "assistant", content: [text("Hi.")] }, user("So.")],
        again: [
          user("Hello."),
          {
            role: "assistant",
            content: [{ type: "custom", kind: "anthropic.message_start", providerOptions: { anthropic: { usage: {} } } }, text("Hi.")],
          },
          user("So."),
        ],
      },
    ],
    usages: [
      {
        title: "none of them cached",
        reply: generated([text("Yes.")]),
        usage: { ...unreported, prompt: 40, uncached: 40, cacheRead: 0, output: 9 },
      },
      {
        title: "read and written",
        reply: generated([text("Yes.")], {
          usage: {
            inputTokens: { total: 160, noCache: 100, cacheRead: 10, cacheWrite: 50 },
            outputTokens: { total: 9, text: 4, reasoning: 5 },
          },
        }),
        usage: { prompt: 160, uncached: 100, cacheRead: 10, cacheWrite: 50, output: 9, reasoning: 5 },
      },
      {
        title: "nothing said of a cache",
        reply: generated([text("Yes.")], { usage: { inputTokens: { total: 40 }, outputTokens: { total: 9 } } }),
        usage: { ...unreported, prompt: 40, output: 9 },
      },
      { title: "no usage", reply: generated([text("Yes.")], { usage: undefined }), usage: unreported },
    ],
    overflows: [
      {
        error: Object.assign(new Error("prompt is too long: 201234 tokens > 200000 maximum"), { statusCode: 400, isRetryable: false }),
        says: { tokens: 201_234, limit: 200_000 },
      },
      { error: { statusCode: 400, data: { error: { code: "context_length_exceeded", message: "Too much." } } }, says: {} },
      { error: new Error("Rate limit reached."), says: undefined },
    ],
    marked: [
      {
        model,
        prompt: [
          { ...lead, providerOptions: marks },
          { role: "user", content: [text("Before."), { ...text("Hello."), providerOptions: marks }] },
          { role: "assistant", content: [text("Hi.")], providerOptions: { openrouter: { cacheControl: { type: "ephemeral" } } } },
          user("So."),
        ],
        tools: tools.map((tool) => ({ ...tool, providerOptions: marks })),
      },
    ],
    unknown: [
      { title: "a part", message: { role: "user", content: [text("So."), { type: "hologram", data: { b: 1, a: [2] } }] } },
      { title: "a member of a message", message: { role: "user", content: [text("So.")], mood: { b: 1, a: 2 } } },
      {
        title: "options of a provider",
        message: { role: "assistant", content: [{ ...text("So."), providerOptions: { acme: { tone: "calm" } } }] },
      },
    ],
  },
};

wireContract(subject);
