import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { TidemarkError } from "@tidemark/core";
import { withAddresses } from "./addresses.ts";
import { withKnownCallers } from "./callers.ts";
import { familyOf, modelName, refusesForcedTools } from "./wire/families.ts";
import type { PromptRequest } from "./wire/request.ts";

/** A call taken apart: what its session prepares, and who it belongs to. */
export type Call = {
  readonly sessionId: string | undefined;
  readonly request: PromptRequest;
};

/** @throws {TidemarkError} `invalid-option` for a session id that is no text, or another member beside it. */
export function callOf(params: LanguageModelV4CallOptions, model: LanguageModelV4): Call {
  // What is no data is none of a session's business, and could not be copied.
  const { abortSignal: _signal, headers: _headers, providerOptions, tools, toolChoice, prompt, ...rest } = params;
  const { tidemark, ...others } = providerOptions ?? {};
  const isAnthropic = familyOf(model.provider) === "anthropic";
  const stated = isAnthropic ? withStreaming(tools, others) : tools;
  const name = modelName(model.provider, model.modelId);
  // All tools stay declared so; the package warns of it as it does of the one tool.
  const free = toolChoice?.type === "tool" && refusesForcedTools(name);
  return {
    sessionId: sessionIdIn(tidemark),
    request: {
      ...rest,
      model: name,
      prompt: isAnthropic ? withKnownCallers(withSentPrefills(prompt)) : prompt,
      ...(toolChoice !== undefined && { toolChoice: free ? { type: "required" } : toolChoice }),
      ...(providerOptions !== undefined && { providerOptions: others }),
      ...(stated !== undefined && { tools: stated }),
    },
  };
}

function sessionIdIn(own: SharedV4ProviderOptions[string] | undefined): string | undefined {
  const stray = Object.keys(own ?? {}).find((name) => name !== "sessionId");
  if (stray !== undefined) {
    const path = `$.providerOptions.tidemark.${stray}`;
    throw new TidemarkError("invalid-option", `${path}: there is no such option; sessionId names the conversation.`, { path });
  }
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

/** Anthropic's provider trims a begun reply as long as it stands last. Once the model's own words stand behind it, it stays as it was sent. */
function withSentPrefills(prompt: LanguageModelV4CallOptions["prompt"]): LanguageModelV4CallOptions["prompt"] {
  if (!prompt.some(({ role }, index) => role === "assistant" && prompt[index + 1]?.role === role)) return prompt;
  return prompt.map((message, index) => {
    const [part, ...others] = message.role === "assistant" ? message.content : [];
    if (message.role !== "assistant" || prompt[index + 1]?.role !== "assistant" || part?.type !== "text" || others.length > 0)
      return message;
    return { ...message, content: [{ ...part, text: part.text.trim() }] };
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

/** The call's options with what its session made of them. `session`: absent for a request that stands beside the conversation. */
export function paramsOf(
  params: LanguageModelV4CallOptions,
  prepared: object,
  headers: Readonly<Record<string, string>>,
  session?: object,
): LanguageModelV4CallOptions {
  const { model: _model, prompt, ...made } = prepared as PromptRequest;
  const { tools: _tools, ...rest } = params;
  return {
    ...rest,
    ...made,
    prompt: withAddresses(prompt, session),
    ...(Object.keys(headers).length > 0 && { headers: joinedHeaders(params.headers ?? {}, headers) }),
  } as LanguageModelV4CallOptions;
}

type CallHeaders = NonNullable<LanguageModelV4CallOptions["headers"]>;

/** A header that both write is a list, such as `anthropic-beta`. */
function joinedHeaders(own: CallHeaders, added: Readonly<Record<string, string>>): CallHeaders {
  const lists = Object.entries(added).map(([name, value]) => {
    const values = `${own[name] ?? ""},${value}`.split(",").map((item) => item.trim());
    return [name, [...new Set(values)].filter((item) => item !== "").join(",")];
  });
  return { ...own, ...Object.fromEntries(lists) };
}
