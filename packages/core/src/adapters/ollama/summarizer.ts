import { isObject, type ObjectValue } from "../../json/value.ts";
import { checkSummarizer, type Summarizer } from "../../wire/summarizer.ts";
import { readUsage } from "./usage.ts";

/** As much of the official client as is used: `new Ollama()`. */
export type OllamaClient = { chat(request: never): PromiseLike<object> };

/**
 * Summarises with Ollama's client. Without a model it rides the prefix: the window's own request with the instructions behind it, most of which the server has in its cache. With another
 * `model` it sends the flattened text. The client takes no signal: an aborted call is no longer waited for.
 * @throws {OptionError} for what is no such client.
 */
export function ollamaSummarizer(client: OllamaClient, options: { readonly model?: string | undefined } = {}): Summarizer {
  checkSummarizer(client, ["chat"], "a client, such as new Ollama()", options);
  const { model } = options;
  return async (input, { signal }) => {
    const messages = [
      { role: "system", content: input.instructions },
      { role: "user", content: input.transcript },
    ];
    const body = model === undefined ? { ...input.request, stream: false } : { model, messages, stream: false };
    const reply = (await Promise.race([client.chat(body as never), aborted(signal)])) as ObjectValue;
    const content = isObject(reply.message) ? reply.message.content : undefined;
    return {
      text: typeof content === "string" ? content : "",
      complete: reply.done_reason === "stop",
      refused: false,
      usage: readUsage(reply),
    };
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
