import { isObject, type ObjectValue } from "../../json/value.ts";
import { checkSummarizer, type Summarizer } from "../../wire/summarizer.ts";
import { readUsage } from "./usage.ts";

/** As much of the official client as is used: `new GoogleGenAI({ … })`. */
export type GeminiClient = { readonly models: { generateContent(params: never): PromiseLike<object> } };

/** Reasons by which the model, or a filter before it, declines. */
const refusing: ReadonlySet<unknown> = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

/**
 * Summarises with Google's SDK. Without a model it rides the prefix: the window's own request with the instructions behind it, so that requests must be in the SDK's form. With a cheaper
 * `model` it sends the flattened text.
 * @throws {OptionError} for what is no such client.
 */
export function geminiSummarizer(client: GeminiClient, options: { readonly model?: string | undefined } = {}): Summarizer {
  checkSummarizer(client, ["models", "generateContent"], "a client, such as new GoogleGenAI({})", options);
  const { model } = options;
  return async (input, { signal }) => {
    const own = input.request as ObjectValue;
    const params =
      model === undefined
        ? { ...own, config: { ...(isObject(own.config) ? own.config : {}), abortSignal: signal } }
        : { model, contents: input.transcript, config: { systemInstruction: input.instructions, abortSignal: signal } };
    const reply = (await client.models.generateContent(params as never)) as ObjectValue;
    const [candidate] = objectsIn(reply.candidates);
    const parts = isObject(candidate?.content) ? objectsIn(candidate.content.parts) : [];
    const texts = parts.flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? [text] : []));
    const blocked = isObject(reply.promptFeedback) && reply.promptFeedback.blockReason !== undefined;
    return {
      text: texts.join(""),
      complete: candidate?.finishReason === "STOP",
      refused: blocked || refusing.has(candidate?.finishReason),
      usage: readUsage(reply),
    };
  };
}

function objectsIn(list: unknown): readonly ObjectValue[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
