/** One HTTP request on its way, whoever makes it: `fetch` or the middleware of an SDK. */
export interface HttpCall {
  readonly url: string;
  readonly method: string;
  /** A copy: what the call is sent with is up to `send`. */
  readonly headers: Headers;
  readonly signal: AbortSignal | undefined;
  /** A Tidemark above has prepared it. */
  readonly prepared: boolean;
  /** The body as text; undefined for one that is none. */
  text(): Promise<string | undefined>;
  /** Sends it as it was, but for what is changed. */
  send(changes: HttpChanges): Promise<Response>;
}

export type HttpChanges = {
  /** All headers, in place of the call's own. Absent: those. */
  readonly headers?: Headers;
  /** Absent: the body as it was handed over. */
  readonly body?: string;
};

/** Header objects of requests that were prepared: by them a second Tidemark below knows that there is one above. */
const preparedHeaders = new WeakSet<object>();

export function markPrepared<H extends object>(headers: H): H {
  preparedHeaders.add(headers);
  return headers;
}

export function isPrepared(headers: unknown): boolean {
  return typeof headers === "object" && headers !== null && preparedHeaders.has(headers);
}

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The arguments of a `fetch` as a call. Without changes they are handed on as they are, the same objects. */
export function fetchCall(fetch: Fetch, input: string | URL | Request, init: RequestInit | undefined): HttpCall {
  const request = input instanceof Request ? input : undefined;
  return {
    url: request?.url ?? String(input),
    method: init?.method ?? request?.method ?? "GET",
    headers: new Headers(init?.headers ?? request?.headers),
    signal: init?.signal ?? request?.signal,
    prepared: isPrepared(init?.headers),
    text: async () => (init?.body === undefined && request !== undefined ? request.clone().text() : bodyText(init?.body)),
    send: ({ headers, body }) => {
      if (headers === undefined && body === undefined) return fetch(input, init);
      const changed = {
        ...init,
        // A plain object: what every fetch in use takes.
        ...(headers && { headers: markPrepared(Object.fromEntries(headers)) }),
        ...(body !== undefined && { body }),
      };
      return request === undefined ? fetch(input, changed) : fetch(new Request(request, changed));
    },
  };
}

/** SDKs send text, some bytes; forms and streams are no requests of a wire. */
export function bodyText(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (!(body instanceof Uint8Array || body instanceof ArrayBuffer)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
