import type { ObjectValue } from "../json/value.ts";
import type { Reading } from "./unit.ts";

/** Messages that one request is about: a reply, what it answers and what answers it, as given and as sent. */
const recentMax = 8;

/** Reads a message once while it is new: admission, gate and reply ask for the same one in turn. Only what is frozen is remembered, and only the last few. */
export function recentReadings(read: (message: ObjectValue) => Reading): (message: ObjectValue) => Reading {
  const recent: { message: ObjectValue; reading: Reading }[] = [];
  let next = 0;
  return (message) => {
    for (const known of recent) if (known.message === message) return known.reading;
    const reading = read(message);
    if (Object.isFrozen(message)) {
      recent[next] = { message, reading };
      next = (next + 1) % recentMax;
    }
    return reading;
  };
}
