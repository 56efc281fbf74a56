import type { SessionState } from "./session-state.ts";

/** What providers keep a prefix for where nothing is asked: five minutes. */
const defaultMs = 300_000;
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** Whether the last request is so long ago that nothing of it is cached any more; also where there was none. */
export function idleBeyond<W extends object>({ sent, options }: SessionState<W>): boolean {
  const last = sent.at(-1);
  if (last === undefined) return true;
  return (options.now ?? Date.now)() - last.sentAt > lifetimeMs(options.ttl);
}

/** `5m`, `1h` in milliseconds. */
function lifetimeMs(ttl: string | undefined): number {
  const [, amount, unit = ""] = /^(\d+)([mh])$/.exec(ttl ?? "") ?? [];
  return amount === undefined ? defaultMs : Number(amount) * (units[unit] ?? 0);
}
