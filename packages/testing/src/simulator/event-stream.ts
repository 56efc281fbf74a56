import type { Framing, StreamEvent } from "./endpoint.ts";
import type { ScriptedReply } from "./script.ts";

export type EventStreamOptions = {
  readonly headers: Readonly<Record<string, string>>;
  readonly cut: ScriptedReply["cut"];
  readonly signal: AbortSignal;
  readonly framing?: Framing | undefined;
};

const encoder = new TextEncoder();
const serverSentEvents: Framing = { contentType: "text/event-stream; charset=utf-8", frame: (event) => encoder.encode(eventText(event)) };

/** A streamed response, one chunk an event, as fast as they are read. */
export function eventStream(events: readonly StreamEvent[], options: EventStreamOptions): Response {
  const { contentType, frame } = options.framing ?? serverSentEvents;
  const end = Math.min(events.length, options.cut?.after ?? events.length);
  let position = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      options.signal.addEventListener("abort", () => fail(controller, options.signal.reason), { once: true });
    },
    pull(controller) {
      if (options.signal.aborted) return;
      const event = position < end ? events[position++] : undefined;
      if (event !== undefined) controller.enqueue(frame(event));
      else if (end < events.length && options.cut?.cleanly !== true) fail(controller, new TypeError("terminated"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": contentType, ...options.headers } });
}

function eventText(event: StreamEvent): string {
  const data = event.data === "[DONE]" ? event.data : JSON.stringify(event.data);
  return event.name === undefined ? `data: ${data}\n\n` : `event: ${event.name}\ndata: ${data}\n\n`;
}

/** An abort may come after the stream was read to its end. */
function fail(controller: ReadableStreamDefaultController<Uint8Array>, reason: unknown): void {
  try {
    controller.error(reason);
  } catch {}
}

/** Pieces of a text as a stream delivers them. Code points stay whole. */
export function pieces(text: string, size = 24): readonly string[] {
  const list: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + size);
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end += 1;
    list.push(text.slice(at, end));
    at = end;
  }
  return list;
}
