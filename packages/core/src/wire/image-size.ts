export type ImageSize = { readonly width: number; readonly height: number };

/** Base64 text or bytes of a picture, read at a few places only. */
type Bytes = (from: number, count: number) => readonly number[];

/** The pixels of a PNG, JPEG, GIF or WebP picture from its header; undefined when it is none or cut off. Cost: a few dozen bytes read. */
export function imageSize(data: string | Uint8Array): ImageSize | undefined {
  const bytes = typeof data === "string" ? fromBase64(data) : fromBytes(data);
  const start = bytes(0, 12);
  const size = sizeOf(bytes, start);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function sizeOf(bytes: Bytes, start: readonly number[]): ImageSize | undefined {
  if (says(start, 1, "PNG")) return pngSize(bytes);
  if (says(start, 0, "GIF8")) return gifSize(bytes);
  if (says(start, 0, "RIFF") && says(start, 8, "WEBP")) return webpSize(bytes);
  if (start[0] === 0xff && start[1] === 0xd8) return jpegSize(bytes);
  return undefined;
}

function says(bytes: readonly number[], at: number, word: string): boolean {
  return [...word].every((char, index) => bytes[at + index] === char.charCodeAt(0));
}

function pngSize(bytes: Bytes): ImageSize | undefined {
  const header = bytes(16, 8);
  return header.length < 8 ? undefined : { width: bigEndian(header.slice(0, 4)), height: bigEndian(header.slice(4)) };
}

function gifSize(bytes: Bytes): ImageSize | undefined {
  const header = bytes(6, 4);
  return header.length < 4 ? undefined : { width: littleEndian(header.slice(0, 2)), height: littleEndian(header.slice(2)) };
}

function webpSize(bytes: Bytes): ImageSize | undefined {
  const kind = bytes(12, 4);
  const header = bytes(20, 10);
  if (header.length < 10) return undefined;
  if (says(kind, 0, "VP8X")) return { width: littleEndian(header.slice(4, 7)) + 1, height: littleEndian(header.slice(7, 10)) + 1 };
  if (says(kind, 0, "VP8L")) {
    const bits = littleEndian(header.slice(1, 5));
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: littleEndian(header.slice(6, 8)) & 0x3fff, height: littleEndian(header.slice(8, 10)) & 0x3fff };
}

/** Segments of a JPEG file that may stand before the frame: colour profiles, thumbnails, application data. */
const segmentsMax = 512;

function jpegSize(bytes: Bytes): ImageSize | undefined {
  let at = 2;
  for (let count = 0; count < segmentsMax; count++) {
    const [start, marker, ...rest] = bytes(at, 9);
    if (start !== 0xff || marker === undefined) return undefined;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return rest.length < 7 ? undefined : { width: bigEndian(rest.slice(5, 7)), height: bigEndian(rest.slice(3, 5)) };
    else at += 2 + bigEndian(rest.slice(0, 2));
  }
  return undefined;
}

/** Start of a frame: 0xc0 to 0xcf but for the tables and extensions among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function bigEndian(bytes: readonly number[]): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function littleEndian(bytes: readonly number[]): number {
  return bigEndian([...bytes].reverse());
}

function fromBytes(data: Uint8Array): Bytes {
  return (from, count) => [...data.subarray(from, from + count)];
}

function fromBase64(text: string): Bytes {
  return (from, count) => {
    const first = Math.floor(from / 3) * 4;
    const last = Math.ceil((from + count) / 3) * 4;
    const skipped = from % 3;
    return decoded(text.slice(first, last)).slice(skipped, skipped + count);
  };
}

function decoded(base64: string): readonly number[] {
  try {
    return [...atob(base64.replaceAll("-", "+").replaceAll("_", "/"))].map((char) => char.charCodeAt(0));
  } catch {
    return [];
  }
}
