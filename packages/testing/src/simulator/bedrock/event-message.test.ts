import { EventStreamCodec } from "@smithy/eventstream-codec";
import { expect, it } from "vitest";
import { eventMessages } from "./event-message.ts";

const decoder = new TextDecoder();
const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : decoder.decode(bytes)),
  (text) => new TextEncoder().encode(text),
);

it("is read by the SDK's own codec, checksums and all", () => {
  for (const data of [
    { messageStart: { role: "assistant" } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Grüße 🙂" } } },
    {},
  ]) {
    const { headers, body } = codec.decode(eventMessages.frame({ data }));
    const [type = "", payload = {}] = Object.entries(data)[0] ?? [];
    expect(headers[":event-type"]).toEqual({ type: "string", value: type });
    expect(headers[":message-type"]).toEqual({ type: "string", value: "event" });
    expect(JSON.parse(decoder.decode(body))).toEqual(payload);
  }
});
