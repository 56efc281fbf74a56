import type { EventReader } from "../wire/http.ts";
import type { Wire } from "../wire/wire.ts";

/** Reads a reply off a response while its bytes pass. */
export interface ReplyReader {
  add(chunk: Uint8Array): void;
  /** The stream's last event has passed. */
  readonly last: boolean;
  /** The reply, if the bytes so far are a complete one. `ended`: no more will come. */
  reply(ended: boolean): object | undefined;
}

/** The reader for a content type; undefined for one of which nothing is known: such a response just passes. */
export function replyReader(wire: Wire, contentType: string): ReplyReader | undefined {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const framing = wire.http?.framing;
  if (type === framing?.contentType) return framedReader(wire, framing.reader());
  if (type === "text/event-stream") return lineReader(wire, eventData);
  if (type === "application/x-ndjson" || type === "application/jsonl") return lineReader(wire, (line) => line);
  if (type === "application/json" || type.endsWith("+json")) return documentReader(wire);
  return undefined;
}

/** Server-sent events and lines of JSON. An event of a wire is one line of data: none of them breaks one. */
function lineReader(wire: Wire, dataOf: (line: string) => string | undefined): ReplyReader {
  const decoder = new TextDecoder();
  const accumulator = wire.accumulator();
  const { lastEvent } = wire.http ?? {};
  let rest = "";
  let last = false;
  const take = (line: string): void => {
    const data = dataOf(line);
    const event = objectIn(data);
    if (event !== undefined) accumulator.add(event);
    last ||= data !== undefined && (lastEvent?.test(data) ?? false);
  };
  return {
    get last() {
      return last;
    },
    add(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    },
    reply(ended) {
      if (ended) take(rest);
      rest = ended ? "" : rest;
      const { reply, finished } = accumulator.reply();
      return finished ? reply : undefined;
    },
  };
}

/** A stream of the wire's own framing. */
function framedReader(wire: Wire, events: EventReader): ReplyReader {
  const accumulator = wire.accumulator();
  return {
    last: false,
    add(chunk) {
      for (const event of events.add(chunk)) accumulator.add(event);
    },
    reply(ended) {
      const { reply, finished } = accumulator.reply();
      return ended && finished ? reply : undefined;
    },
  };
}

/** One JSON text: the reply, or the list of chunks that Google's API streams where it is not asked for events. */
function documentReader(wire: Wire): ReplyReader {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  return {
    last: false,
    add: (chunk) => pieces.push(decoder.decode(chunk, { stream: true })),
    reply(ended) {
      const document: unknown = ended ? parsed(pieces.join("")) : undefined;
      if (!Array.isArray(document)) return typeof document === "object" && document !== null ? document : undefined;
      const accumulator = wire.accumulator();
      for (const event of document) if (typeof event === "object" && event !== null) accumulator.add(event);
      const { reply, finished } = accumulator.reply();
      return finished ? reply : undefined;
    },
  };
}

function eventData(line: string): string | undefined {
  return line.startsWith("data:") ? line.slice("data:".length) : undefined;
}

function objectIn(text: string | undefined): object | undefined {
  // `[DONE]`, comments and names of events are not parsed.
  if (text === undefined || !text.includes("{")) return undefined;
  const value = parsed(text);
  return typeof value === "object" && value !== null ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
