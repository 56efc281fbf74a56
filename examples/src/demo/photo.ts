import { crc32, deflateSync } from "node:zlib";

/** A picture of a crate's label, drawn here so that the demo needs no file: dark bars on light paper, as PNG in base64. */
export function labelPhoto(code: number): string {
  const [width, height] = [96, 48];
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width, 0xee);
    row[0] = 0;
    for (let x = 8; x < width - 8; x++) if (y > 8 && y < 34 && (code >> (x % 13)) % 2 === 1) row[1 + x] = 0x22;
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, grey.
  header.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows))), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]).toString("base64");
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
