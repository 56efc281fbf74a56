import { toContinue } from "./to-continue.ts";
import { toKeepPrefix } from "./to-keep-prefix.ts";

/** For `expect.extend(matchers)`, in Jest and wherever matchers are such functions. With Vitest, import `@tidemark/testing/vitest` instead. */
export const matchers: {
  readonly toContinue: typeof toContinue;
  readonly toKeepPrefix: typeof toKeepPrefix;
} = { toContinue, toKeepPrefix };
