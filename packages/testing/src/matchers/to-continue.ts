import type { ContinuityReport, ReportedDifference, Wire } from "@tidemark/core";
import { checkCall } from "./check-call.ts";
import { failureMessage } from "./failure-message.ts";
import { checkContinuity } from "./known-wires.ts";

export type ContinuityMatcherOptions = {
  /**
   * `provider` (the default): what the provider does not read is no difference: key order, cache marks, a string or one text block.
   * `bytes`: whatever the cache of a local server sees is one.
   */
  readonly strength?: "bytes" | "provider" | undefined;
  /** The wire of the requests; the default is told by their shape. */
  readonly wire?: Wire | undefined;
};

/** What a matcher of Vitest and Jest returns. */
export type MatcherResult = { readonly pass: boolean; readonly message: () => string };

/**
 * `expect(next).toContinue(previous)`: the next request repeats the previous one, in its head fields and messages, and only appends.
 *
 * @throws {TypeError} for what is no request, and for a wrong option. {TidemarkError} `wire-unknown` or `invalid-request` for what cannot be compared.
 */
export function toContinue(next: object, previous: object, options: ContinuityMatcherOptions = {}): MatcherResult {
  checkCall("toContinue", [previous, next], options);
  const report = checkContinuity(previous, next, options);
  const difference = differenceIn(report, options);
  if (difference === undefined)
    return { pass: true, message: () => "Expected the request not to continue the one before it, but it does." };
  return { pass: false, message: () => failureMessage("The request does not continue the one before it.", report, difference) };
}

/** The difference that counts at this strength. */
export function differenceIn(
  report: ContinuityReport,
  { strength = "provider" }: ContinuityMatcherOptions,
): ReportedDifference | undefined {
  return strength === "bytes" ? (report.bytes ?? report.provider) : report.provider;
}
