import { createSession, type Session } from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import type { Message } from "./history.ts";

export type BenchSession = Session<AnthropicRequest>;
export type Request = AnthropicRequest & { readonly max_tokens: number; readonly messages: readonly Message[] };

const system = "You are a careful programmer. Read before you write, and test what you wrote.";
const tools = [
  {
    name: "edit_file",
    description: "Replaces lines of a file.",
    input_schema: { type: "object", properties: { path: { type: "string" }, edit: { type: "object" }, dry: { type: "boolean" } } },
  },
];

function requestOf(messages: readonly Message[]): Request {
  return { model: "claude-opus-5-5", max_tokens: 8_192, system, tools, messages };
}

/** A request as a host has it that keeps its history in a store: nothing in it is the same object as in the request before. */
export function parsed(text: string): Request {
  return requestOf(JSON.parse(text));
}

export function newSession(history: "full" | "new"): BenchSession {
  return createSession({ wire: anthropic(), history });
}

/** Lets a session see a conversation as it happens: a request and its reply at a time, so that every reply is vouched for. Ends in a settled turn. */
export async function converse(session: BenchSession, history: "full" | "new", messages: readonly Message[]): Promise<void> {
  let from = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const turn = await session.prepare(requestOf(messages.slice(history === "new" ? from : 0, index)));
    turn.settle(replyOf(message));
    from = index + 1;
  }
}

/** The reply as the provider's client hands it over: its objects and strings are not those of the history. */
export function replyOf({ content }: Message): object {
  const reply = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5-5", content, stop_reason: "end_turn" };
  return JSON.parse(JSON.stringify({ ...reply, usage: { input_tokens: 10, output_tokens: 10 } }));
}
