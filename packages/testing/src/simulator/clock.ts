/** Milliseconds since 1970. A simulator asks only the clock that it was given, never the machine. */
export interface Clock {
  now(): number;
}

/** A clock that stands still until it is told to go on: time to live becomes a matter of one line in a test. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export function manualClock(start: number = Date.UTC(2026, 10, 30, 12)): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

export const minuteMs = 60_000;
export const hourMs: number = 60 * minuteMs;
