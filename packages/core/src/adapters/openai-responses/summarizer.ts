import { isObject, type ObjectValue } from "../../json/value.ts";
import { checkSummarizer, type Summarizer } from "../../wire/summarizer.ts";
import { readUsage } from "./usage.ts";

/** As much of the official client as is used: `new OpenAI()`. */
export type ResponsesClient = {
  readonly responses: {
    create(body: never, options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> }): PromiseLike<object>;
  };
};

/**
 * Summarises with OpenAI's SDK on the Responses endpoint. Without a model it rides the prefix: the window's own request with the instructions behind it. With a cheaper `model` it sends the
 * flattened text.
 * @throws {OptionError} for what is no such client.
 */
export function openaiResponsesSummarizer(client: ResponsesClient, options: { readonly model?: string | undefined } = {}): Summarizer {
  checkSummarizer(client, ["responses", "create"], "a client, such as new OpenAI()", options);
  const { model } = options;
  return async (input, { signal }) => {
    const body =
      model === undefined
        ? { ...input.request, stream: false }
        : { model, instructions: input.instructions, input: input.transcript, store: false };
    const reply = (await client.responses.create(body as never, {
      signal,
      headers: model === undefined ? input.headers : {},
    })) as ObjectValue;
    const parts = objectsIn(reply.output).flatMap(({ type, content }) => (type === "message" ? objectsIn(content) : []));
    const texts = parts.flatMap(({ type, text }) => (type === "output_text" && typeof text === "string" ? [text] : []));
    const reason = isObject(reply.incomplete_details) ? reply.incomplete_details.reason : undefined;
    return {
      text: texts.join("\n"),
      complete: reply.status === "completed",
      refused: reason === "content_filter" || parts.some(({ type }) => type === "refusal"),
      usage: readUsage(reply.usage),
    };
  };
}

function objectsIn(list: unknown): readonly ObjectValue[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
