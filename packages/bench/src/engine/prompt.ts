import { createHash } from "node:crypto";

type Part = { readonly type?: string; readonly [name: string]: unknown };
type Call = { readonly function: { readonly name: string; readonly arguments: string } };
type Message = { readonly role: string; readonly content?: string | readonly Part[] | null; readonly tool_calls?: readonly Call[] };
export type Request = {
  readonly system?: string | readonly Part[];
  readonly tools?: readonly object[];
  readonly messages: readonly Message[];
};

/**
 * The text that a local server makes of a request of Messages or Chat Completions before it is read, laid out as the chat template of Qwen is
 * (https://huggingface.co/Qwen/Qwen3-8B/blob/main/tokenizer_config.json): system text, tools, then the messages in their order; JSON keeps the order of keys that it came in.
 * Reasoning is kept where the request has it, and a picture is named by its digest, as servers do that keep what they evaluated for it.
 */
export function promptOf({ system, tools = [], messages }: Request): string {
  const lead = messages[0]?.role === "system" ? 1 : 0;
  const head = [system ?? "", lead === 1 ? messages[0]?.content : ""].map(contentText).join("");
  const declared = tools.map((tool) => JSON.stringify({ ...tool, cache_control: undefined })).join("\n");
  return [
    said("system", declared === "" ? head : `${head}\n\n# Tools\n${declared}`),
    ...messages.slice(lead).map((message) => said(message.role === "tool" ? "user" : message.role, messageText(message))),
    "<|im_start|>assistant\n",
  ].join("");
}

function said(role: string, text: string): string {
  return `<|im_start|>${role}\n${text}<|im_end|>\n`;
}

function messageText({ role, content, tool_calls = [] }: Message): string {
  const text = role === "tool" ? answered(contentText(content)) : contentText(content);
  return text + tool_calls.map((call) => called(call.function.name, call.function.arguments)).join("");
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(partText).join("") : "";
}

function partText(part: Part): string {
  if (part.type === "text") return String(part["text"]);
  if (part.type === "thinking") return `<think>\n${part["thinking"]}\n</think>\n`;
  if (part.type === "tool_use") return called(String(part["name"]), JSON.stringify(part["input"]));
  if (part.type === "tool_result") return answered(contentText(part["content"]));
  return `<${part.type} ${createHash("sha256").update(JSON.stringify(part)).digest("hex")}>`;
}

function called(name: string, text: string): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${text}}\n</tool_call>\n`;
}

function answered(text: string): string {
  return `<tool_response>\n${text}\n</tool_response>\n`;
}
