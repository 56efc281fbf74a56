import type { ObjectValue } from "@tidemark/core";
import type { Refusal } from "./refusal.ts";
import type { ScriptedReply } from "./script.ts";
import type { CacheAccount } from "./simulated-request.ts";

/** One wire's server behind HTTP: what `serve` needs of it. */
export interface Endpoint {
  /** Answers one parsed request. @throws {Refusal} when the provider would refuse it. */
  answer(arrival: Arrival): Promise<Answer>;
  /** The wire's error object. */
  envelope(refusal: Refusal, requestId: string): ObjectValue;
  requestId(): string;
  readonly requestIdHeader: string;
  /** Headers of a refusal beside its body, where the wire says something there. */
  errorHeaders?(refusal: Refusal): Readonly<Record<string, string>>;
  /** How streamed events go over the line. Absent: as server-sent events. */
  readonly framing?: Framing;
}

/** The bytes of a stream that is no event stream: lines of JSON, binary messages. */
export type Framing = {
  readonly contentType: string;
  frame(event: StreamEvent): Uint8Array;
};

export type Arrival = {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ObjectValue;
};

export type Answer = {
  readonly reply: ObjectValue;
  readonly events?: readonly StreamEvent[];
  readonly cut?: ScriptedReply["cut"];
  readonly cache?: CacheAccount;
  readonly transformations?: readonly ObjectValue[];
  /** How many messages the server left out in silence. Absent: none. */
  readonly truncated?: number;
};

/** `name`: the `event:` line, where the wire has one. */
export type StreamEvent = { readonly name?: string; readonly data: ObjectValue | "[DONE]" };
