import type { ObjectValue } from "@tidemark/core";
import type { Message } from "../../soak/history.ts";
import type { SoakRequest } from "../../soak/request.ts";
import type { Side } from "../../soak/sides/side.ts";
import { sideNamed } from "../../soak/sides/table.ts";
import { manualClock } from "../../src/simulator/clock.ts";
import type { ScriptedReply } from "../../src/simulator/script.ts";

/** One side of each wire, and of the dialects and routes that differ most. */
export const sides: readonly Side[] = [
  "anthropic",
  "chat openai",
  "chat deepseek",
  "chat openrouter",
  "chat mistral",
  "responses openai",
  "responses chatgpt-plan",
  "gemini",
  "gemini interactions",
  "bedrock",
  "ollama",
].map(sideNamed);

export type Exchange = { readonly request: object; readonly reply: ObjectValue };

const tool = { name: "read", description: "Reads.", input_schema: { type: "object", properties: { path: { type: "string" } } } };

/** Requests of a short conversation as a host of this wire hands them over, with the provider's replies: a question, thinking and two calls, results, an answer. */
export async function exchanges(side: Side): Promise<readonly Exchange[]> {
  const scripts: readonly ScriptedReply[] = [
    {
      parts: [
        { thinking: "Let me see." },
        { text: "First." },
        { call: { id: side.callId(1), name: "read", input: { path: "a", all: true } } },
        { call: { id: side.callId(2), name: "read", input: { path: "b" } } },
      ],
    },
    { parts: [{ thinking: "So." }, { text: "Both are there." }] },
  ];
  const simulator = side.simulator({
    seed: "fuzz",
    keep: 1,
    clock: manualClock(),
    script: (_request, position) => scripts[position % 2] as ScriptedReply,
  });
  const history: Message[] = [{ role: "user", content: "Read both." }];
  const made: Exchange[] = [];
  for (const count of [1, 2]) {
    const request = side.request(asking(side, history));
    const { reply, refusal } = await simulator.handle(request, side.path === undefined ? {} : { path: side.path });
    if (refusal !== undefined) throw new Error(`${side.name}: ${refusal.rule} ${refusal.message}`);
    made.push({ request: structuredClone(request), reply: structuredClone(reply) });
    history.push({ role: "assistant", content: [...side.content(structuredClone(reply))] });
    if (count === 1)
      history.push({
        role: "user",
        content: [1, 2].map((call) => ({
          type: "tool_result",
          tool_use_id: side.callId(call),
          content: `Text ${call}.`,
          ...(side.has.has("named-results") ? { name: "read" } : {}),
        })),
      });
  }
  return made;
}

function asking(side: Side, messages: readonly Message[]): SoakRequest {
  return {
    model: side.models[0] as string,
    max_tokens: 256,
    system: "You help.",
    tools: [tool],
    messages: structuredClone(messages) as Message[],
    thinking: { type: "adaptive" },
  };
}
