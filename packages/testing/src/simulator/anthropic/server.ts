import type { ObjectValue, Profile } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { chanceOf } from "../chance.ts";
import { type Clock, manualClock } from "../clock.ts";
import type { Answer, Arrival, Endpoint } from "../endpoint.ts";
import { scriptedFailure } from "../failure.ts";
import { objectsOf, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Script, type ScriptedReply, scriptOf } from "../script.ts";
import { checkShape } from "../shape-check.ts";
import { begun, type Simulator, serve } from "../simulator.ts";
import { type AnthropicArrival, asSdkSends, mismatchAsked, openArrival } from "./arrival.ts";
import { type CacheReading, promptCache } from "./cache.ts";
import { asksForCompaction, compactionSigner } from "./compaction.ts";
import { cacheDiagnostics } from "./diagnostics.ts";
import { issuedReplies } from "./issued.ts";
import { checkFallbacks, checkOpenTurn, neverThought, type OpenTurn, openTurn } from "./latest-turn.ts";
import type { KeyOrder } from "./positions.ts";
import { emptyPrefix, prefixReader } from "./prefix.ts";
import { compactionUsage, contentOf, messageOf, outputTokens, usageOf } from "./reply.ts";
import { signer } from "./signatures.ts";
import { streamOf } from "./stream.ts";
import { bindingBeta, type CheckedThinking, checkThinking, type MismatchMode, sealBehind } from "./thinking-check.ts";
import { readFrom, thresholdBlock, thresholdOf } from "./threshold.ts";

export type AnthropicSimulatorOptions = {
  /** Ids and signatures follow from it: the same requests get the same bytes. Simulators of one seed accept each other's signatures. */
  readonly seed?: string | number | undefined;
  /** Stands still until advanced, if none is given. */
  readonly clock?: Clock | undefined;
  /** What the account does with thinking whose prefix changed, unless the request says so itself. `error` if absent. */
  readonly mode?: MismatchMode | undefined;
  /** Thinking is bound to it. */
  readonly organisation?: string | undefined;
  readonly script?: Script | readonly ScriptedReply[] | undefined;
  /** Figures of models, over those of the wire's table; a model that only stands here is known too. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** Whether the order of keys inside a call's input or a tool's schema is part of the cached prefix. `significant` if absent: the strict reading. */
  readonly keyOrder?: KeyOrder | undefined;
  /** How many of the latest requests are kept in `requests`; all if absent. */
  readonly keep?: number | undefined;
};

/** A strict Anthropic Messages server: `POST /v1/messages` and `/v1/messages/count_tokens`. */
export function anthropicSimulator(options: AnthropicSimulatorOptions = {}): Simulator {
  const clock = options.clock ?? manualClock();
  return serve(endpointOf(options, clock), {
    clock,
    keep: options.keep,
    mainPath: "/v1/messages",
    headers: { "anthropic-version": "2026-10-21" },
    asSdkSends,
  });
}

