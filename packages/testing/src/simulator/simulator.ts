import type { ObjectValue } from "@tidemark/core";
import type { Clock } from "./clock.ts";
import type { Answer, Arrival, Endpoint } from "./endpoint.ts";
import { eventStream } from "./event-stream.ts";
import { isObjectValue } from "./json.ts";
import { type Listening, listenOn } from "./listen.ts";
import { Refusal } from "./refusal.ts";
import { bodyReader, settledCopy } from "./settled.ts";
import type { SimulatedRequest } from "./simulated-request.ts";

/** A provider that answers by its documented rules and no more leniently. Give `fetch` to an SDK, or `listen` for one that takes an address. */
export interface Simulator {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The same without HTTP, for many requests: takes the body as an object and hands back what became of it, frozen. */
  handle(body: object, options?: HandleOptions): Promise<SimulatedRequest>;
  /** A server on 127.0.0.1, at a free port. */
  listen(): Promise<Listening>;
  readonly requests: readonly SimulatedRequest[];
  readonly clock: Clock;
}

export type HandleOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  /** The wire's main path if absent. */
  readonly path?: string;
};

export type ServeOptions = {
  readonly clock: Clock;
  /** How many of the latest requests `requests` keeps; all if undefined. */
  readonly keep: number | undefined;
  readonly mainPath: string;
  /** Headers of a request that comes through `handle` without them. */
  readonly headers: Readonly<Record<string, string>>;
  /** What of a request stands elsewhere than in its body, put there: a model's name in the path. */
  readonly received?: (arrival: Arrival) => Arrival;
  /** What an SDK would do to such a request on its way. */
  readonly asSdkSends?: (arrival: Arrival) => Arrival;
};

/** Puts HTTP, the record and the loopback server around a wire's endpoint. */
export function serve(endpoint: Endpoint, options: ServeOptions): Simulator {
  const requests: SimulatedRequest[] = [];
  const readBody = bodyReader();
  let arrived = 0;

  /** What cannot be read, or is nested too deep for that, is answered with the wire's error for it. */
  const held = (given: () => unknown): ObjectValue => {
    try {
      const body = given();
      return isObjectValue(body) ? (readBody(body) as ObjectValue) : unreadable;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) return unreadable;
      throw error;
    }
  };

  const answerTo = async (
    arrival: Arrival,
    text: string | undefined,
  ): Promise<{ request: SimulatedRequest; answer: Answer | undefined; refusal: Refusal | undefined; requestId: string }> => {
    const position = arrived++;
    const requestId = endpoint.requestId();
    let answer: Answer | undefined;
    let refusal: Refusal | undefined;
    try {
      answer = await endpoint.answer(arrival);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
    }
    const request = recordOf(position, arrival, text, answer ?? { reply: endpoint.envelope(refusal as Refusal, requestId) }, refusal);
    requests.push(request);
    if (options.keep !== undefined && requests.length > options.keep) requests.shift();
    return { request, answer, refusal, requestId };
  };

  const fetch: Simulator["fetch"] = async (input, init) => {
    const request = new Request(input instanceof Request ? input : String(input), init);
    request.signal.throwIfAborted();
    const text = await request.text();
    const arrival = {
      path: new URL(request.url).pathname,
      headers: Object.fromEntries(request.headers),
      body: held(() => JSON.parse(text)),
    };
    const answering = answerTo(options.received?.(arrival) ?? arrival, text);
    const { request: record, answer, refusal, requestId } = await untilAborted(answering, request.signal);
    const said = refusal === undefined ? {} : endpoint.errorHeaders?.(refusal);
    const headers = { [endpoint.requestIdHeader]: requestId, ...said };
    if (answer?.events === undefined) return Response.json(record.reply, { status: record.status, headers });
    return eventStream(answer.events, { headers, cut: answer.cut, signal: request.signal, framing: endpoint.framing });
  };

  return {
    fetch,
    requests,
    clock: options.clock,
    handle: async (body, { headers = {}, path = options.mainPath } = {}) => {
      const arrival = { path, headers: { ...options.headers, ...lowerCased(headers) }, body: held(() => body) };
      return (await answerTo(options.asSdkSends?.(arrival) ?? arrival, undefined)).request;
    },
    listen: () => listenOn(fetch),
  };
}

/** Stands for a body that was no JSON object. */
export const unreadable: ObjectValue = Object.freeze({});

/** As `fetch` does it: an abort is heard at once, whatever the script waits for. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function recordOf(
  position: number,
  arrival: Arrival,
  text: string | undefined,
  answer: Answer,
  refusal: Refusal | undefined,
): SimulatedRequest {
  const events = answer.events?.flatMap(({ data }) => (data === "[DONE]" ? [] : [data]));
  return {
    position,
    ...arrival,
    // Writing a soak's requests out is only worth it for those that someone looks at.
    get text() {
      return text ?? JSON.stringify(arrival.body);
    },
    status: refusal?.status ?? 200,
    refusal: refusal && { rule: refusal.rule, message: refusal.message, path: refusal.path, detail: refusal.detail },
    reply: settledCopy(answer.reply),
    events,
    cache: answer.cache,
    transformations: answer.transformations ?? [],
    truncated: answer.truncated ?? 0,
  };
}

/** A response begins a turn of the event loop after its request came, so that requests sent together do not read each other's writes. */
export function begun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
