import type { ObjectValue, Wire } from "@tidemark/core";
import { geminiInteractions } from "@tidemark/core/gemini";
import { geminiSimulator } from "../../src/simulator/gemini/server.ts";
import { type Block, blocksOf, clone, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { type Ability, inMessages, resultTextOf, type Side, systemTextOf } from "./side.ts";

type Step = { readonly type: string; readonly [member: string]: unknown };

export const interactionsSide: Side = {
  name: "gemini interactions",
  models: ["gemini-3.8-flash", "gemini-2.5-flash"],
  wire: geminiInteractions() as unknown as Wire,
  has: new Set<Ability>(["named-results", "repeated-ids"]),
  storeForms: ["keys sorted", "strings as blocks", "blocks as strings", "results reversed", "nulls dropped"],
  path: "/v1beta/interactions",
  refusal: undefined,
  list: "input",
  simulator: (options) => geminiSimulator(options),
  request: ({ model, system, tools, messages }) => ({
    model,
    store: false,
    system_instruction: systemTextOf(system),
    tools: tools.map(toolOf),
    input: messages.flatMap(stepsOf),
  }),
  read: (request) => {
    const { model, system_instruction, tools, input } = request as {
      model: string;
      system_instruction?: unknown;
      tools?: unknown[];
      input: readonly Step[];
    };
    return {
      model,
      system: system_instruction ?? "",
      tools: tools ?? [],
      params: "",
      lead: 0,
      native: input,
      messages: input.map(readStep),
    };
  },
  content: ({ steps }) => ((steps ?? []) as readonly ObjectValue[]).flatMap((step) => blocksOf(readStep(clone(step) as Step))),
  cut: (reply) => ({ ...reply, status: "in_progress" }),
  callId: (count) => `call_${count}`,
};

function toolOf({ name, description, input_schema }: SoakRequest["tools"][number]): object {
  return { type: "function", name, description, parameters: input_schema };
}

function stepsOf({ role, content }: Message): readonly unknown[] {
  const type = role === "assistant" ? "model_output" : "user_input";
  if (typeof content === "string") return [{ type, content }];
  const own = (block: Block) =>
    block.type === "tool_result"
      ? { type: "function_result", call_id: block.tool_use_id, name: block.name, result: resultTextOf(block) }
      : block.native;
  return inMessages(content, own, (said) => ({ type, content: said.map(({ text }) => ({ type: "text", text })) }));
}

function readStep(step: Step): Message {
  switch (step.type) {
    case "thought":
      return { role: "assistant", content: [{ type: "thinking", thinking: "", signature: step.signature, native: step }] };
    case "function_call":
      return { role: "assistant", content: [{ type: "tool_use", id: step.id, name: step.name, input: step.arguments, native: step }] };
    case "function_result":
      return {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: step.call_id, name: step.name, content: resultOf(step.result) }],
      };
    case "model_output":
      return {
        role: "assistant",
        content: blocksOf({ content: step.content }).map((block, at) => (at === 0 ? { ...block, native: step } : { ...block })),
      };
    default:
      return {
        role: "user",
        content: typeof step.content === "string" ? step.content : blocksOf({ content: step.content }).map((block) => ({ ...block })),
      };
  }
}

function resultOf(result: unknown): string | Block[] {
  return typeof result === "string" ? result : (result as Block[]);
}
