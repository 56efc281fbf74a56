import { checkSummarizer, type Summarizer } from "../../wire/summarizer.ts";
import { readUsage } from "./usage.ts";

/** As much of the official client as is used: `new Anthropic()`. */
export type MessagesClient = {
  readonly messages: {
    create(body: never, options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> }): PromiseLike<object>;
  };
};

/**
 * Summarises with Anthropic's SDK. Without a model it rides the prefix: the window's own request with the instructions behind it, most of it read from the cache. With a cheaper `model` it
 * sends the flattened text.
 * @throws {OptionError} for what is no such client.
 */
export function anthropicSummarizer(client: MessagesClient, options: { readonly model?: string | undefined } = {}): Summarizer {
  checkSummarizer(client, ["messages", "create"], "a client, such as new Anthropic()", options);
  const { model } = options;
  return async (input, { signal }) => {
    const max_tokens = input.tokensMax * 2;
    const body =
      model === undefined
        ? { ...input.request, max_tokens, stream: false }
        : { model, max_tokens, system: input.instructions, messages: [{ role: "user", content: input.transcript }] };
    const reply = (await client.messages.create(body as never, { signal, headers: model === undefined ? input.headers : {} })) as {
      readonly content?: readonly { readonly type: string; readonly text?: string }[];
      readonly stop_reason?: string;
      readonly usage?: never;
    };
    const text = (reply.content ?? []).flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])).join("\n");
    return { text, complete: reply.stop_reason === "end_turn", refused: reply.stop_reason === "refusal", usage: readUsage(reply.usage) };
  };
}
