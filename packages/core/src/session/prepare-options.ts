export type PrepareOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Envelopes of replies whose store kept only the visible blocks (`Settled.envelope`). */
  readonly envelopes?: readonly unknown[] | undefined;
  /** Names of the tools that this one request offers; the others stay declared, and their calls are refused (`session.checkCall`). Default: all. */
  readonly offer?: readonly string[] | undefined;
  /** This one request may pass the high water mark, up to the limit. */
  readonly headroom?: boolean | undefined;
};
