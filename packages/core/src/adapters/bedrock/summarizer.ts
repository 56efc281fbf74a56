import { isObject, type ObjectValue } from "../../json/value.ts";
import { checkSummarizer, type Summarizer } from "../../wire/summarizer.ts";
import { readUsage } from "./usage.ts";

/** Sends a request of Converse: `(input, options) => client.send(new ConverseCommand(input), options)`. */
export type Converse = (input: never, options: { readonly abortSignal: AbortSignal }) => PromiseLike<object>;

const refusing: ReadonlySet<unknown> = new Set(["content_filtered", "guardrail_intervened", "refusal"]);

/**
 * Summarises with the AWS SDK. Without a model it rides the prefix: the window's own request with the instructions behind it. With a cheaper `model` it sends the flattened text.
 * @throws {OptionError} for what is no such client.
 */
export function bedrockSummarizer(converse: Converse, options: { readonly model?: string | undefined } = {}): Summarizer {
  checkSummarizer(converse, [], "a function, such as (input, options) => client.send(new ConverseCommand(input), options)", options);
  const { model } = options;
  return async (input, { signal }) => {
    const flattened = { system: [{ text: input.instructions }], messages: [{ role: "user", content: [{ text: input.transcript }] }] };
    const body = model === undefined ? input.request : { modelId: model, ...flattened };
    const reply = (await converse(body as never, { abortSignal: signal })) as ObjectValue;
    const message = isObject(reply.output) && isObject(reply.output.message) ? reply.output.message : {};
    const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    return {
      text: blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n"),
      complete: reply.stopReason === "end_turn",
      refused: refusing.has(reply.stopReason),
      usage: readUsage(reply.usage ?? null),
    };
  };
}
