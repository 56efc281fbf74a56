import type { ObjectValue, Wire } from "@tidemark/core";
import { openaiResponses, type RouteName } from "@tidemark/core/openai-responses";
import { openaiResponsesSimulator } from "../../src/simulator/openai-responses/server.ts";
import { type Block, blocksOf, clone, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { type Ability, effortOf, inMessages, parsed, type Side, systemTextOf } from "./side.ts";

type Item = { readonly type?: string; readonly role?: string; readonly [member: string]: unknown };

/** What a route asks of a request beyond the others. */
const members: { readonly [route in RouteName]?: object } = { "chatgpt-plan": { stream: true } };
const routes: readonly RouteName[] = ["openai", "azure", "chatgpt-plan", "openrouter", "xai"];

const responsesSide = (route: RouteName, wire: Wire): Side => ({
  name: `responses ${route}`,
  models: ["gpt-5.5", "gpt-6.2-sol", "gpt-4.1"],
  wire,
  has: new Set<Ability>(["notes", "effort", "repeated-ids", "pictures"]),
  storeForms: ["keys sorted", "strings as blocks", "blocks as strings", "results reversed", "nulls dropped"],
  refusal: undefined,
  list: "input",
  simulator: (options) => openaiResponsesSimulator({ ...options, route }),
  request: ({ model, system, tools, messages, output_config }) => ({
    model,
    ...(output_config !== undefined && wire.profile(model).thinking?.length !== 0
      ? { reasoning: { effort: effortOf(output_config) } }
      : {}),
    store: false,
    include: ["reasoning.encrypted_content"],
    instructions: systemTextOf(system),
    tools: tools.map(toolOf),
    input: messages.flatMap(itemsOf),
    ...members[route],
  }),
  read: (request) => {
    const { model, instructions, tools, input, reasoning } = request as {
      model: string;
      instructions?: unknown;
      tools?: unknown[];
      input: Item[];
      reasoning?: { effort?: string };
    };
    const isSystemBehind = wire.profile(model).instructions === "behind";
    const behind = input.findIndex(({ role }) => role !== "system" && role !== "developer");
    const lead = behind < 0 ? input.length : behind;
    const native = input.slice(lead);
    const system = lead === 0 ? (instructions ?? "") : [instructions ?? "", ...input.slice(0, lead)];
    return {
      model,
      system,
      isSystemBehind,
      tools: tools ?? [],
      params: `effort ${reasoning?.effort}`,
      lead,
      native,
      messages: native.map(readItem),
    };
  },
  content: ({ output }) => ((output ?? []) as readonly ObjectValue[]).flatMap((item) => blocksOf(readItem(clone(item) as Item))),
  cut: (reply) => ({ ...reply, status: "in_progress" }),
  callId: (count) => `call_${count}`,
});

export const responsesSides: readonly Side[] = routes.map((route) => responsesSide(route, openaiResponses({ route }) as unknown as Wire));

function toolOf({ name, description, input_schema, ...more }: SoakRequest["tools"][number]): object {
  return { type: "function", name, description, parameters: input_schema, strict: false, ...more };
}

function itemsOf({ role, content }: Message): readonly unknown[] {
  if (typeof content === "string") return [{ type: "message", role, content }];
  const own = (block: Block) =>
    block.type === "tool_result" ? { type: "function_call_output", call_id: block.tool_use_id, output: resultOutput(block) } : block.native;
  return inMessages(content, own, (said) => ({ type: "message", role, content: said.map((block) => partOf(role, block)) }));
}

function resultOutput(block: Block): unknown {
  return typeof block.content === "string"
    ? block.content
    : blocksOf({ content: block.content ?? "" }).map((inner) => partOf("user", inner));
}

function partOf(role: string, block: Block): object {
  if (block.type !== "image") return { type: role === "assistant" ? "output_text" : "input_text", text: block.text };
  const { media_type, data } = block.source as { media_type: string; data: string };
  return { type: "input_image", image_url: `data:${media_type};base64,${data}`, detail: "auto" };
}

function readItem(item: Item): Message {
  switch (item.type) {
    case "reasoning":
      return { role: "assistant", content: [{ type: "thinking", thinking: "", signature: item.encrypted_content, native: item }] };
    case "function_call":
      return {
        role: "assistant",
        content: [{ type: "tool_use", id: item.call_id, name: item.name, input: parsed(item.arguments), native: item }],
      };
    case "compaction":
      return { role: "assistant", content: [{ type: "compaction", data: item.encrypted_content, native: item }] };
    case "additional_tools":
    case "configuration_update":
      return { role: "system", content: [{ type: "setting", native: item }] };
    case "function_call_output":
      return { role: "user", content: [{ type: "tool_result", tool_use_id: item.call_id, content: readParts(item.output) }] };
    default:
      return readMessage(item);
  }
}

function readMessage(item: Item): Message {
  const role = item.role === "assistant" || item.role === "user" ? item.role : "system";
  const content = readParts(item.content);
  if (role !== "assistant") return { role, content };
  const text = typeof content === "string" ? content : content.map((block) => block.text).join("");
  return { role, content: [{ type: "text", text, native: item }] };
}

function readParts(content: unknown): string | Block[] {
  if (typeof content === "string") return content;
  return ((content ?? []) as readonly Block[]).map((part) => {
    if (part.type !== "input_image") return { type: "text", text: part.text };
    const [, media_type, data] = /^data:(.*?);base64,(.*)$/.exec(String(part.image_url)) ?? [];
    return { type: "image", source: { type: "base64", media_type, data } };
  });
}
