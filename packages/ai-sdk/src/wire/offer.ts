import { isObject, type ObjectValue } from "@tidemark/core/adapter";
import type { PromptRequest } from "./request.ts";
import { toolName } from "./request.ts";

/** Only OpenAI's Responses has a choice among declared tools that is no part of the prefix. Source: `allowedTools` of `@ai-sdk/openai` 4.0.118. */
const choosesAmong = /^(?:openai|azure)\.responses\//;

/** The declared tools stay, and these are offered. A choice of the host's own stays. */
export function offer<R extends PromptRequest>(request: R, names: readonly string[]): R {
  const { model, tools = [], toolChoice, providerOptions } = request as PromptRequest & Readonly<Record<string, unknown>>;
  const openai: ObjectValue = isObject(providerOptions) && isObject(providerOptions.openai) ? providerOptions.openai : {};
  const isChosen = isObject(toolChoice) && toolChoice.type !== "auto";
  if (names.length === 0 && !isChosen && tools.length > 0) return { ...request, toolChoice: { type: "none" } };
  if (isChosen || openai.allowedTools !== undefined || !choosesAmong.test(model)) return request;
  const toolNames = tools.map((tool) => toolName(tool as ObjectValue)).filter((name) => names.includes(name));
  return { ...request, providerOptions: { ...(providerOptions as object), openai: { ...openai, allowedTools: { toolNames } } } };
}
