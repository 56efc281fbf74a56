import { checkSummarizer, type Summarizer } from "../../wire/summarizer.ts";

/** As much of the official client as is used: `new OpenAI()`. */
export type ChatClient = {
  readonly chat: {
    readonly completions: {
      create(
        body: never,
        options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
      ): PromiseLike<object>;
    };
  };
};

/**
 * Summarises with OpenAI's SDK, or any client of that shape. Without a model it rides the prefix: the window's own request with the instructions behind it. With a cheaper `model` it sends
 * the flattened text.
 * @throws {OptionError} for what is no such client.
 */
export function openaiChatSummarizer(client: ChatClient, options: { readonly model?: string | undefined } = {}): Summarizer {
  checkSummarizer(client, ["chat", "completions", "create"], "a client, such as new OpenAI()", options);
  const { model } = options;
  return async (input, { signal }) => {
    const messages = [
      { role: "system", content: input.instructions },
      { role: "user", content: input.transcript },
    ];
    const body = model === undefined ? { ...input.request, stream: false } : { model, messages };
    const reply = (await client.chat.completions.create(body as never, { signal, headers: model === undefined ? input.headers : {} })) as {
      readonly choices?: readonly {
        readonly finish_reason?: string;
        readonly message?: { readonly content?: string | null; readonly refusal?: string | null };
      }[];
    };
    const choice = reply.choices?.[0];
    const refusal = choice?.message?.refusal ?? "";
    return {
      text: choice?.message?.content ?? "",
      complete: choice?.finish_reason === "stop",
      refused: refusal !== "" || choice?.finish_reason === "content_filter",
    };
  };
}