function endpointOf(options: AnthropicSimulatorOptions, clock: Clock): Endpoint {
  const seed = String(options.seed ?? "tidemark");
  const organisation = options.organisation ?? "org_simulated";
  const chance = chanceOf(seed);
  const wire = anthropic({ profiles: options.profiles ?? {} });
  const script = scriptOf(options.script);
  const signatures = signer(seed);
  const compactions = compactionSigner(seed);
  const prefixes = prefixReader(compactions.seam);
  const issued = issuedReplies();
  const cache = promptCache(clock, { keyOrder: options.keyOrder ?? "significant" });
  const diagnostics = cacheDiagnostics();
  let position = 0;

  const answer = async (received: Arrival): Promise<Answer> => {
    const arrival = openArrival(received);
    const profile = wire.profile(stringOf(arrival.request.model));
    const turn = openTurn(arrival.request, issued);
    judge(arrival, profile, turn);
    compactions.check(arrival.request);
    checkFallbacks(arrival.request, issued);
    if (turn !== undefined) checkOpenTurn(turn, issued, { profile, organisation });
    const mode = modeOf(arrival, options.mode ?? "error");
    const thinking = checkThinking(
      arrival.request,
      { signer: signatures, prefixes, compactions, organisation },
      { profile, mode, betas: arrival.betas },
    );
    const read = readFrom({ request: arrival.request, dropped: thinking.dropped });
    const reading = cache.read(read.request, { profile, betas: arrival.betas, dropped: read.dropped });
    if (arrival.counts) return { reply: { input_tokens: reading.account.prompt } };
    checkWindow(reading, profile);
    const scripted = isPrewarm(arrival.request) ? { parts: [], stop: "max_tokens" } : await script(arrival.request, position++);
    if (scripted.error !== undefined) throw scriptedFailure(scripted.error, usualText);
    await begun();
    reading.begin();
    return answered(arrival, profile, scripted, thinking, reading);
  };

  const answered = (
    arrival: AnthropicArrival,
    profile: Profile,
    scripted: ScriptedReply,
    thinking: CheckedThinking,
    reading: CacheReading,
  ): Answer => {
    const { request } = arrival;
    const id = `msg_01${chance.token(22)}`;
    const compacts = asksForCompaction(request);
    const restarts = !compacts && reading.account.prompt > (thresholdOf(request) ?? Number.POSITIVE_INFINITY) && scripted.summary !== null;
    const block = restarts ? thresholdBlock(scripted.summary ?? "Summary of what came before.") : undefined;
    const seal = block === undefined ? thinking.seal : sealBehind(request, thinking.seal, block, prefixes);
    const content = compacts
      ? summaryOf(request, profile, scripted)
      : [...(block === undefined ? [] : [block]), ...contentOf(scripted, { request, seal, signer: signatures, chance })];
    const tokens = outputTokens(content);
    const reply = messageOf({
      id,
      model: stringOf(request.model),
      content,
      stop: scripted.stop ?? (compacts && content.length > 0 ? "compaction" : undefined),
      usage: compacts
        ? compactionUsage(reading.account, tokens.all)
        : usageOf(reading.account, tokens.all, tokens.thinking, block && outputTokens([block]).all),
      diagnostics: diagnostics.compare(request, reading),
      transformations: arrival.betas.includes(bindingBeta) ? thinking.transformations : undefined,
    });
    issued.record(content, profile.id, organisation);
    for (const block of thinking.voided) issued.release(block);
    diagnostics.remember(id, reading.fingerprint);
    return {
      reply,
      cache: reading.account,
      transformations: thinking.transformations,
      ...(request.stream === true && { events: streamOf(reply), cut: scripted.cut }),
    };
  };

  const judge = ({ request, version, betas, counts }: AnthropicArrival, profile: Profile, turn: OpenTurn | undefined): void => {
    // Counting takes no output limit; the other rules are the same.
    const judged = counts ? { max_tokens: 1, ...request } : request;
    const rules = neverThought(turn) ? wire.rules.filter(({ id }) => id !== "AN-15") : wire.rules;
    checkShape(rules, judged, { profile, betas, version }, (path) => path.join("."));
  };

  const summaryOf = (request: ObjectValue, profile: Profile, scripted: ScriptedReply): readonly ObjectValue[] => {
    if (scripted.summary === null) return [];
    const messages = objectsOf(request.messages);
    const end = messages.reduce((state, message) => prefixes.after(state, message), emptyPrefix);
    const text = scripted.summary ?? `Summary of ${messages.length} messages.`;
    return [compactions.sign(text, { end: profile.bindsReasoning === "yes" ? end : undefined, messages })];
  };

  return { answer, envelope, requestId: () => `req_01${chance.token(22)}`, requestIdHeader: "request-id" };
}

/** AN-25. */
function checkWindow({ account }: CacheReading, profile: Profile): void {
  if (account.prompt <= profile.context) return;
  throw new Refusal(400, `prompt is too long: ${account.prompt} tokens > ${profile.context} maximum`, { rule: "AN-25", path: "messages" });
}

function modeOf({ request, betas }: AnthropicArrival, account: MismatchMode): MismatchMode {
  const asked = betas.includes(bindingBeta) ? mismatchAsked(request) : undefined;
  if (asked === "error") return "error";
  return asked === "drop_block" ? "drop" : account;
}

/** `max_tokens: 0` fills the cache and says nothing. */
function isPrewarm(request: ObjectValue): boolean {
  return request.max_tokens === 0;
}

function usualText(status: number): string {
  return failureTexts[status] ?? "Internal server error";
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};
const failureTexts: Readonly<Record<number, string>> = { 429: "This request would exceed your rate limit.", 529: "Overloaded" };

function envelope(refusal: Refusal, requestId: string): ObjectValue {
  const type = refusal.type ?? errorTypes[refusal.status] ?? "api_error";
  const details = refusal.code === undefined ? {} : { details: { error_code: refusal.code } };
  return { type: "error", error: { type, message: refusal.message, ...details }, request_id: requestId };
}
