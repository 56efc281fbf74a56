export type ImageSize = { readonly width: number; readonly height: number };

/** Base64 text or bytes of a picture, read at a few places only: fewer bytes than asked for where it is cut off. */
type Bytes = (from: number, count: number) => readonly number[];

/** Numbers and words in a picture's header. A number is NaN where the picture is cut off. */
type Header = {
  readonly says: (at: number, word: string) => boolean;
  readonly big: (at: number, count: number) => number;
  readonly little: (at: number, count: number) => number;
};

/** The pixels of a PNG, JPEG, GIF or WebP picture from its header; undefined when it is none or cut off. Cost: a few dozen bytes read. */
export function imageSize(data: string | Uint8Array): ImageSize | undefined {
  const [width, height] = sizeIn(headerOf(typeof data === "string" ? fromBase64(data) : fromBytes(data)));
  return width > 0 && height > 0 ? { width, height } : undefined;
}

type Size = readonly [width: number, height: number];

const none: Size = [0, 0];

function sizeIn(header: Header): Size {
  const { says, big, little } = header;
  if (says(1, "PNG")) return [big(16, 4), big(20, 4)];
  if (says(0, "GIF8")) return [little(6, 2), little(8, 2)];
  if (says(0, "RIFF") && says(8, "WEBP")) return webpSize(header);
  return big(0, 2) === 0xff_d8 ? jpegSize(header) : none;
}

/** Sides of WebP have fourteen bits; in the lossless form they stand together. */
const sides = 0x4000;

function webpSize({ says, little }: Header): Size {
  if (says(12, "VP8X")) return [little(24, 3) + 1, little(27, 3) + 1];
  if (says(12, "VP8L")) return [(little(21, 4) % sides) + 1, (Math.floor(little(21, 4) / sides) % sides) + 1];
  return [little(26, 2) % sides, little(28, 2) % sides];
}

/** Segments of a JPEG file that may stand before the frame: colour profiles, thumbnails, application data. */
const segmentsMax = 512;
/** Segments start with this and their kind. */
const segment = 0xff_00;

function jpegSize({ big }: Header): Size {
  let at = 2;
  for (let count = 0; count < segmentsMax && big(at, 2) >= segment; count++) {
    const kind = big(at, 2) - segment;
    if (isFrame(kind)) return [big(at + 7, 2), big(at + 5, 2)];
    at += kind === 0xff ? 1 : 2 + big(at + 2, 2);
  }
  return none;
}

/** Start of a frame: 0xc0 to 0xcf but for the tables and extensions among them. */
function isFrame(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
}

function headerOf(bytes: Bytes): Header {
  const numberOf = (digits: readonly number[], count: number): number =>
    digits.length < count ? Number.NaN : digits.reduce((value, byte) => value * 256 + byte, 0);
  return {
    says: (at, word) => String.fromCharCode(...bytes(at, word.length)) === word,
    big: (at, count) => numberOf(bytes(at, count), count),
    little: (at, count) => numberOf(bytes(at, count).toReversed(), count),
  };
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
