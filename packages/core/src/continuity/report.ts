import type { Value } from "../json/value.ts";
import type { DifferenceClass } from "../wire/difference.ts";
import type { HeadField } from "../wire/head-difference.ts";

/**
 * `continues`: the next request repeats the previous one byte for byte, key order too, and appends any number of messages.
 * `equivalent`: something differs, but only in what the provider does not read.
 * `breaks`: the provider reads another prefix; what is cached behind the place is lost.
 */
export type Verdict = "continues" | "equivalent" | "breaks";

/** One difference between two requests, as a report names it. */
export type ReportedDifference = {
  /** JSON path in the previous request; for an insertion in the next one: `$.messages[3].content[0].text`. */
  readonly path: string;
  readonly class: DifferenceClass;
  /** Index in the native message array; undefined for head fields. */
  readonly at: number | undefined;
  /** Where the request differs: a head field, or the messages. */
  readonly field: HeadField | "messages";
  /** What stands at the path in either request; undefined where nothing does. */
  readonly previous: Value | undefined;
  readonly next: Value | undefined;
  /** Estimated tokens of the previous request from this place on: what was sent and is not repeated. Whole messages and head fields. */
  readonly tokensBehind: number;
};

export type ContinuityReport = {
  readonly verdict: Verdict;
  /** Of the difference that the verdict rests on: the provider's for `breaks`, the bytes' for `equivalent`. Undefined for `continues`. */
  readonly path: string | undefined;
  readonly class: DifferenceClass | undefined;
  readonly at: number | undefined;
  /** 0 for `continues`. */
  readonly tokensBehind: number;
  /** First difference in the bytes, as the cache of a local server sees it; undefined: none. */
  readonly bytes: ReportedDifference | undefined;
  /** First difference in what the provider reads; undefined: none. */
  readonly provider: ReportedDifference | undefined;
  /** JSON paths, in the next request, of signed or encrypted reasoning that the provider will not accept behind this difference. */
  readonly reasoningVoided: readonly string[];
  /** Name of the wire by which both were read. */
  readonly wire: string;
};
