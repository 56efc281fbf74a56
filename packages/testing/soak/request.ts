import type { Message, Tool } from "./history.ts";

/** A request in the soak's own form, with the members that its hosts use. */
export type SoakRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: string | readonly object[];
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
  readonly thinking: { readonly type: string };
  readonly output_config?: { readonly effort: string };
};

/** A request of a wire, read back. */
export type ReadRequest = {
  readonly model: string;
  /** As text, without cache marks. */
  readonly system: unknown;
  /** The provider reads the system text behind the messages: it is no part of the prefix. */
  readonly isSystemBehind?: boolean;
  readonly tools: readonly unknown[];
  /** How many messages of the list are the head. */
  readonly lead: number;
  /** What else enters the provider's cache key, of what the soak's hosts set. */
  readonly params: string;
  /** Messages in the wire's own form, and what each says. */
  readonly native: readonly unknown[];
  readonly messages: readonly Message[];
};
