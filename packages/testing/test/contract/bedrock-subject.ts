import type { ObjectValue } from "@tidemark/core";
import { bedrock } from "@tidemark/core/bedrock";
import { bedrockRuleSamples } from "../../../core/test/rule-samples/bedrock.ts";
import type { Said, WireSubject } from "../../src/contract.ts";
import { eventsOf } from "../../src/simulator/bedrock/stream.ts";

const tools = ["look", "ask"].map((name) => ({ toolSpec: { name, inputSchema: { json: { type: "object" } } } }));
const point = (ttl?: string) => ({ cachePoint: { type: "default", ...(ttl !== undefined && { ttl }) } });
const usage = { inputTokens: 12, cacheReadInputTokens: 0, cacheWriteInputTokens: 30, outputTokens: 5, totalTokens: 47 };
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

function reply(content: readonly ObjectValue[], more: ObjectValue = {}): ObjectValue {
  const stopReason = content.some(({ toolUse }) => toolUse !== undefined) ? "tool_use" : "end_turn";
  return { output: { message: { role: "assistant", content } }, stopReason, usage, metrics: { latencyMs: 1 }, ...more };
}

/** Claude signs what it thinks; the others say it in plain words, and nothing of it goes back. */
export function bedrockSubject(name: string, model: string, signs: boolean): WireSubject {
  const said = ({ reasoning, text, calls = [] }: Said) =>
    reply([
      ...(reasoning === undefined
        ? []
        : [{ reasoningContent: { reasoningText: { text: reasoning, ...(signs && { signature: btoa(reasoning) }) } } }]),
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ id, name: tool, input }) => ({ toolUse: { toolUseId: id, name: tool, input } })),
    ]);
  const withoutReasoning = (message: ObjectValue): ObjectValue => ({
    ...message,
    content: (message.content as readonly ObjectValue[]).filter(({ reasoningContent }) => reasoningContent === undefined),
  });
  const words = reply([{ text: "Yes." }]);
  const user = (text: string) => ({ role: "user", content: [{ text }] });
  const unsigned = "reasoning without a signature is not sent back";
  return {
    name,
    wire: bedrock() as unknown as WireSubject["wire"],
    model,
    otherModel: "us.amazon.nova-2-lite-v1:0",
    request: (messages, modelId) => ({ modelId, system: [{ text: "You keep lamps." }], messages, toolConfig: { tools } }),
    user,
    results: (results) => [
      { role: "user", content: results.map(({ id, text }) => ({ toolResult: { toolUseId: id, content: [{ text }] } })) },
    ],
    reply: said,
    stream: (whole, pieceUnits) => eventsOf(whole, pieceUnits),
    callId: (position) => `tooluse_${position}`,
    withoutReasoning,
    ...(!signs && { sent: withoutReasoning }),
    samples: {
      replies: [
        {
          title: "hidden thinking as bytes, empty signed thinking, and thinking between calls",
          reply: reply([
            { reasoningContent: { redactedContent: new Uint8Array([1, 2, 250]) } },
            { reasoningContent: { reasoningText: { text: "", signature: "c2lnbmVk" } } },
            { text: "First." },
            { toolUse: { toolUseId: "tooluse_1", name: "look", input: { b: 1, a: 2 } } },
            { reasoningContent: { reasoningText: { text: "Then.", signature: "YWdhaW4=" } } },
            { toolUse: { toolUseId: "tooluse_2", name: "ask", input: {} } },
          ]),
        },
        {
          title: "a tool that the provider runs itself, and citations",
          reply: reply(
            [
              { toolUse: { toolUseId: "tooluse_1", name: "nova_code_interpreter", input: { snippet: "1 + 1" }, type: "server_tool_use" } },
              {
                toolResult: {
                  toolUseId: "tooluse_1",
                  content: [{ json: { stdOut: "2" } }],
                  status: "success",
                  type: "nova_code_interpreter_result",
                },
              },
              {
                citationsContent: {
                  content: [{ text: "Two." }],
                  citations: [{ location: { web: { url: "https://a.example", domain: "a" } } }],
                },
              },
            ],
            { stopReason: "end_turn" },
          ),
        },
      ].filter(({ title }) => signs || !title.startsWith("hidden")),
      rules: bedrockRuleSamples,
      alike: [
        {
          title: "one message and two of one role",
          given: [{ role: "user", content: [{ text: "One." }, { text: "Two." }] }],
          again: [user("One."), user("Two.")],
        },
        {
          title: "blank text beside other words",
          given: [user("Hello.")],
          again: [{ role: "user", content: [{ text: " " }, { text: "Hello." }] }],
        },
        {
          title: "a member that is null and one that is absent",
          given: [{ role: "user", content: [{ image: { format: "png", source: { bytes: "aGk=" } } }] }],
          again: [{ role: "user", content: [{ image: { format: "png", source: { bytes: "aGk=" }, error: null } }] }],
        },
      ],
      usages: [
        {
          title: "three parts and lifetimes",
          reply: {
            ...words,
            usage: {
              ...usage,
              cacheDetails: [
                { ttl: "1h", inputTokens: 20 },
                { ttl: "5m", inputTokens: 10 },
              ],
            },
          },
          usage: {
            ...{ prompt: 42, uncached: 12, cacheRead: 0, cacheWrite: 30, output: 5, reasoning: undefined },
            cacheWriteByLifetime: { "1h": 20, "5m": 10 },
          },
        },
        {
          title: "a model without a cache",
          reply: { ...words, usage: { inputTokens: 12, outputTokens: 5, totalTokens: 17 } },
          usage: { ...unreported, prompt: 12, uncached: 12, output: 5 },
        },
        { title: "no usage", reply: { ...words, usage: null }, usage: unreported },
      ],
      overflows: [
        {
          error: { message: "The model returned the following errors: prompt is too long: 215000 tokens > 200000 maximum" },
          says: { tokens: 215_000, limit: 200_000 },
        },
        {
          error: Object.assign(new Error("Input is too long for requested model."), { name: "ValidationException" }),
          says: {},
        },
        {
          error: Object.assign(new Error("Too many tokens, please wait before trying again."), { name: "ThrottlingException" }),
          says: undefined,
        },
      ],
      marked: [
        {
          modelId: model,
          system: [{ text: "You keep lamps." }, point()],
          toolConfig: { tools: [...tools, point()] },
          messages: [
            { role: "user", content: [{ text: "Hello." }, point(), { text: "And more." }] },
            { role: "assistant", content: [{ text: "Hi." }] },
            { role: "user", content: [{ text: "Go on." }, point("5m")] },
          ],
        },
      ],
      unknown: [
        { title: "a block", message: { role: "assistant", content: [{ text: "So." }, { hologram: { b: 1, a: [2] } }] } },
        { title: "a member of a block", message: { role: "user", content: [{ text: "So.", tone: { b: 1, a: 2 } }] } },
        { title: "a member of a message", message: { role: "user", content: [{ text: "So." }], mood: "calm" } },
      ],
    },
    ...(!signs && { exempt: { reasoningKept: unsigned, reasoningRestored: unsigned, reasoningForeign: unsigned } }),
  };
}
