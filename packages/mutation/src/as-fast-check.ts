/** fast-check for tests that are run again and again: few cases are drawn a property, so that a mutant costs milliseconds. */
import fc from "fast-check";

const numRunsMax = 6;

const assert = ((property: never, given: fc.Parameters = {}) =>
  fc.assert(property, { ...given, numRuns: Math.min(given.numRuns ?? numRunsMax, numRunsMax) })) as typeof fc.assert;

const few: typeof fc = { ...fc, assert };
// biome-ignore lint/style/noDefaultExport: it is what the tests import.
export default few;
