import type { ObjectValue } from "@tidemark/core";

/** One request that a simulator received, and what became of it. */
export type SimulatedRequest = {
  /** Order of arrival, from 0. `requests` lists them in the order in which they were answered. */
  readonly position: number;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body exactly as it was received; of a request that came through `handle`, its JSON text. */
  readonly text: string;
  readonly body: ObjectValue;
  readonly status: number;
  readonly refusal: RefusalRecord | undefined;
  /** The answer as one object, also when it was streamed: the reply, the count, or the error. */
  readonly reply: ObjectValue;
  /** The streamed events, whole, even if the script cut the stream. */
  readonly events: readonly ObjectValue[] | undefined;
  readonly cache: CacheAccount | undefined;
  /** Reasoning that was dropped or let pass, as `input_transformations` says it, whether or not the reply was allowed to say it. */
  readonly transformations: readonly ObjectValue[];
  /** How many of the oldest messages the server left out without a word, since the prompt was longer than its window. */
  readonly truncated: number;
};

export type RefusalRecord = {
  /** Number of the rule: `AN-13`. Undefined: the script let the request fail. */
  readonly rule: string | undefined;
  /** The provider's words. */
  readonly message: string;
  /** Place in the request, as the wire writes it. */
  readonly path: string | undefined;
  /** What the simulator knows beyond the provider's words, such as why a signature is not valid here. */
  readonly detail: string | undefined;
};

/** Where a request's prompt tokens came from. `prompt` = `read` + `written` + `uncached`. */
export type CacheAccount = {
  readonly prompt: number;
  readonly read: number;
  readonly written: number;
  /** The written tokens by time to live, such as `{ "5m": 1200 }`. */
  readonly writtenByLifetime: Readonly<Record<string, number>>;
  readonly uncached: number;
  /** Each breakpoint, front to back: the prefix that it ends, and whether it was long enough to be written. */
  readonly breakpoints: readonly { readonly tokens: number; readonly ttl: string; readonly writable: boolean }[];
};
