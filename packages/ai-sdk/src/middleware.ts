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
import { checkModel } from "./given.ts";
import { landingsOf } from "./landing.ts";
import { checkTidemarkOptions, type TidemarkOptions } from "./options.ts";
import { withMetadata } from "./telemetry.ts";
import { failureOf, unnamed, warningsOf } from "./warnings.ts";
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
  checkModel(model);
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
  const conversations = new Conversations({ ...options, sessions: withFrozenTools(options.sessions) });
  let warned = false;

  async function ready(params: LanguageModelV4CallOptions, model: LanguageModelV4): Promise<Ready> {
    if (prompts.has(params.prompt)) throw new TidemarkError("stacked", stacked);
    const { sessionId: id, request } = callOf(params, model);
    const prepared = await conversations.prepare({ id, wire, address: model.provider, request, signal: params.abortSignal });
    const call = readyWith(params, prepared);
    const named = id !== undefined || warned;
    warned ||= id === undefined;
    return named ? call : { ...call, warnings: [unnamed, ...call.warnings] };
  }

  function readyWith(given: LanguageModelV4CallOptions, prepared: Prepared): Ready {
    const { id, session, turn } = prepared;
    const sent = { id, session, turn };
    const lead = given.prompt.findIndex(({ role }) => role !== "system");
    const unheard = failureOf(() => {
      for (const checkpoint of turn.continuity.checkpoints) options.onCheckpoint?.(checkpoint, sent);
      for (const landing of landingsOf(sent, Math.max(lead, 0), given.prompt.length)) options.onLanding?.(landing, sent);
    });
    const params = paramsOf(given, turn.request, turn.headers, session);
    prompts.add(params.prompt);
    return { params, prepared, warnings: [...warningsOf(turn), ...unheard] };
  }

  /** Calls the model; a refusal for length is answered once, with room made (rule 59). */
  async function called<T>(
    given: LanguageModelV4CallOptions,
    model: LanguageModelV4,
    run: (params: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<{ readonly call: Ready; readonly result: T }> {
    const call = await ready(given, model);
    try {
      return { call, result: await run(call.params) };
    } catch (error) {
      const prepared = await recovered(call.prepared, error);
      if (prepared === undefined) throw error;
      const again = readyWith(given, prepared);
      return { call: { ...again, warnings: [...call.warnings, ...again.warnings] }, result: await run(again.params) };
    }
  }

  return {
    specificationVersion: "v4",
    async wrapGenerate({ params, model, doGenerate }) {
      if (isHeldByServer(params)) return doGenerate();
      const { call, result } = await called(params, model, (made) => model.doGenerate(made));
      const settled = call.prepared.settle(result);
      const providerMetadata = withMetadata(result.providerMetadata, call.prepared.turn, settled);
      return { ...result, providerMetadata, warnings: [...result.warnings, ...call.warnings] };
    },
    async wrapStream({ params, model, doStream }) {
      if (isHeldByServer(params)) return doStream();
      const { call, result } = await called(params, model, (made) => model.doStream(made));
      return { ...result, stream: watched(result.stream, settling(wire, call)) };
    },
  };
}

/** The AI SDK refuses calls of tools that are not active by itself, so that they may stay declared (rule 25). */
function withFrozenTools(sessions: TidemarkOptions["sessions"] = {}): NonNullable<TidemarkOptions["sessions"]> {
  return typeof sessions === "function" ? sessions : { toolChanges: "append", ...sessions };
}

/** The refusal is what the host hears, also where no room could be made. */
async function recovered(prepared: Prepared, refusal: unknown): Promise<Prepared | undefined> {
  try {
    return await prepared.recover(refusal);
  } catch {
    return undefined;
  }
}

/** Settles when the stream says that it is complete, before the host hears it; one that breaks off or is left settles nothing. */
function settling(wire: Wire, { prepared, warnings }: Ready): (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart {
  const accumulator = wire.accumulator();
  return (part) => {
    accumulator.add(part);
    if (part.type === "finish") {
      const { reply, finished } = accumulator.reply();
      if (!finished) return part;
      return { ...part, providerMetadata: withMetadata(part.providerMetadata, prepared.turn, prepared.settle(reply)) };
    }
    return part.type === "stream-start" ? { ...part, warnings: [...part.warnings, ...warnings] } : part;
  };
}

const stacked = "This model is wrapped by Tidemark twice. Wrap it once: where one middleware list is shared, leave withTidemark away.";
