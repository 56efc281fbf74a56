import { anthropic } from "../adapters/anthropic/wire.ts";
import type { Wire } from "../wire/wire.ts";
import { Exchange } from "./exchange.ts";
import { bodyText, isPrepared, markPrepared } from "./http-call.ts";
import { type ContextOptions, checkContextOptions } from "./options.ts";

export type AnthropicMiddlewareOptions = ContextOptions & {
  /** The adapter, where it is made with options. Default `anthropic()`. */
  readonly wire?: Wire | undefined;
};

/** What the client hands to its middleware: an HTTP request of one attempt. */
type ClientRequest = {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers: Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
};

/** A middleware of `@anthropic-ai/sdk` (from 0.122 on), by its structure. */
export type AnthropicMiddleware = <R extends ClientRequest>(request: R, next: (request: R) => Promise<Response>) => Promise<Response>;

/**
 * `new Anthropic({ middleware: [anthropicMiddleware()] })`: the client's requests go through sessions, as with `contextFetch`, on every backend that the client knows. It runs
 * once an attempt; a retried request is prepared again and is the same.
 *
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function anthropicMiddleware(options: AnthropicMiddlewareOptions = {}): AnthropicMiddleware {
  checkContextOptions(options, "middleware");
  const exchange = new Exchange([options.wire ?? (anthropic() as unknown as Wire)], options);
  return (request, next) =>
    exchange.send({
      url: request.url,
      method: request.method ?? "GET",
      headers: request.headers,
      signal: request.signal ?? undefined,
      prepared: isPrepared(request.headers),
      text: async () => bodyText(request.body),
      send: ({ headers, body }) =>
        next({ ...request, ...(headers && { headers: markPrepared(headers) }), ...(body !== undefined && { body }) }),
    });
}
