import type { ObjectValue, Profile } from "@tidemark/core";
import { type OpenAIChatOptions, openaiChat } from "@tidemark/core/openai-chat";
import { chanceOf } from "../chance.ts";
import { type Clock, manualClock } from "../clock.ts";
import type { Answer, Arrival, Endpoint } from "../endpoint.ts";
import { scriptedFailure } from "../failure.ts";
import { objectOf, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Script, type ScriptedReply, scriptOf } from "../script.ts";
import { checkShape } from "../shape-check.ts";
import { begun, type Simulator, serve, unreadable } from "../simulator.ts";
import { breakpointCache, cachesByBreakpoint } from "./breakpoint-cache.ts";
import { type ChatCache, noCache } from "./cache.ts";
import { answersOf, type DialectAnswers } from "./dialects.ts";
import { isMarked } from "./pieces.ts";
import { completionOf, hiddenThinkingTokens, messageOf, timingsOf, usageOf } from "./reply.ts";
import { streamOf } from "./stream.ts";

export type OpenAIChatSimulatorOptions = {
  /** Whose server this is; `openai` if absent. It says what is refused, where reasoning stands and how the cache works. */
  readonly dialect?: NonNullable<OpenAIChatOptions["dialect"]> | undefined;
  /** Ids follow from it. */
  readonly seed?: string | number | undefined;
  /** Stands still until advanced, if none is given. */
  readonly clock?: Clock | undefined;
  readonly script?: Script | readonly ScriptedReply[] | undefined;
  /** Figures of models, over those of the wire's table. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** `breakpoints` is how GPT-5.6 and later cache, `blocks` the dialect's own way: blocks, DeepSeek's units, single tokens. By dialect and model if absent. */
  readonly cache?: "breakpoints" | "blocks" | undefined;
  /** How many of the latest requests are kept in `requests`; all if absent. */
  readonly keep?: number | undefined;
  /** Rules, by id, that this server does not hold requests to: ones that are written down, but that the service itself was seen not to have. */
  readonly without?: readonly string[] | undefined;
};

/** A strict Chat Completions server: `POST …/chat/completions`. */
export function openaiChatSimulator(options: OpenAIChatSimulatorOptions = {}): Simulator {
  const clock = options.clock ?? manualClock();
  return serve(endpointOf(options, clock), { clock, keep: options.keep, mainPath: "/v1/chat/completions", headers: {} });
}

function endpointOf(options: OpenAIChatSimulatorOptions, clock: Clock): Endpoint {
  const dialect = options.dialect ?? "openai";
  const answers = answersOf(dialect);
  const chance = chanceOf(options.seed ?? "tidemark");
  const wire = openaiChat({ dialect, profiles: options.profiles ?? {} });
  const rules = wire.rules.filter(({ id }) => options.without?.includes(id) !== true);
  const script = scriptOf(options.script);
  const breakpoints = breakpointCache(clock);
  const own = answers.cache(clock);
  let position = 0;

  const answer = async (arrival: Arrival): Promise<Answer> => {
    const request = openArrival(arrival);
    const profile = wire.profile(stringOf(request.model));
    checkShape(rules, request, { profile, betas: undefined, version: undefined }, placeText);
    const reading = cacheFor(request, profile).read(request, profile.id);
    checkWindow(reading.account.prompt, profile, answers);
    const scripted = await script(request, position++);
    if (scripted.error !== undefined) throw scriptedFailure(scripted.error, usualText);
    await begun();
    const message = messageOf(scripted, answers, chance, profile);
    reading.begin(message);
    const reply = completionOf({
      id: `chatcmpl-${chance.token(28)}`,
      created: Math.floor(clock.now() / 1_000),
      model: stringOf(request.model),
      message,
      finish: scripted.stop,
      usage: usageOf(reading.account, message, hiddenThinkingTokens(scripted, answers), answers),
      ...(answers.usage === "timings" && { timings: timingsOf(reading.account, message) }),
    });
    const withUsage = objectOf(request.stream_options).include_usage === true;
    return { reply, cache: reading.account, ...(request.stream === true && { events: streamOf(reply, withUsage), cut: scripted.cut }) };
  };

  const cacheFor = (request: ObjectValue, profile: Profile): ChatCache => {
    if (options.cache !== undefined) return options.cache === "breakpoints" ? breakpoints : own;
    if (dialect === "openai" && cachesByBreakpoint(profile.id)) return breakpoints;
    // Claude behind a router caches nothing that is not marked.
    return profile.traits.includes("cache-control") && !isMarked(request) ? noCache : own;
  };

  return {
    answer,
    envelope: (refusal) => envelopes[answers.errors](refusal),
    requestId: () => `req_${chance.token(32)}`,
    requestIdHeader: "x-request-id",
  };
}

function openArrival({ path, body }: Arrival): ObjectValue {
  if (!path.endsWith("/chat/completions")) throw new Refusal(404, `Invalid URL (POST ${path})`);
  if (body === unreadable) throw new Refusal(400, "We could not parse the JSON body of your request.");
  if (!Array.isArray(body.messages))
    throw new Refusal(400, "Missing required parameter: 'messages'.", { path: "messages", code: "missing_required_parameter" });
  return body;
}

/** OC-12, each server in its own words. */
function checkWindow(tokens: number, profile: Profile, answers: DialectAnswers): void {
  if (tokens <= profile.context) return;
  const { message, ...facts } = answers.tooLong(tokens, profile.context);
  throw new Refusal(400, message, { rule: "OC-12", path: "messages", ...facts });
}

/** `messages[1].tool_calls`. */
function placeText(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return steps.join("").slice(1);
}

function usualText(status: number): string {
  return status === 429 ? "Rate limit reached." : "The server had an error while processing your request.";
}

const envelopes: Readonly<Record<DialectAnswers["errors"], (refusal: Refusal) => ObjectValue>> = {
  wrapped: (refusal) => ({ error: errorOf(refusal) }),
  bare: (refusal) => ({ ...errorOf(refusal), param: "validation_error" }),
  mistral: (refusal) => ({ object: "error", ...errorOf(refusal), param: null }),
  // What the upstream said comes as text.
  openrouter: (refusal) => {
    const raw = JSON.stringify({ error: errorOf(refusal) });
    return { error: { code: refusal.status, message: "Provider returned error", metadata: { raw, provider_name: "Simulated" } } };
  },
  vllm: ({ status, message, more }) => {
    const type = status === 400 ? "BadRequestError" : "InternalServerError";
    return { error: { message, type, param: null, code: status, ...more } };
  },
};

function errorOf({ status, message, type, path, code, more }: Refusal): ObjectValue {
  const usual = status === 429 ? "rate_limit_exceeded" : status >= 500 ? "server_error" : "invalid_request_error";
  return { message, type: type ?? usual, param: path ?? null, code: code ?? null, ...more };
}
