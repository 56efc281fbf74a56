import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { TidemarkError, type Wire } from "@tidemark/core";
import { Conversations, type Prepared } from "@tidemark/core/fetch";
import { wrapLanguageModel } from "ai";
import { callOf, isHeldByServer, paramsOf } from "./call.ts";
import { checkTidemarkOptions, type TidemarkOptions } from "./options.ts";
import { unnamed, warningsOf } from "./warnings.ts";
import { watched } from "./watch.ts";
import { aiSdkWire } from "./wire/wire.ts";

/** A call that its session prepared. */
type Ready = { readonly params: LanguageModelV4CallOptions; readonly prepared: Prepared; readonly warnings: readonly SharedV4Warning[] };

/**
 * The model with sessions under it: `withTidemark(anthropic("claude-opus-5-5"))`. Give each call `providerOptions: { tidemark: { sessionId } }`.
 *
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function withTidemark(model: Parameters<typeof wrapLanguageModel>[0]["model"], options: TidemarkOptions = {}): LanguageModelV4 {
  return wrapLanguageModel({ model, middleware: tidemarkMiddleware(options) });
}

/** Prompts that a Tidemark has prepared: by them a second one below the first knows. */
const prompts = new WeakSet<object>();

/**
 * A middleware for `wrapLanguageModel`. It works on each attempt's prompt and calls the model itself, so that other middlewares go before it in the list.
 *
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function tidemarkMiddleware(options: TidemarkOptions = {}): LanguageModelV4Middleware {
  checkTidemarkOptions(options);
  const wire = aiSdkWire(options.profiles === undefined ? {} : { profiles: options.profiles }) as unknown as Wire;
  const conversations = new Conversations(options);
  let warned = false;

  async function ready(params: LanguageModelV4CallOptions, model: LanguageModelV4): Promise<Ready> {
    if (prompts.has(params.prompt)) throw new TidemarkError("stacked", stacked);
    const { sessionId: id, request } = callOf(params, model);
    const prepared = await conversations.prepare({ id, wire, address: model.provider, request, signal: params.abortSignal });
    const { turn, session } = prepared;
    for (const checkpoint of turn.continuity.checkpoints) options.onCheckpoint?.(checkpoint, { id, session, turn });
    const made = paramsOf(params, turn.request, turn.headers);
    prompts.add(made.prompt);
    const warnings = [...(id === undefined && !warned ? [unnamed] : []), ...warningsOf(turn)];
    warned ||= id === undefined;
    return { params: made, prepared, warnings };
  }

  return {
    specificationVersion: "v4",
    async wrapGenerate({ params, model, doGenerate }) {
      if (isHeldByServer(params)) return doGenerate();
      const call = await ready(params, model);
      const result = await model.doGenerate(call.params);
      call.prepared.settle(result);
      return call.warnings.length === 0 ? result : { ...result, warnings: [...result.warnings, ...call.warnings] };
    },
    async wrapStream({ params, model, doStream }) {
      if (isHeldByServer(params)) return doStream();
      const call = await ready(params, model);
      const result = await model.doStream(call.params);
      return { ...result, stream: watched(result.stream, settling(wire, call)) };
    },
  };
}

/** Settles when the stream says that it is complete, before the host hears it; one that breaks off or is left settles nothing. */
function settling(wire: Wire, { prepared, warnings }: Ready): (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart {
  const accumulator = wire.accumulator();
  return (part) => {
    accumulator.add(part);
    if (part.type === "finish") {
      const { reply, finished } = accumulator.reply();
      if (finished) prepared.settle(reply);
    }
    return part.type === "stream-start" ? { ...part, warnings: [...part.warnings, ...warnings] } : part;
  };
}

const stacked = "This model is wrapped by Tidemark twice. Wrap it once: where one middleware list is shared, leave withTidemark away.";
