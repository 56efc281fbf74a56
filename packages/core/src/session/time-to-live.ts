import { lastTurn } from "../ledger/state.ts";
import type { SessionState } from "./session-state.ts";

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** Whether the last request is so long ago that nothing of it is cached any more; also where there was none. */
export function idleBeyond<W extends object>(session: SessionState<W>): boolean {
  const { sentAt, options } = session;
  if (sentAt === undefined) return true;
  return (options.now ?? Date.now)() - sentAt > (lifetimeOf(session) ?? Number.POSITIVE_INFINITY);
}

/** Milliseconds for which what was last sent is kept: as the session asked for it (`5m`, `1h`), else as its model's provider does. Undefined: not known. */
export function lifetimeOf<W extends object>({ ledger, options, wire }: SessionState<W>): number | undefined {
  const [, amount, unit = ""] = /^(\d+)([mh])$/.exec(options.ttl ?? "") ?? [];
  if (amount !== undefined) return Number(amount) * (units[unit] ?? 0);
  const model = lastTurn(ledger)?.head.model;
  return model === undefined ? undefined : wire.profile(model).cacheLifetime;
}
