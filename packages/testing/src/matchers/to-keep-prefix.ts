import { checkCall } from "./check-call.ts";
import { failureMessage } from "./failure-message.ts";
import { checkContinuity } from "./known-wires.ts";
import { type ContinuityMatcherOptions, differenceIn, type MatcherResult } from "./to-continue.ts";

/**
 * `expect(requests).toKeepPrefix()`: each request of a list continues the one before it. The first pair that does not is shown.
 *
 * @throws {TypeError} when it is given no list of requests, and for a wrong option. {TidemarkError} `wire-unknown` or `invalid-request` for what cannot be compared.
 */
export function toKeepPrefix(requests: readonly object[], options: ContinuityMatcherOptions = {}): MatcherResult {
  if (!Array.isArray(requests))
    throw new TypeError("toKeepPrefix takes a list of requests, oldest first; for one pair there is toContinue.");
  checkCall("toKeepPrefix", requests, options);
  for (let index = 1; index < requests.length; index++) {
    const report = checkContinuity(requests[index - 1] as object, requests[index] as object, options);
    const difference = differenceIn(report, options);
    if (difference === undefined) continue;
    const headline = `Request ${index} of ${requests.length} (counted from 0) does not continue request ${index - 1}.`;
    return { pass: false, message: () => failureMessage(headline, report, difference) };
  }
  return { pass: true, message: () => `Expected one of ${requests.length} requests not to continue the one before it, but all do.` };
}
