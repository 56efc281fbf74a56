import { OptionError } from "../wire/errors.ts";
import type { Wire } from "../wire/wire.ts";
import { Exchange } from "./exchange.ts";
import { type Fetch, fetchCall } from "./http-call.ts";
import { type ContextOptions, checkContextOptions } from "./options.ts";

export type ContextFetchOptions = ContextOptions & {
  /** Adapters of the wires that are spoken: `[anthropic(), openaiChat()]`. A request goes to the first that takes its path. */
  readonly wires: readonly Wire[];
  /** The fetch that sends. Default: the global one, as it is at each call; one that this was put in place of, where it became the global one itself. */
  readonly fetch?: Fetch | undefined;
};

const made = new WeakSet<Fetch>();

/**
 * A `fetch` that keeps the requests of every conversation append-only. Hand it to any SDK that takes one. A request of a wire is prepared by its session, its reply is read
 * while it passes, and everything else goes through byte for byte.
 *
 * @throws {OptionError} naming the first wrong option by its path; a `fetch` that is one of these already is wrong.
 */
export function contextFetch(options: ContextFetchOptions): Fetch {
  checkContextOptions(options, "fetch");
  if (options.fetch !== undefined && made.has(options.fetch))
    throw new OptionError("$.fetch", "this is a contextFetch already; hand over the fetch below it");
  const send = options.fetch ?? globalFetch();
  const exchange = new Exchange(options.wires, options);
  const sending: Fetch = (input, init) => exchange.send(fetchCall(send, input, init));
  made.add(sending);
  return sending;
}

/** For an SDK that takes no fetch, hosts put this one in the global one's place: it then sends by the one that stood there. */
function globalFetch(): Fetch {
  const below = globalThis.fetch;
  return (input, init) => (made.has(globalThis.fetch) ? below : globalThis.fetch)(input, init);
}
