import type { ObjectValue, Profile } from "@tidemark/core";
import { bedrock } from "@tidemark/core/bedrock";
import { promptCache } from "../anthropic/cache.ts";
import { compactionSigner } from "../anthropic/compaction.ts";
import { issuedReplies } from "../anthropic/issued.ts";
import { checkOpenTurn, openTurn } from "../anthropic/latest-turn.ts";
import { prefixReader } from "../anthropic/prefix.ts";
import { signer } from "../anthropic/signatures.ts";
import { type CheckedThinking, checkThinking } from "../anthropic/thinking-check.ts";
import { chanceOf } from "../chance.ts";
import { type Clock, manualClock } from "../clock.ts";
import type { Answer, Arrival, Endpoint } from "../endpoint.ts";
import { scriptedFailure } from "../failure.ts";
import { stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Script, type ScriptedReply, scriptOf } from "../script.ts";
import { checkShape } from "../shape-check.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { begun, type Simulator, serve, unreadable } from "../simulator.ts";
import { asAnthropic, asBlock } from "./as-anthropic.ts";
import { eventMessages } from "./event-message.ts";
import { plainContent, replyOf, signedContent } from "./reply.ts";
import { eventsOf } from "./stream.ts";

export type BedrockSimulatorOptions = {
  /** Ids and signatures follow from it: the same requests get the same bytes. */
  readonly seed?: string | number | undefined;
  /** Stands still until advanced, if none is given. */
  readonly clock?: Clock | undefined;
  readonly script?: Script | readonly ScriptedReply[] | undefined;
  /** Figures of models, over those of the wire's table. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** Thinking is bound to it. */
  readonly organisation?: string | undefined;
  /** How many of the latest requests are kept in `requests`; all if absent. */
  readonly keep?: number | undefined;
};

/** A strict Bedrock runtime: `POST /model/{id}/converse` and `/converse-stream`. The bodies in `requests` have the model's id in them. */
export function bedrockSimulator(options: BedrockSimulatorOptions = {}): Simulator {
  const clock = options.clock ?? manualClock();
  return serve(endpointOf(options, clock), { clock, keep: options.keep, mainPath: converse, headers: {}, received, asSdkSends });
}

const converse = "/model/{id}/converse";

function endpointOf(options: BedrockSimulatorOptions, clock: Clock): Endpoint {
  const seed = String(options.seed ?? "tidemark");
  const organisation = options.organisation ?? "org_simulated";
  const chance = chanceOf(seed);
  const wire = bedrock({ profiles: options.profiles ?? {} });
  const script = scriptOf(options.script);
  const compactions = compactionSigner(seed);
  const thinker = { signer: signer(seed), prefixes: prefixReader(compactions.seam), compactions, organisation };
  const issued = issuedReplies();
  const cache = promptCache(clock, { keyOrder: "significant" });
  let position = 0;

  const answer = async ({ path, body }: Arrival): Promise<Answer> => {
    if (!/\/converse(-stream)?$/.test(path)) throw new Refusal(404, "UnknownOperationException");
    if (body === unreadable) throw new Refusal(400, "Unexpected end of input");
    const profile = wire.profile(stringOf(body.modelId));
    checkShape(wire.rules, body, { profile, betas: undefined, version: undefined }, (place) => place.join("."));
    const rendered = asAnthropic(body, profile.id);
    const thinking = profile.traits.includes("claude") ? checked(rendered, profile) : undefined;
    const reading = cache.read(rendered, { profile, betas: [], dropped: thinking?.dropped ?? new Map() });
    checkWindow(reading.account, profile);
    const scripted = await script(body, position++);
    if (scripted.error !== undefined) throw scriptedFailure(scripted.error, usualText);
    await begun();
    reading.begin();
    const content =
      thinking === undefined
        ? plainContent(scripted, chance)
        : signedContent(scripted, { request: rendered, seal: thinking.seal, signer: thinker.signer, chance });
    issued.record(content.map(asBlock), profile.id, organisation);
    const reply = replyOf(content, scripted.stop, reading.account);
    const events = path.endsWith("-stream") ? eventsOf(reply).map((data) => ({ data })) : undefined;
    return {
      reply,
      cache: reading.account,
      transformations: thinking?.transformations ?? [],
      ...(events && { events, cut: scripted.cut }),
    };
  };

  /** AN-12 to AN-14, said as Bedrock passes on what the model refuses. */
  const checked = (rendered: ObjectValue, profile: Profile): CheckedThinking => {
    try {
      const turn = openTurn(rendered, issued);
      if (turn !== undefined) checkOpenTurn(turn, issued, { profile, organisation });
      return checkThinking(rendered, thinker, { profile, mode: "error", betas: [] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { rule, path, detail } = error;
      const facts = { ...(rule && { rule }), ...(path && { path }), ...(detail && { detail }) };
      throw new Refusal(error.status, `The model returned the following errors: ${error.message}`, facts);
    }
  };

  return {
    answer,
    envelope: ({ message }) => ({ message }),
    errorHeaders: ({ status, type }) => ({ "x-amzn-errortype": type ?? exceptions[status] ?? "InternalServerException" }),
    requestId: () => chance.token(36),
    requestIdHeader: "x-amzn-requestid",
    framing: eventMessages,
  };
}

/** The model's name stands in the path. */
function received(arrival: Arrival): Arrival {
  const model = /^\/model\/([^/]+)\/converse/.exec(arrival.path)?.[1];
  if (model === undefined || arrival.body === unreadable) return arrival;
  return { ...arrival, body: Object.freeze({ modelId: decodeURIComponent(model), ...arrival.body }) };
}

function asSdkSends(arrival: Arrival): Arrival {
  return { ...arrival, path: arrival.path.replace("{id}", encodeURIComponent(stringOf(arrival.body.modelId))) };
}

function checkWindow({ prompt }: CacheAccount, profile: Profile): void {
  if (prompt <= profile.context) return;
  const text = `The model returned the following errors: prompt is too long: ${prompt} tokens > ${profile.context} maximum`;
  throw new Refusal(400, text, { path: "messages" });
}

const exceptions: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

function usualText(status: number): string {
  return status === 429
    ? "Too many requests, please wait before trying again."
    : "The system encountered an unexpected error during processing.";
}
