import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { TidemarkError } from "@tidemark/core";
import { isObject, type ObjectValue } from "@tidemark/core/adapter";
import { familyOf, modelName, refusesForcedTools } from "./wire/families.ts";
import type { PromptRequest } from "./wire/request.ts";

/** A call taken apart: what its session prepares, and who it belongs to. */
export type Call = {
  readonly sessionId: string | undefined;
  readonly request: PromptRequest;
};

/** @throws {TidemarkError} `invalid-option` for a session id that is no text. */
export function callOf(params: LanguageModelV4CallOptions, model: LanguageModelV4): Call {
  // What is no data is none of a session's business, and could not be copied.
  const { abortSignal: _signal, headers: _headers, providerOptions, tools, toolChoice, ...rest } = params;
  const { tidemark, ...others } = providerOptions ?? {};
  const stated = familyOf(model.provider) === "anthropic" ? withStreaming(tools, others) : tools;
  const name = modelName(model.provider, model.modelId);
  // All tools stay declared so; the package warns of it as it does of the one tool.
  const free = toolChoice?.type === "tool" && refusesForcedTools(name);
  return {
    sessionId: sessionIdIn(tidemark),
    request: {
      ...rest,
      model: name,
      ...(toolChoice !== undefined && { toolChoice: free ? { type: "required" } : toolChoice }),
      ...(providerOptions !== undefined && { providerOptions: others }),
      ...(stated !== undefined && { tools: stated }),
    },
  };
}

function sessionIdIn(own: SharedV4ProviderOptions[string] | undefined): string | undefined {
  const id = own?.["sessionId"];
  if (id === undefined || (typeof id === "string" && id !== "")) return id;
  const path = "$.providerOptions.tidemark.sessionId";
  throw new TidemarkError("invalid-option", `${path}: expected a text that names the conversation.`, { path });
}

/**
 * Anthropic's provider writes `eager_input_streaming` on every tool when it streams, and on none when it does not. A conversation that does both would change its tools, so
 * that each says for itself what it says when streamed; without a stream it has no effect. A host that says it, for a tool or for the call, is left alone.
 */
function withStreaming(tools: LanguageModelV4CallOptions["tools"], options: SharedV4ProviderOptions): LanguageModelV4CallOptions["tools"] {
  if (tools === undefined || options["anthropic"]?.["toolStreaming"] !== undefined) return tools;
  return tools.map((tool) => {
    if (tool.type !== "function" || tool.providerOptions?.["anthropic"]?.["eagerInputStreaming"] !== undefined) return tool;
    const anthropic = { ...tool.providerOptions?.["anthropic"], eagerInputStreaming: true };
    return { ...tool, providerOptions: { ...tool.providerOptions, anthropic } };
  });
}

/** By which members of its options a provider holds the conversation itself: what it then gets is a part of one, and no session's. */
const heldBy: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["thread"],
  openai: ["previousResponseId", "conversation"],
  azure: ["previousResponseId", "conversation"],
  google: ["cachedContent"],
};

export function isHeldByServer({ providerOptions }: LanguageModelV4CallOptions): boolean {
  return Object.entries(heldBy).some(([provider, names]) => names.some((name) => providerOptions?.[provider]?.[name] != null));
}

/** The call's options with what its session made of them. */
export function paramsOf(
  params: LanguageModelV4CallOptions,
  prepared: object,
  headers: Readonly<Record<string, string>>,
): LanguageModelV4CallOptions {
  const { model: _model, prompt, ...made } = prepared as PromptRequest;
  const { tools: _tools, ...rest } = params;
  return {
    ...rest,
    ...made,
    prompt: withAddresses(prompt),
    ...(Object.keys(headers).length > 0 && { headers: { ...params.headers, ...headers } }),
  } as LanguageModelV4CallOptions;
}

/** Providers take addresses of files as `URL` objects; a session keeps them as text. */
function withAddresses(prompt: readonly object[]): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (addressless.has(message)) return message;
    const made = revived(message as ObjectValue);
    if (made === message && Object.isFrozen(message)) addressless.add(message);
    return made;
  }) as unknown as LanguageModelV4Prompt;
}

/** Messages without an address, which a session hands out again and again. */
const addressless = new WeakSet<object>();

function revived(value: ObjectValue): object {
  const holdsAddress = (part: unknown): boolean => isObject(part) && isObject(part.data) && part.data.type === "url";
  const { content } = value;
  if (!Array.isArray(content) || !content.some((part) => holdsAddress(part) || isFilesResult(part))) return value;
  const revive = (part: unknown): unknown => {
    if (holdsAddress(part)) return withUrl(part as ObjectValue);
    if (!isFilesResult(part)) return part;
    const { output } = part as { readonly output: ObjectValue };
    const files = (output.value as readonly unknown[]).map((item) => (holdsAddress(item) ? withUrl(item as ObjectValue) : item));
    return { ...(part as object), output: { ...output, value: files } };
  };
  return { ...value, content: content.map(revive) };
}

function isFilesResult(part: unknown): boolean {
  return isObject(part) && isObject(part.output) && part.output.type === "content" && Array.isArray(part.output.value);
}

function withUrl(part: ObjectValue): object {
  const { data } = part as { readonly data: ObjectValue };
  return { ...part, data: { ...data, url: new URL(String(data.url)) } };
}
