import type { Path } from "../json/path.ts";
import type { ObjectValue, Value } from "../json/value.ts";

/**
 * What the provider serialises ahead of the messages, and the parameters that enter its cache key. Everything in it is a
 * private copy, without cache marks, in the form in which it is sent.
 */
export type Head = {
  readonly model: string;
  /** The system text as native blocks (Anthropic) or as the leading system and developer messages (Chat). Empty: none. */
  readonly system: readonly ObjectValue[];
  /** Tool definitions in the order in which they are sent. Empty: none. */
  readonly tools: readonly ObjectValue[];
  /** Parameters that the provider renders into the prefix or its cache key, by their name in the request. */
  readonly params: ObjectValue;
  /** Where this request holds system text and tools, on a wire where requests differ in that. Absent: as the wire's abilities say. */
  readonly places?: Pick<RequestPlaces, "system" | "tools">;
};

/** Where a native request holds its parts, and which of them the provider serialises first. */
export type RequestPlaces = {
  /** Absent: `model`. */
  readonly model?: Path;
  /** Absent: `messages`. */
  readonly messages?: Path;
  /** Absent: `system`, or the leading messages where the head's system objects are messages, which bear a role. */
  readonly system?: Path;
  /** Absent: `tools`. */
  readonly tools?: Path;
  /** Absent: tools, then system. */
  readonly order?: readonly ("system" | "tools")[];
  /** Where a request may name the most tokens of reply that it asks for; the first is where Tidemark writes it. Absent: nowhere. */
  readonly outputCap?: readonly Path[];
};

/** A request taken apart. The messages are the host's own objects: they are compared first and copied only when new. */
export type OpenRequest = {
  readonly head: Head;
  /** What follows the head. Positions in reports count native messages: add `lead`. */
  readonly messages: readonly unknown[];
  /** How many leading native messages belong to the head (wires without a system field). */
  readonly lead: number;
  /** Cache marks that the host set in the head. */
  readonly headMarks: readonly { readonly part: "system" | "tools"; readonly index: number; readonly mark: Value }[];
};
