import { expect } from "vitest";
import { matchers } from "./matchers/matchers.ts";
import type { ContinuityMatcherOptions } from "./matchers/to-continue.ts";

expect.extend(matchers);

// Vitest's own interfaces for matchers have other type parameters in each major version; this one, which they all extend, has none.
declare global {
  namespace Chai {
    interface Assertion {
      /** The request repeats the previous one, in its head fields and messages, and only appends. */
      toContinue(previous: object, options?: ContinuityMatcherOptions): void;
      /** Each request of the list continues the one before it. */
      toKeepPrefix(options?: ContinuityMatcherOptions): void;
    }
  }
}
