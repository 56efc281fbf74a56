import fc from "fast-check";
import { expect, test } from "vitest";
import { imageSize } from "./image-size.ts";

const big = (value: number, bytes: number) => Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 255);
const little = (value: number, bytes: number) => big(value, bytes).reverse();
const word = (text: string) => [...text].map((char) => char.charCodeAt(0));

const png = (width: number, height: number) => [
  137,
  ...word("PNG"),
  13,
  10,
  26,
  10,
  ...big(13, 4),
  ...word("IHDR"),
  ...big(width, 4),
  ...big(height, 4),
];
const gif = (width: number, height: number) => [...word("GIF89a"), ...little(width, 2), ...little(height, 2), 0, 0];
const webp = (kind: string, rest: readonly number[]) => [
  ...word("RIFF"),
  ...little(100, 4),
  ...word("WEBP"),
  ...word(kind),
  ...little(50, 4),
  ...rest,
];
const extended = (width: number, height: number) => webp("VP8X", [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]);
const lossless = (width: number, height: number) => webp("VP8L", [0x2f, ...little(((height - 1) << 14) | (width - 1), 4), 0, 0, 0, 0, 0]);
const lossy = (width: number, height: number) => webp("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)]);
const segment = (marker: number, body: readonly number[]) => [0xff, marker, ...big(body.length + 2, 2), ...body];
const jpeg = (width: number, height: number, before: readonly number[] = []) => [
  0xff,
  0xd8,
  ...segment(0xe0, word("JFIF\0")),
  ...before,
  ...segment(0xc4, [1, 2, 3]),
  ...segment(0xc2, [8, ...big(height, 2), ...big(width, 2), 3]),
];

test.each([
  ["PNG", png],
  ["GIF", gif],
  ["WebP, extended", extended],
  ["WebP, lossless", lossless],
  ["WebP, lossy", lossy],
  ["JPEG", jpeg],
])("reads the pixels of a %s picture from its header, as bytes and as base64", (_kind, make) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16_000 }), fc.integer({ min: 1, max: 16_000 }), (width, height) => {
      const bytes = Uint8Array.from(make(width, height));
      expect(imageSize(bytes)).toEqual({ width, height });
      expect(imageSize(Buffer.from(bytes).toString("base64"))).toEqual({ width, height });
      expect(imageSize(Buffer.from(bytes).toString("base64url"))).toEqual({ width, height });
    }),
  );
});

test("a JPEG's size may stand behind megabytes of thumbnails and profiles", () => {
  const before = Array.from({ length: 40 }, () =>
    segment(
      0xe1,
      Array.from({ length: 60_000 }, () => 7),
    ),
  ).flat();
  const data = Buffer.from(jpeg(640, 480, before)).toString("base64");
  expect(imageSize(data)).toEqual({ width: 640, height: 480 });
});

test("what is no picture, or is cut off, has no size", () => {
  expect(imageSize("")).toBeUndefined();
  expect(imageSize("not base64 at all!")).toBeUndefined();
  expect(imageSize(Uint8Array.from(png(10, 10).slice(0, 20)))).toBeUndefined();
  expect(imageSize(Uint8Array.from(png(0, 10)))).toBeUndefined();
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void imageSize(bytes)));
});
