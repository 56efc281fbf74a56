// #region readme
import { checkPrefixContinuity } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { expect } from "vitest";

const { verdict, path } = checkPrefixContinuity(requests[0], requests[1], { wire: anthropic() });
expect(verdict, path).not.toBe("breaks");
// #endregion readme

declare const requests: readonly [Anthropic.MessageCreateParams, Anthropic.MessageCreateParams];

test("two requests are compared as the page says", () => {
  expectTypeOf(verdict).not.toBeAny();
});

import type Anthropic from "@anthropic-ai/sdk";
import { expectTypeOf, test } from "vitest";
