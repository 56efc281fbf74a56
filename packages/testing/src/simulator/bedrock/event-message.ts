import { crc32 } from "node:zlib";
import type { Framing, StreamEvent } from "../endpoint.ts";

const preludeBytes = 8;
const checksumBytes = 4;
/** Type of a header whose value is a string. */
const stringType = 7;

/** AWS event stream: binary messages, each with its length, headers and two checksums. An event's one member names its type, what it holds is the payload. */
export const eventMessages: Framing = { contentType: "application/vnd.amazon.eventstream", frame };

function frame({ data }: StreamEvent): Uint8Array {
  const [type, payload] = Object.entries(data)[0] ?? ["", {}];
  const headers = { ":event-type": type, ":content-type": "application/json", ":message-type": "event" };
  return encoded(headers, JSON.stringify(payload));
}

function encoded(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(preludeBytes);
  prelude.writeUInt32BE(preludeBytes + checksumBytes + head.length + body.length + checksumBytes, 0);
  prelude.writeUInt32BE(head.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), head, body]);
  return new Uint8Array(Buffer.concat([message, checksum(message)]));
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value), 0);
  return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), Buffer.from([stringType]), length, Buffer.from(value)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(checksumBytes);
  sum.writeUInt32BE(crc32(bytes), 0);
  return sum;
}
