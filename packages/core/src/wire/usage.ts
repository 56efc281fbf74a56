/**
 * What a reply reports of its request, the same on every wire (rule 32). A figure that the provider did not report is undefined,
 * never 0. Prompt = uncached + cache read + cache write.
 */
export type Usage = {
  readonly prompt: number | undefined;
  readonly uncached: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  /** Cache writes by lifetime, such as `{ "5m": 1200 }`, where the provider says. */
  readonly cacheWriteByLifetime?: { readonly [ttl: string]: number };
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
  /** How often the provider read the prompt for this reply, where it says: its own tools make it read on. The figures are sums then. Absent: once. */
  readonly passes?: number;
};
