import type { ObjectValue, Profile } from "@tidemark/core";
import { type OpenAIResponsesOptions, openaiResponses } from "@tidemark/core/openai-responses";
import { chanceOf } from "../chance.ts";
import { type Clock, manualClock } from "../clock.ts";
import type { Answer, Arrival, Endpoint } from "../endpoint.ts";
import { scriptedFailure } from "../failure.ts";
import { objectsOf, stringOf, without } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Script, type ScriptedReply, scriptOf } from "../script.ts";
import { checkShape } from "../shape-check.ts";
import { begun, type Simulator, serve, unreadable } from "../simulator.ts";
import { blockCache, breakpointCache } from "./cache.ts";
import { encrypter } from "./ciphertext.ts";
import { askedCompaction, assertCompactable, compactedWindow, compactionItem, compactionResponse, itemsRead } from "./compaction.ts";
import { cacheDiagnostics } from "./diagnostics.ts";
import { issuedItems } from "./issued.ts";
import { afterItem, checkReasoning, endUserOf, headChain } from "./reasoning-check.ts";
import { outputOf, responseOf, usageOf } from "./reply.ts";
import { streamOf } from "./stream.ts";

export type OpenAIResponsesSimulatorOptions = {
  /** How the server is reached; `openai` if absent. */
  readonly route?: NonNullable<OpenAIResponsesOptions["route"]> | undefined;
  /** Ids and ciphertexts follow from it; two simulators with one seed read each other's reasoning. */
  readonly seed?: string | number | undefined;
  /** Another account cannot use this one's reasoning. */
  readonly organisation?: string | undefined;
  /** Stands still until advanced, if none is given. */
  readonly clock?: Clock | undefined;
  readonly script?: Script | readonly ScriptedReply[] | undefined;
  /** Figures of models, over those of the wire's table. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** How many of the latest requests are kept in `requests`; all if absent. */
  readonly keep?: number | undefined;
};

/** A strict Responses server: `POST …/responses` and `POST …/responses/compact`. */
export function openaiResponsesSimulator(options: OpenAIResponsesSimulatorOptions = {}): Simulator {
  const clock = options.clock ?? manualClock();
  return serve(endpointOf(options, clock), { clock, keep: options.keep, mainPath: "/v1/responses", headers: {} });
}

