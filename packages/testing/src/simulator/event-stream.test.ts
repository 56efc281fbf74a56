import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStream, pieces } from "./event-stream.ts";

const events = [{ name: "one", data: { a: 1 } }, { data: { b: 2 } }, { data: "[DONE]" as const }];
const options = { headers: { "request-id": "req_1" }, cut: undefined, signal: new AbortController().signal };

describe("an event stream", () => {
  it("writes each event as server-sent events have it", async () => {
    const response = eventStream(events, options);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("request-id")).toBe("req_1");
    expect(await response.text()).toBe('event: one\ndata: {"a":1}\n\ndata: {"b":2}\n\ndata: [DONE]\n\n');
  });

  it("breaks off after as many events as the script says, or ends there", async () => {
    await expect(eventStream(events, { ...options, cut: { after: 1 } }).text()).rejects.toThrow("terminated");
    expect(await eventStream(events, { ...options, cut: { after: 1, cleanly: true } }).text()).toBe('event: one\ndata: {"a":1}\n\n');
  });

  it("ends with the reader's own reason when it is aborted", async () => {
    const leaving = new AbortController();
    const reader = eventStream(events, { ...options, signal: leaving.signal }).body?.getReader();
    await reader?.read();
    leaving.abort(new Error("enough"));
    await expect(reader?.read()).rejects.toThrow("enough");
  });

  it("cuts a text into pieces that join to it and never cut a code point", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (text, size) => {
        const list = pieces(text, size);
        expect(list.join("")).toBe(text);
        expect(list.every((piece) => piece !== "" && piece.isWellFormed())).toBe(true);
      }),
    );
  });
});
