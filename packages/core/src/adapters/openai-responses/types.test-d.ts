import { describe, expectTypeOf, it } from "vitest";
import type { Wire } from "../../wire/wire.ts";
import { openaiResponses, type ResponsesRequest } from "./index.ts";

// Without an SDK; with the official one's types: packages/testing/test/openai-responses-types.test-d.ts.

declare const wire: ReturnType<typeof openaiResponses>;
declare const opened: ReturnType<typeof wire.open>;

describe("ResponsesRequest", () => {
  it("takes a plain literal, and gives the same type back", () => {
    const request = { model: "m", input: [{ role: "user", content: "Hi." }], stream: true, store: false } as const;
    expectTypeOf(wire.close(request, opened.head, [])).toEqualTypeOf<typeof request>();
    expectTypeOf(wire.mark(request, { mode: "off", ttl: undefined, hostMarks: [], repeatsTo: 0, lagging: undefined })).toEqualTypeOf<
      typeof request
    >();
  });

  it("takes a string as input", () => {
    expectTypeOf<{ model: string; input: string }>().toExtend<ResponsesRequest>();
  });

  it("refuses input of another type", () => {
    expectTypeOf<{ model: string; input: number }>().not.toExtend<ResponsesRequest>();
    // @ts-expect-error a route that is not known
    openaiResponses({ route: "chat" });
  });

  it("is the request of the wire", () => {
    expectTypeOf(openaiResponses()).toEqualTypeOf<Wire<ResponsesRequest>>();
  });
});
