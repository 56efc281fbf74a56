import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropic } from "../adapters/anthropic/wire.ts";
import { openaiChat } from "../adapters/openai-chat/wire.ts";
import type { Wire } from "../wire/wire.ts";
import { replyReader } from "./reply-reader.ts";

const claude = anthropic() as unknown as Wire;
const chat = openaiChat() as unknown as Wire;

const events = [
  {
    type: "message_start",
    message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: { input_tokens: 3 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Grüße, 世界 🙂\u2028 {" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const eventText = (lineEnd: string): string =>
  `: a comment${lineEnd}${lineEnd}${events.map((event) => `event: ${event.type}${lineEnd}data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`).join("")}`;

function readIn(wire: Wire, type: string, text: string, cuts: readonly number[] = []): object | undefined {
  const reader = replyReader(wire, type);
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [index, place] of places.slice(1).entries()) reader?.add(bytes.subarray(places[index], place));
  return reader?.reply(true);
}

describe("replyReader", () => {
  it("reads the same reply however a stream is cut into chunks, inside of characters and line ends too", () => {
    const whole = readIn(claude, "text/event-stream", eventText("\n"));
    expect(whole).toMatchObject({ id: "msg_1", stop_reason: "end_turn", content: [{ text: "Grüße, 世界 🙂\u2028 {" }] });
    fc.assert(
      fc.property(fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat(), { maxLength: 40 }), (lineEnd, cuts) => {
        expect(readIn(claude, "text/event-stream; charset=utf-8", eventText(lineEnd), cuts)).toEqual(whole);
      }),
    );
  });

  it("has no reply of a stream that ended early, or that its reader left early", () => {
    const reader = replyReader(claude, "text/event-stream");
    const text = eventText("\n");
    reader?.add(new TextEncoder().encode(text.slice(0, text.indexOf("message_stop"))));
    expect(reader?.reply(false)).toBeUndefined();
    expect(reader?.reply(true)).toBeUndefined();
  });

  it("has the reply of a stream whose reader left right behind its last event", () => {
    const reader = replyReader(claude, "text/event-stream");
    reader?.add(new TextEncoder().encode(eventText("\n")));
    expect(reader?.reply(false)).toMatchObject({ stop_reason: "end_turn" });
  });

  it("reads lines of JSON, a JSON reply, and a list of chunks", () => {
    const chunks = [
      { id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "Hel" } }] },
      { id: "c", choices: [{ index: 0, delta: { content: "lo" }, finish_reason: "stop" }] },
    ];
    const message = { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] };
    expect(readIn(chat, "application/x-ndjson", chunks.map((chunk) => JSON.stringify(chunk)).join("\n"))).toMatchObject(message);
    expect(
      readIn(chat, "text/event-stream", `${chunks.map((chunk) => `data:${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`),
    ).toMatchObject(message);
    expect(readIn(chat, "application/json; charset=utf-8", JSON.stringify(chunks, null, 2))).toMatchObject(message);
    expect(readIn(chat, "application/json", JSON.stringify(message), [7])).toEqual(message);
  });

  it("reads nothing of what is not JSON, and nothing of other types", () => {
    expect(readIn(chat, "application/json", "<html>")).toBeUndefined();
    expect(replyReader(chat, "text/html")).toBeUndefined();
    expect(replyReader(chat, "")).toBeUndefined();
  });
});
