import { compareValues } from "../json/compare.ts";
import { TidemarkError } from "../json/error.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Turn } from "../session/turn.ts";
import type { Wire } from "../wire/wire.ts";
import { Conversations, type Prepared } from "./conversations.ts";
import type { HttpCall, HttpChanges } from "./http-call.ts";
import { observed } from "./observe.ts";
import type { ContextOptions, SentRequest } from "./options.ts";
import { replyReader } from "./reply-reader.ts";
import { asksForWords, bodyOf, pathOf, type Route, requestOf, routeOf } from "./route.ts";
import { Warnings } from "./warnings.ts";

/** Sends HTTP calls with what their sessions make of them. One for a `contextFetch` or a client's middleware. */
export type Exchange = (call: HttpCall) => Promise<Response>;

/** A request as its session prepared it. */
type Ready = { readonly prepared: Prepared; readonly changes: HttpChanges };

export function exchangeFor(wires: readonly Wire[], options: ContextOptions): Exchange {
  const header = options.header ?? "x-tidemark-session";
  const conversations = new Conversations(options);
  const warnings = new Warnings(options.onWarning);

  return async (call) => {
    const headerId = call.headers.get(header);
    const stripped = headerId === null ? call : without(call, header);
    const posts = call.method.toUpperCase() === "POST";
    const route = posts ? routeOf(wires, call.url) : undefined;
    if (route === undefined) {
      if (posts && asksForWords(call.url)) warnings.tell("wire-unknown", unknownWire(wires, call.url), pathOf(call.url));
      return stripped.send({});
    }
    const text = await call.text();
    const request = text === undefined ? undefined : requestOf(route, text);
    if (text === undefined || request === undefined) return stripped.send({});
    if (call.prepared) {
      warnings.tell("stacked", stacked);
      return stripped.send({});
    }
    const id = options.session?.({ url: call.url, headers: call.headers, body: request, wire: route.wire }) ?? headerId ?? undefined;
    let ready: Ready;
    try {
      ready = await readyFor(stripped, route, request, id);
    } catch (error) {
      if (!isOfRequest(error)) throw error;
      warnings.tell(error.code, `${error.message} The request was passed on as it was.`, `${error.code} ${error.path}`);
      return stripped.send({});
    }
    hear(() => options.onTurn?.(sentBy(ready)));
    const response = await stripped.send(ready.changes);
    return response.ok ? settling(response, route.wire, ready) : response;
  };

  async function readyFor(call: HttpCall, route: Route, request: ObjectValue, id: string | undefined): Promise<Ready> {
    const prepared = await conversations.prepare({ id, wire: route.wire, address: addressOf(call.url), request, signal: call.signal });
    return { prepared, changes: changesOf(call, route, request, prepared.turn) };
  }

  /** Settles when the reply is complete and its bytes have been handed on; a broken, failed or abandoned one settles nothing. */
  function settling(response: Response, wire: Wire, ready: Ready): Response {
    const reader = replyReader(wire, response.headers.get("content-type") ?? "");
    if (reader === undefined) return response;
    // What a reply says must not keep it from the host.
    const read = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        warnings.tell("reply-unread", `A reply could not be read, so that it was not settled: ${messageOf(error)}`);
      }
    };
    return observed(response, {
      chunk: (bytes) => read(() => reader.add(bytes)),
      end: (ended) =>
        read(() => {
          const reply = reader.reply(ended);
          if (reply === undefined) return;
          const settled = ready.prepared.settle(reply);
          if (settled.recorded) hear(() => options.onSettled?.({ ...sentBy(ready), settled }));
        }),
    });
  }

  /** A listener that throws fails no request. */
  function hear(work: () => void): void {
    try {
      work();
    } catch (error) {
      warnings.tell("listener-error", `onTurn or onSettled threw: ${messageOf(error)}`);
    }
  }
}

function sentBy({ prepared: { id, session, turn } }: Ready): SentRequest {
  return { id, session, turn };
}

/** What of a call its turn changes. A body that stays the same goes out as the text that it was. */
function changesOf(call: HttpCall, route: Route, request: ObjectValue, turn: Turn): HttpChanges {
  const made = turn.request as ObjectValue;
  const body = compareValues(made as Value, request) === "same" ? undefined : JSON.stringify(bodyOf(route, made));
  const headers = new Headers(call.headers);
  for (const [name, value] of Object.entries(turn.headers)) headers.set(name, joined(headers.get(name), value));
  if (body !== undefined) headers.delete("content-length");
  return { headers, ...(body !== undefined && { body }) };
}

/** A header that both write is a list, such as `anthropic-beta`. */
function joined(own: string | null, added: string): string {
  const values = (own ?? "").split(",").map((value) => value.trim());
  return [...new Set([...values, ...added.split(",").map((value) => value.trim())])].filter((value) => value !== "").join(",");
}

/** The call without one header. */
function without(call: HttpCall, header: string): HttpCall {
  const headers = new Headers(call.headers);
  headers.delete(header);
  return { ...call, headers, send: (changes) => call.send({ headers, ...changes }) };
}

/** Where a conversation is held: the same path at another host, or for another account, is another place. */
function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0] as string;
}

const codesOfRequest: ReadonlySet<string> = new Set(["invalid-request", "invalid-message", "pending-calls", "shape"]);

/** What is wrong with a request is the provider's to say: it goes out as it came, and the session is as it was. */
function isOfRequest(error: unknown): error is TidemarkError {
  return error instanceof TidemarkError && (codesOfRequest.has(error.code) || error.code.startsWith("value-"));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unknownWire(wires: readonly Wire[], url: string): string {
  const names = wires.map(({ name }) => name).join(", ");
  return `No wire takes ${pathOf(url)} (given: ${names || "none"}), so that its requests are passed on as they are. Add the wire's adapter to \`wires\`.`;
}

const stacked =
  "A request that Tidemark had prepared came through a second Tidemark, which passed it on as it was. Use one: contextFetch, or the middleware of the SDK above it.";
