import { count, objectOf, optional, type Shape, text } from "../json/check.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import { freshRunner, type RunnerState } from "../overflow/runner.ts";
import type { HostLanding } from "./landing.ts";
import type { SessionState } from "./session-state.ts";

/** What a snapshot keeps of a session's landings to come: breaker and loop guard, pins, and what was asked for. Running jobs are not in it. */
export type StoredOverflow = {
  readonly runner: { readonly failures: number; readonly pausedUntil?: number; readonly fruitless: number };
  readonly asked?: { readonly own?: HostLanding };
  readonly pins: readonly ObjectValue[];
  readonly folds: { readonly [callId: string]: string };
};

type Kept = Pick<SessionState, "runner" | "asked" | "pins" | "folds">;

export const storedOverflowShape: Shape = objectOf({
  runner: objectOf({ failures: count, pausedUntil: optional(count), fruitless: count }),
  asked: optional(objectOf({ own: optional(objectOf({ from: count, to: count, text })) })),
});

export function storedOverflow({ runner, asked, pins, folds }: Kept): { readonly overflow?: StoredOverflow } {
  const { failures, pausedUntil, fruitless } = runner;
  if (failures + fruitless + pins.length + folds.size === 0 && asked === undefined) return {};
  const stored = { failures, fruitless, ...(pausedUntil === undefined ? {} : { pausedUntil }) };
  return { overflow: { runner: stored, ...(asked === undefined ? {} : { asked }), pins, folds: Object.fromEntries(folds) } };
}

export function loadOverflow(stored: StoredOverflow | undefined): Kept {
  if (stored === undefined) return { runner: freshRunner, asked: undefined, pins: [], folds: new Map() };
  const runner: RunnerState = { ...stored.runner, pausedUntil: stored.runner.pausedUntil };
  return {
    runner,
    asked: stored.asked,
    pins: stored.pins.map((pin) => copyValue(pin) as ObjectValue),
    folds: new Map(Object.entries(stored.folds)),
  };
}
