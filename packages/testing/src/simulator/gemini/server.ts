import type { ObjectValue, Profile } from "@tidemark/core";
import { gemini, geminiInteractions } from "@tidemark/core/gemini";
import { chanceOf } from "../chance.ts";
import { type Clock, manualClock } from "../clock.ts";
import type { Answer, Arrival, Endpoint } from "../endpoint.ts";
import { scriptedFailure } from "../failure.ts";
import { objectsOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Script, type ScriptedReply, scriptOf } from "../script.ts";
import { checkShape } from "../shape-check.ts";
import { begun, type Simulator, serve } from "../simulator.ts";
import { type Asked, asSdkSends, openArrival } from "./arrival.ts";
import { implicitCache, type Prompt } from "./cache.ts";
import { cachedContents } from "./cached-contents.ts";
import { interactionPieces, interactionSettings, signedSteps, stepsIn } from "./interaction-pieces.ts";
import { interactionEvents, interactionOf, interactionUsage, replySteps } from "./interaction-reply.ts";
import { promptPieces, settingsOf, tokensIn } from "./pieces.ts";
import { replyParts, responseOf, thoughtTokens, usageOf } from "./reply.ts";
import { signedParts, signer } from "./signatures.ts";
import { streamOf } from "./stream.ts";

export type GeminiSimulatorOptions = {
  /** Ids and signatures follow from it. */
  readonly seed?: string | number | undefined;
  /** Stands still until advanced, if none is given. */
  readonly clock?: Clock | undefined;
  readonly script?: Script | readonly ScriptedReply[] | undefined;
  /** Figures of models, over those of the wire's table. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** How many of the latest requests are kept in `requests`; all if absent. */
  readonly keep?: number | undefined;
};

/**
 * A strict Gemini API: `generateContent`, `streamGenerateContent`, `countTokens`, `POST cachedContents`, and `POST interactions` in stateless use. Through `handle` it takes a request with its model beside it, or
 * the SDK's parameters.
 */
export function geminiSimulator(options: GeminiSimulatorOptions = {}): Simulator {
  const clock = options.clock ?? manualClock();
  const endpoint = endpointOf(options, clock);
  return serve(endpoint, { clock, keep: options.keep, mainPath: ":generateContent", headers: {}, asSdkSends });
}

function endpointOf(options: GeminiSimulatorOptions, clock: Clock): Endpoint {
  const seed = String(options.seed ?? "tidemark");
  const chance = chanceOf(seed);
  const wire = gemini({ profiles: options.profiles ?? {} });
  const interactionsWire = geminiInteractions({ profiles: options.profiles ?? {} });
  const script = scriptOf(options.script);
  const implicit = implicitCache(clock);
  const explicit = cachedContents(clock, chance);
  const signatures = signer(seed);
  let position = 0;

  const answer = async (arrival: Arrival): Promise<Answer> => {
    const asked = openArrival(arrival);
    const profile = wire.profile(asked.model);
    if (asked.method === "cachedContents") return { reply: explicit.create(asked.body, profile) };
    if (asked.method === "countTokens") return { reply: { totalTokens: tokensIn(promptPieces(asked.body)) } };
    if (asked.method === "interactions") return interacted(asked.body, profile).catch(asInteractionError);
    return generated(asked, profile);
  };

  const generated = async ({ method, body }: Asked, profile: Profile): Promise<Answer> => {
    checkShape(wire.rules, body, { profile, betas: undefined, version: undefined }, placeText);
    const transformations = signatures.check(signedParts(objectsOf(body.contents)), profile.id);
    const prompt = { settings: settingsOf(body, profile.id), pieces: promptPieces(body), held: explicit.heldBy(body, profile.id) };
    const { account, scripted } = await begin(body, prompt, profile);
    const streamed = method === "streamGenerateContent";
    const parts = replyParts(scripted, { request: body, profile, signer: signatures, chance, streamed });
    const usage = usageOf(account, parts, thoughtTokens(scripted));
    const reply = responseOf({ parts, finish: scripted.stop, usage, model: profile.id, id: chance.token(22) });
    return { reply, cache: account, transformations, ...(streamed && { events: streamOf(reply), cut: scripted.cut }) };
  };

  const interacted = async (body: ObjectValue, profile: Profile): Promise<Answer> => {
    const request = { ...body, input: stepsIn(body) };
    checkShape(interactionsWire.rules, request, { profile, betas: undefined, version: undefined }, placeText);
    const transformations = signatures.check(signedSteps(request.input), profile.id);
    const prompt = { settings: interactionSettings(body, profile.id), pieces: interactionPieces(body), held: [] };
    const { account, scripted } = await begin(body, prompt, profile);
    const steps = replySteps(scripted, { request: body, profile, signer: signatures, chance, streamed: body.stream === true });
    const usage = interactionUsage(account, steps, thoughtTokens(scripted));
    const id = body.store === false ? "" : `v1_${chance.token(48)}`;
    const reply = interactionOf({ id, model: profile.id, now: clock.now(), steps, status: scripted.stop, usage });
    return { reply, cache: account, transformations, ...(body.stream === true && { events: interactionEvents(reply), cut: scripted.cut }) };
  };

  /** What both surfaces do with a request that is right: read the cache, ask the script, write the cache. */
  const begin = async (request: ObjectValue, prompt: Prompt, profile: Profile) => {
    const reading = implicit.read(prompt, profile);
    checkWindow(reading.account.prompt, profile);
    const scripted = await script(request, position++);
    if (scripted.error !== undefined) throw scriptedFailure(scripted.error, usualText);
    await begun();
    reading.begin();
    return { account: reading.account, scripted };
  };

  return { answer, envelope, requestId: () => chance.token(16), requestIdHeader: "x-gemini-request-id" };
}

/** Interactions answer with errors of a form of their own (facts 3.4), told by their code. */
function asInteractionError(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== undefined) throw error;
  const { status, message, rule, path, detail } = error;
  const code = status === 400 ? "invalid_request" : status === 429 ? "too_many_requests" : "internal_error";
  throw new Refusal(status, message, { code, ...(rule && { rule }), ...(path && { path }), ...(detail && { detail }) });
}

/** GE-13. */
function checkWindow(tokens: number, { context }: Profile): void {
  if (tokens <= context) return;
  throw new Refusal(400, `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${context}).`, { rule: "GE-13" });
}

/** `contents[1].parts[0].function_response`. */
function placeText(path: readonly (string | number)[]): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${step}]` : `.${step.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
  );
  return steps.join("").slice(1);
}

function usualText(status: number): string {
  return status === 429 ? "Resource has been exhausted (e.g. check quota)." : "An internal error has occurred. Please retry.";
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function envelope({ status, message, type, code }: Refusal): ObjectValue {
  if (code !== undefined) return { error: { message, code } };
  return { error: { code: status, message, status: type ?? statusNames[status] ?? "INTERNAL" } };
}