function endpointOf(options: OpenAIResponsesSimulatorOptions, clock: Clock): Endpoint {
  const seed = String(options.seed ?? "tidemark");
  const organisation = options.organisation ?? "org-tidemark";
  const route = options.route ?? "openai";
  const chance = chanceOf(seed);
  const wire = openaiResponses({ route, profiles: options.profiles ?? {} });
  const script = scriptOf(options.script);
  const codes = encrypter(seed);
  const issued = issuedItems();
  const diagnostics = cacheDiagnostics();
  const breakpoints = breakpointCache(clock);
  const blocks = blockCache(clock);
  let position = 0;

  const answer = async (arrival: Arrival): Promise<Answer> => {
    const request = openArrival(arrival);
    const profile = wire.profile(stringOf(request.model));
    const judge = (judged: ObjectValue): void =>
      checkShape(wire.rules, judged, { profile, betas: undefined, version: undefined }, placeText);
    judge(request);
    const given = itemsOf(request);
    const items = issued.resolve(request, given);
    if (items.some((item, index) => item !== given[index])) judge({ ...without(request, "previous_response_id"), input: items });
    issued.check(items);
    const account = { organisation, endUser: endUserOf(request) };
    const asked = askedCompaction(arrival.path, request, items);
    const read = itemsRead(items, codes);
    assertCompactable(asked, read);
    const reasoning = checkReasoning(request, read, codes, { profile, account });
    const byBreakpoints = profile.traits.includes("breakpoints");
    const rendered = { request, items: reasoning.items, profile, scope: scopeOf(arrival, position) };
    const reading = (byBreakpoints ? breakpoints : blocks).read(rendered);
    checkWindow(reading.account.prompt, profile);
    const scripted = await script(request, position++);
    if (scripted.error !== undefined) throw scriptedFailure(scripted.error, usualText);
    await begun();
    reading.begin();
    const id = `resp_${chance.token(48)}`;
    const compacts = typeof asked === "string" || (asked !== undefined && reading.account.prompt > asked);
    const text = scripted.summary ?? `Summary of ${read.length} items.`;
    const item =
      compacts && scripted.summary !== null ? compactionItem(text, asked, profile.id, { encrypter: codes, chance, account }) : undefined;
    if (asked === "endpoint") {
      if (item === undefined) throw new Refusal(500, usualText(500));
      const usage = usageOf(reading.account, [item], byBreakpoints);
      return { reply: compactionResponse(id, Math.floor(clock.now() / 1_000), compactedWindow(read, item), usage), cache: reading.account };
    }
    const seal = item === undefined ? reasoning.seal : { ...reasoning.seal, prefix: afterItem(headChain(request, profile), item) };
    const said = asked === "trigger" ? [] : outputOf(scripted, { profile, seal, encrypter: codes, chance });
    const output = [...(item === undefined ? [] : [item]), ...said];
    const response = responseOf({
      id,
      createdAt: Math.floor(clock.now() / 1_000),
      request,
      output,
      incomplete: scripted.stop,
      usage: usageOf(reading.account, output, byBreakpoints),
      transformations: reasoning.transformations,
      diagnostics: diagnostics.compare(request, reasoning.items, profile),
    });
    issued.record(id, items, output, request.store !== false);
    diagnostics.remember(id, request, reasoning.items, profile);
    const streamed = request.stream === true ? { events: streamOf(response), cut: scripted.cut } : {};
    return { reply: response, cache: reading.account, transformations: reasoning.transformations, ...streamed };
  };

  /** A plan's requests of one session reach one cache, and only with the session's header: facts 2.7. */
  const scopeOf = ({ headers }: Arrival, at: number): string => {
    if (route !== "chatgpt-plan") return organisation;
    return `${organisation} ${headers["session-id"] ?? `request ${at}`}`;
  };

  return { answer, envelope, requestId: () => `req_${chance.token(32)}`, requestIdHeader: "x-request-id" };
}

function openArrival({ path, body }: Arrival): ObjectValue {
  if (!path.endsWith("/responses") && !path.endsWith("/responses/compact")) throw new Refusal(404, `Invalid URL (POST ${path})`);
  if (body === unreadable) throw new Refusal(400, "We could not parse the JSON body of your request.");
  if (typeof body.model !== "string" && body.prompt === undefined) throw missing("model");
  if (body.input === undefined && body.prompt === undefined && body.previous_response_id === undefined && body.conversation === undefined)
    throw missing("input");
  return body;
}

function missing(path: string): Refusal {
  return new Refusal(400, `Missing required parameter: '${path}'.`, { rule: "OR-02", path, code: "missing_required_parameter" });
}

function itemsOf({ input }: ObjectValue): readonly ObjectValue[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }] : objectsOf(input);
}

/** OR-18. */
function checkWindow(tokens: number, profile: Profile): void {
  if (tokens <= profile.context) return;
  const text = "Your input exceeds the context window of this model. Please adjust your input and try again.";
  throw new Refusal(400, text, { rule: "OR-18", path: "input", code: "context_length_exceeded" });
}

/** `input[1].content[0]`. */
function placeText(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return steps.join("").slice(1);
}

function usualText(status: number): string {
  return status === 429 ? "Rate limit reached." : "The server had an error while processing your request.";
}

function envelope({ status, message, type, path, code }: Refusal): ObjectValue {
  const usual = status === 429 ? "rate_limit_exceeded" : status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type: type ?? usual, param: path ?? null, code: code ?? null } };
}
