import { isObject, type Value } from "../../json/value.ts";
import type { EventReader } from "../../wire/http.ts";

const preludeBytes = 12;
const checksumBytes = 4;
/** Bytes of a header's value by its type; the two others, bytes and text, say their length. Source: the event stream encoding of AWS. */
const valueBytes: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];
const textType = 7;

/**
 * Reads AWS event streams: binary messages, each with its length, headers and payload. A message becomes one object with one member, as the SDK hands events out: the name is the
 * event's or exception's type. Checksums are the client's to check.
 */
export function eventMessages(): EventReader {
  const decoder = new TextDecoder();
  let rest: Uint8Array = new Uint8Array(0);
  return {
    add(bytes) {
      rest = rest.length === 0 ? bytes : joined(rest, bytes);
      const events: object[] = [];
      for (;;) {
        const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
        const length = rest.length < preludeBytes ? Number.POSITIVE_INFINITY : view.getUint32(0);
        if (length < preludeBytes + checksumBytes || rest.length < length) return events;
        const headersEnd = preludeBytes + view.getUint32(4);
        const type = typeOf(headersIn(rest.subarray(preludeBytes, headersEnd), decoder));
        const payload = parsed(decoder.decode(rest.subarray(headersEnd, length - checksumBytes)));
        if (type !== undefined && isObject(payload)) events.push({ [type]: payload });
        rest = rest.subarray(length);
      }
    },
  };
}

function typeOf(headers: ReadonlyMap<string, string>): string | undefined {
  return headers.get(":event-type") ?? headers.get(":exception-type");
}

/** The headers that are text. */
function headersIn(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): ReadonlyMap<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + view.getUint8(at);
    const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
    const type = view.getUint8(nameEnd);
    const fixed = valueBytes[type];
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    const end = start + (fixed ?? view.getUint16(nameEnd + 1));
    if (type === textType) headers.set(name, decoder.decode(bytes.subarray(start, end)));
    at = end;
  }
  return headers;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function parsed(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
