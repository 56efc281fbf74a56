export type PrepareOptions = {
  readonly signal?: AbortSignal;
  /** Envelopes of replies whose store kept only the visible blocks (`Settled.envelope`). */
  readonly envelopes?: readonly unknown[];
  /** This one request may pass the high water mark, up to the limit. */
  readonly headroom?: boolean;
};
