import { isArray, isObject, type Value } from "./value.ts";

type Lanes = { low: number; high: number };

/** What stands between the strings of a value: no UTF-16 unit is like these. */
const token = { object: 0x10000, array: 0x10001, end: 0x10002, string: 0x10003, bytes: 0x10004, plain: 0x10005 };

/**
 * A 53-bit checksum of a value, to the order of its keys (two multiply-xor lanes): fast, and good enough to notice that one's own rendering of a message has
 * changed. It defends against nobody; where that matters there is `digestValue`.
 */
export function checksumValue(value: Value): string {
  const lanes = { low: 0xdeadbeef, high: 0x41c6ce57 };
  mixValue(lanes, value);
  const low = Math.imul(lanes.low ^ (lanes.low >>> 16), 2_246_822_507) ^ Math.imul(lanes.high ^ (lanes.high >>> 13), 3_266_489_909);
  const high = Math.imul(lanes.high ^ (lanes.high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & high) + (low >>> 0)).toString(36);
}

function mixValue(lanes: Lanes, value: Value): void {
  if (typeof value === "string") {
    mix(lanes, token.string);
    mixText(lanes, value);
  } else if (isArray(value)) {
    mix(lanes, token.array);
    for (const item of value) mixValue(lanes, item);
    mix(lanes, token.end);
  } else if (isObject(value)) {
    mix(lanes, token.object);
    for (const name of Object.keys(value)) {
      mixText(lanes, name);
      mixValue(lanes, value[name] as Value);
    }
    mix(lanes, token.end);
  } else if (value instanceof Uint8Array) {
    mix(lanes, token.bytes);
    for (const byte of value) mix(lanes, byte);
    mix(lanes, token.end);
  } else {
    mix(lanes, token.plain);
    mixText(lanes, String(value));
  }
}

function mix(lanes: Lanes, unit: number): void {
  lanes.low = Math.imul(lanes.low ^ unit, 2_654_435_761);
  lanes.high = Math.imul(lanes.high ^ unit, 1_597_334_677);
}

function mixText(lanes: Lanes, text: string): void {
  let { low, high } = lanes;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2_654_435_761);
    high = Math.imul(high ^ unit, 1_597_334_677);
  }
  lanes.low = low;
  lanes.high = high;
}
