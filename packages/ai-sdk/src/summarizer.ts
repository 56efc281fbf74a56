import type { Summarizer } from "@tidemark/core";
import { generateText, type LanguageModel } from "ai";
import { checkModel } from "./given.ts";

/**
 * A summariser for `summarize` out of a model of the AI SDK: it is given the flattened transcript, so that a cheap model will do. A model whose own session waits for the summary
 * fails at once, with `session-waits-for-itself`: hand over the model that was wrapped.
 * @throws {OptionError} for what is no model.
 */
export function summarizer(model: LanguageModel): Summarizer {
  if (typeof model !== "string") checkModel(model);
  return async ({ instructions, transcript, tokensMax }, { signal }) => {
    const result = await generateText({ model, instructions, prompt: transcript, maxOutputTokens: tokensMax, abortSignal: signal });
    const { text, finishReason } = result;
    return { text, complete: finishReason !== "length", refused: finishReason === "content-filter" };
  };
}
