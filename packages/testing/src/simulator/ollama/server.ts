import type { ObjectValue, Profile, Value } from "@tidemark/core";
import { ollama } from "@tidemark/core/ollama";
import { chanceOf } from "../chance.ts";
import { type Clock, manualClock } from "../clock.ts";
import type { Answer, Arrival, Endpoint, Framing } from "../endpoint.ts";
import { scriptedFailure } from "../failure.ts";
import { objectOf, objectsOf, shallowSortedJson, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Script, type ScriptedReply, scriptOf } from "../script.ts";
import { checkShape } from "../shape-check.ts";
import { begun, type Simulator, serve, unreadable } from "../simulator.ts";
import { slotCache } from "../slot-cache.ts";
import { linesOf } from "./lines.ts";
import { messageText, promptOf } from "./prompt.ts";
import { messageOf, responseOf } from "./reply.ts";

export type OllamaSimulatorOptions = {
  /** Call ids follow from it. */
  readonly seed?: string | number | undefined;
  /** Stands still until advanced, if none is given. A model that nobody asks for five minutes is unloaded. */
  readonly clock?: Clock | undefined;
  readonly script?: Script | readonly ScriptedReply[] | undefined;
  /** Figures of models, over those of the wire's table. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** Models that are pulled; another one is not found. Any is there if absent. */
  readonly models?: readonly string[] | undefined;
  /** Window in tokens of a request without `num_ctx`; 4,096 if absent. */
  readonly windowTokens?: number | undefined;
  /** Calls bear ids, as newer servers give them (`true` if absent). */
  readonly callIds?: boolean | undefined;
  /** How many of the latest requests are kept in `requests`; all if absent. */
  readonly keep?: number | undefined;
};

/** An Ollama server: `POST /api/chat`. What it drops in silence stands in `requests[n].truncated`. */
export function ollamaSimulator(options: OllamaSimulatorOptions = {}): Simulator {
  const clock = options.clock ?? manualClock();
  return serve(endpointOf(options, clock), { clock, keep: options.keep, mainPath: "/api/chat", headers: {} });
}

function endpointOf(options: OllamaSimulatorOptions, clock: Clock): Endpoint {
  const chance = chanceOf(options.seed ?? "tidemark");
  const wire = ollama({ profiles: options.profiles ?? {} });
  const script = scriptOf(options.script);
  const cache = slotCache(clock, { slots: 1 });
  let position = 0;

  const answer = async (arrival: Arrival): Promise<Answer> => {
    const request = openArrival(arrival, options.models);
    const model = stringOf(request.model);
    checkShape(wire.rules, request, { profile: wire.profile(model), betas: undefined, version: undefined }, (path) => path.join("."));
    const window = objectOf(request.options).num_ctx ?? options.windowTokens ?? 4_096;
    const prompt = promptOf(objectsOf(request.messages), request.tools, Number(window));
    const reading = cache.read(loadedAs(request), prompt.text);
    const scripted = await script(request, position++);
    if (scripted.error !== undefined) throw scriptedFailure(scripted.error, usualText);
    await begun();
    const message = messageOf(scripted, chance, options.callIds ?? true);
    reading.begin(messageText(message));
    const read = reading.tokens;
    const account = { prompt: prompt.tokens, read, written: 0, writtenByLifetime: {}, uncached: prompt.tokens - read, breakpoints: [] };
    const reply = responseOf(message, account, { model, at: clock.now(), stop: scripted.stop ?? "stop" });
    // Streaming is the server's default; the SDK turns it off.
    const events = request.stream === false ? undefined : linesOf(reply).map((data) => ({ data }));
    return { reply, cache: account, truncated: prompt.truncated, ...(events && { events, cut: scripted.cut }) };
  };

  return {
    answer,
    envelope: ({ message }) => ({ error: message }),
    requestId: () => chance.token(16),
    requestIdHeader: "x-request-id",
    framing,
  };
}

function openArrival({ path, body }: Arrival, models: readonly string[] | undefined): ObjectValue {
  if (!path.endsWith("/api/chat")) throw new Refusal(404, "404 page not found");
  if (body === unreadable) throw new Refusal(400, "unexpected EOF");
  if (models !== undefined && !models.includes(stringOf(body.model))) {
    throw new Refusal(404, `model '${stringOf(body.model)}' not found`, { path: "model" });
  }
  return body;
}

/** Options of sampling change nothing of a loaded model. */
const sampling: ReadonlySet<string> = new Set(
  "num_keep seed num_predict top_k top_p min_p tfs_z typical_p repeat_last_n temperature repeat_penalty presence_penalty frequency_penalty mirostat mirostat_tau mirostat_eta penalize_newline stop".split(
    " ",
  ),
);

/** Model and what it is loaded with; `think` stands here for the template that it chooses. */
function loadedAs({ model, options, think }: ObjectValue): string {
  const loading = Object.entries(objectOf(options)).filter(([name]) => !sampling.has(name));
  return `${stringOf(model)} ${shallowSortedJson(Object.fromEntries<Value>(loading))} ${JSON.stringify(think ?? null)}`;
}

const encoder = new TextEncoder();
const framing: Framing = {
  contentType: "application/x-ndjson",
  frame: ({ data }) => encoder.encode(`${JSON.stringify(data)}\n`),
};

function usualText(status: number): string {
  return status === 503 ? "server busy, please try again.  maximum pending requests exceeded" : "model runner has unexpectedly stopped";
}
