import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";

/**
 * Anthropic's package drops what says which code made a call (`caller`), once that code is no longer in the messages and the user has said something since. Dropped here, where its session sees
 * it, it is a change like any other: told with its path, and thinking that is bound to it goes. Source: the end of `convertToAnthropicPrompt` of `@ai-sdk/anthropic` 4.0.105.
 */
export function withKnownCallers(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const lastWords = prompt.findLastIndex(({ role, content }) => role === "user" && content.length > 0);
  const before = prompt.slice(0, Math.max(lastWords, 0));
  if (!before.some((message) => message.role === "assistant" && message.content.some((part) => callerIn(part) !== undefined)))
    return prompt;
  const ran = new Set(prompt.flatMap(({ role, content }) => (role === "assistant" ? content.flatMap(codeIn) : [])));
  return prompt.map((message, index) => {
    if (message.role !== "assistant" || index >= lastWords) return message;
    const isLost = (part: Part): boolean => {
      const caller = callerIn(part);
      return caller !== undefined && !ran.has(caller);
    };
    return message.content.some(isLost)
      ? { ...message, content: message.content.map((part) => (isLost(part) ? withoutCaller(part) : part)) }
      : message;
  });
}

type Part = { readonly providerOptions?: SharedV4ProviderOptions | undefined };

/** Id of the code that made a call; undefined: the model made it itself. */
function callerIn({ providerOptions }: Part): string | undefined {
  const caller = providerOptions?.["anthropic"]?.["caller"] as { readonly toolId?: unknown } | null | undefined;
  return typeof caller?.toolId === "string" ? caller.toolId : undefined;
}

function codeIn(part: {
  readonly type: string;
  readonly toolCallId?: string;
  readonly providerExecuted?: boolean | undefined;
}): readonly string[] {
  return part.type === "tool-call" && part.providerExecuted === true && part.toolCallId !== undefined ? [part.toolCallId] : [];
}

function withoutCaller<P extends Part>(part: P): P {
  const { anthropic, ...others } = part.providerOptions ?? {};
  const { caller: _caller, ...rest } = anthropic ?? {};
  return { ...part, providerOptions: { ...others, ...(Object.keys(rest).length > 0 && { anthropic: rest }) } };
}
