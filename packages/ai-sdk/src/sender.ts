import type { OnDemandCompactionOptions } from "@tidemark/core";
import { wrapLanguageModel } from "ai";
import { paramsOf } from "./call.ts";
import { checkModel } from "./given.ts";

/**
 * Sends what `onDemandCompaction` asks of the provider: `onDemandCompaction({ send: sender(anthropic("claude-opus-5-5")) })`. The model is the one that was wrapped.
 * @throws {OptionError} for what is no model.
 */
export function sender(model: Parameters<typeof wrapLanguageModel>[0]["model"]): OnDemandCompactionOptions["send"] {
  checkModel(model);
  const plain = wrapLanguageModel({ model, middleware: { specificationVersion: "v4" } });
  return async (request, { headers, signal }) => plain.doGenerate(paramsOf({ prompt: [], abortSignal: signal }, request, headers));
}
