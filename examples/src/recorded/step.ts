import type { ObjectValue } from "@tidemark/core";

/** One request of a recording. */
export type Step = {
  readonly body: ObjectValue;
  /** The assistant message that answered it, if the recording shows one. */
  readonly reply: ObjectValue | undefined;
  /** Those of the provider's own headers that change what it takes, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};
