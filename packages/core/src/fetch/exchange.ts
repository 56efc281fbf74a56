import type { TidemarkError } from "../json/error.ts";
import type { ObjectValue } from "../json/value.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import { BodyReader } from "./body-reader.ts";
import { BodyText } from "./body-text.ts";
import { changesOf, withoutHeader } from "./changes.ts";
import { leftOutUnnamed } from "./content-sessions.ts";
import { Conversations, type Prepared } from "./conversations.ts";
import { errorIn, isOfRequest, messageOf } from "./failures.ts";
import type { HttpCall } from "./http-call.ts";
import { observed } from "./observe.ts";
import type { ContextOptions, SentRequest } from "./options.ts";
import { replyReader } from "./reply-reader.ts";
import { asksForWords, pathOf, type Route, requestOf, routeOf } from "./route.ts";
import { Warnings } from "./warnings.ts";

/** A call that is a request of a wire. */
type Asked = { readonly call: HttpCall; readonly route: Route; readonly request: ObjectValue; readonly id: string | undefined };

/** Sends HTTP calls with what their sessions make of them. One for a `contextFetch` or a client's middleware. */
export class Exchange {
  readonly #wires: readonly Wire[];
  readonly #options: ContextOptions;
  readonly #header: string;
  readonly #conversations: Conversations;
  readonly #read: ReadonlyMap<Wire, BodyReader>;
  readonly #write = new BodyText();
  readonly #warnings: Warnings;

  constructor(wires: readonly Wire[], options: ContextOptions) {
    this.#wires = wires;
    this.#read = new Map(wires.map((wire) => [wire, new BodyReader(String(messagesPlace(wire)[0]))]));
    this.#options = options;
    this.#header = options.header ?? "x-tidemark-session";
    this.#conversations = new Conversations(options);
    this.#warnings = new Warnings(options.onWarning);
  }

  /** What is no request of a wire, or one that its session cannot read, goes on as it came. */
  async send(given: HttpCall): Promise<Response> {
    const call = withoutHeader(given, this.#header);
    const asked = await this.#asked(call, given.headers.get(this.#header) ?? undefined);
    const prepared = asked && (await this.#prepared(asked));
    if (asked === undefined || prepared === undefined) return call.send({});
    const response = await this.#sent(asked, prepared);
    if (response.ok) return this.#settling(response, asked.route.wire, prepared);
    const roomier = await this.#roomier(prepared, response);
    if (roomier === undefined) return response;
    const second = await this.#sent(asked, roomier);
    return second.ok ? this.#settling(second, asked.route.wire, roomier) : second;
  }

  async #asked(call: HttpCall, headerId: string | undefined): Promise<Asked | undefined> {
    if (call.method.toUpperCase() !== "POST") return undefined;
    const route = routeOf(this.#wires, call.url);
    if (route === undefined) {
      if (asksForWords(call.url)) this.#warnings.tell("wire-unknown", unknownWire(this.#wires, call.url), pathOf(call.url));
      return undefined;
    }
    const text = await call.text();
    const request = text === undefined ? undefined : this.#requestIn(text, route);
    if (request === undefined) return undefined;
    if (call.prepared) {
      this.#warnings.tell("stacked", stacked);
      return undefined;
    }
    const { url, headers } = call;
    if (signedBody.test(headers.get("authorization") ?? "")) {
      this.#warnings.tell("signed", signed);
      return undefined;
    }
    // A name without a letter names nothing.
    const id = this.#options.session?.({ url, headers, body: request, wire: route.wire }) || headerId || undefined;
    const leftOut = id === undefined ? leftOutUnnamed(this.#options.sessions) : undefined;
    if (leftOut !== undefined) this.#warnings.tell("unnamed", unnamed(leftOut, this.#header));
    return { call, route, request, id };
  }

  #requestIn(text: string, route: Route): ObjectValue | undefined {
    try {
      return requestOf(route, this.#read.get(route.wire)?.read(text));
    } catch (error) {
      if (!isOfRequest(error)) throw error;
      this.#passedOn(error);
      return undefined;
    }
  }

  async #prepared({ call, route, request, id }: Asked): Promise<Prepared | undefined> {
    const address = call.url.split(/[?#]/, 1)[0] as string;
    try {
      return await this.#conversations.prepare({ id, wire: route.wire, address, request, signal: call.signal });
    } catch (error) {
      if (!isOfRequest(error)) throw error;
      this.#passedOn(error);
      return undefined;
    }
  }

  #passedOn({ code, message, path }: TidemarkError): void {
    this.#warnings.tell(code, `${message} The request was passed on as it was.`, `${code} ${path}`);
  }

  async #sent({ call, route, request }: Asked, prepared: Prepared): Promise<Response> {
    this.#hear(() => this.#options.onTurn?.(sentBy(prepared)));
    return call.send(changesOf(call, route, request, prepared.turn, this.#write));
  }

  /** Rule 59: the request with room made, where it was refused for its length. None of the reply has reached the host. */
  async #roomier(prepared: Prepared, refused: Response): Promise<Prepared | undefined> {
    const { status } = refused;
    if (prepared.id === undefined || status < 400 || status >= 500) return undefined;
    const text = await refused.clone().text();
    try {
      return await prepared.recover({ status, error: errorIn(text) });
    } catch (error) {
      this.#warnings.tell("recovery-failed", `A prompt was too long, and no room could be made: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Settles when the reply is complete, before the host sees its end; a broken, failed or abandoned one settles nothing. */
  #settling(response: Response, wire: Wire, prepared: Prepared): Response {
    const reader = replyReader(wire, response.headers.get("content-type") ?? "");
    if (reader === undefined) return response;
    // What a reply says must not keep it from the host.
    const read = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        this.#warnings.tell("reply-unread", `A reply could not be read, so that it was not settled: ${messageOf(error)}`);
      }
    };
    let done = false;
    const settle = (ended: boolean): void => {
      const reply = done ? undefined : reader.reply(ended);
      done ||= ended || reply !== undefined;
      const settled = reply && prepared.settle(reply);
      if (settled?.recorded) this.#hear(() => this.#options.onSettled?.({ ...sentBy(prepared), settled }));
    };
    return observed(response, {
      chunk: (bytes) =>
        read(() => {
          reader.add(bytes);
          if (reader.last) settle(false);
        }),
      end: (ended) => read(() => settle(ended)),
    });
  }

  /** A listener that throws fails no request. */
  #hear(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#warnings.tell("listener-error", `onTurn or onSettled threw: ${messageOf(error)}`);
    }
  }
}

function sentBy({ id, session, turn }: Prepared): SentRequest {
  return { id, session, turn };
}

function unknownWire(wires: readonly Wire[], url: string): string {
  const names = wires.map(({ name }) => name).join(", ");
  return `No wire takes ${pathOf(url)} (given: ${names || "none"}), so that its requests are passed on as they are. Add the wire's adapter to \`wires\`.`;
}

function unnamed(leftOut: string, header: string): string {
  return `A request came without a name, so that its session only repeats and repairs: ${leftOut} is for conversations that have one. Give \`session: (request) => id\`, or send the header ${header}.`;
}

/** AWS signs a digest of the body. */
const signedBody = /^AWS4-/;
const signed =
  "A request whose body is signed already was passed on as it was. Let the client authenticate with an API key (AWS_BEARER_TOKEN_BEDROCK), or hold the session above it.";

const stacked =
  "A request that Tidemark had prepared came through a second Tidemark, which passed it on as it was. Use one: contextFetch, or the middleware of the SDK above it.";
