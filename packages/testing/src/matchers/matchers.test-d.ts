import type { Wire } from "@tidemark/core";
import { expect, expectTypeOf, test } from "vitest";
import "../vitest.ts";
import type { ContinuityMatcherOptions } from "./to-continue.ts";

test("the matchers are methods of every assertion", () => {
  expectTypeOf(expect({}).toContinue).toBeCallableWith({});
  expectTypeOf(expect({}).toContinue).toBeCallableWith({}, { strength: "bytes" });
  expectTypeOf(expect([]).toKeepPrefix).toBeCallableWith();
  expectTypeOf(expect([]).not.toKeepPrefix).toBeCallableWith({ strength: "provider" });
  expectTypeOf(expect({}).toContinue({})).toEqualTypeOf<void>();
});

test("what they cannot take does not compile", () => {
  // @ts-expect-error the previous request is needed
  expect({}).toContinue();
  // @ts-expect-error there is no such strength
  expect([]).toKeepPrefix({ strength: "loose" });
});

test("options are structural", () => {
  expectTypeOf<{ strength: "bytes" }>().toExtend<ContinuityMatcherOptions>();
  expectTypeOf<{ wire: Wire }>().toExtend<ContinuityMatcherOptions>();
});
