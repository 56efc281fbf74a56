import type { ObjectValue, Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { isObject, messagesOf } from "../demo/body.ts";

export type WireName = "anthropic" | "openai-chat";

const wires: Readonly<Record<WireName, Pick<Wire, "recognises">>> = { anthropic: anthropic(), "openai-chat": openaiChat() };

/** The wire of a body by its shape. Plain text is alike on both: then a system message in the list is Chat's way. */
export function wireOf(body: ObjectValue): WireName {
  const asked = { model: "", ...body };
  const [isAnthropic, isChat] = [wires.anthropic.recognises(asked), wires["openai-chat"].recognises(asked)];
  if (isAnthropic !== isChat) return isAnthropic ? "anthropic" : "openai-chat";
  const roles = new Set(messagesOf(body).map((message) => (isObject(message) ? message.role : undefined)));
  return roles.has("system") || roles.has("developer") || roles.has("tool") ? "openai-chat" : "anthropic";
}
