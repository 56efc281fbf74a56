import type { Seen, Setting } from "../sources/source.ts";
import type { SessionState } from "./session-state.ts";
import { cleanerOf } from "./sources.ts";

/** What the sources that read for themselves read for one request. */
export type Readings = { readonly settings: SessionState["settings"]; readonly seen: ReadonlyMap<string, Seen> };

/** Lets the sources read what they speak of, once a request (rule 21). Publishes nothing. */
export async function collectReadings<W extends object>(session: SessionState<W>, settings: SessionState["settings"]): Promise<Readings> {
  const sources = (session.options.sources ?? []).filter(({ collect, id }) => collect !== undefined && settings.get(id) === undefined);
  const read = new Map<string, Setting>(settings);
  const seen = new Map(session.seen);
  for (const source of sources) {
    const collected = await source.collect?.({
      now: (session.options.now ?? Date.now)(),
      turn: session.ledger.nextTurn,
      seen: session.seen.get(source.id) ?? new Map(),
      clean: cleanerOf(session),
    });
    if (collected === undefined) continue;
    read.set(source.id, { value: collected.value });
    seen.set(source.id, collected.seen);
  }
  return { settings: read, seen };
}

/** Whether anything has to be read before a request can be drafted. */
export function collects<W extends object>({ options }: SessionState<W>): boolean {
  return options.sources?.some(({ collect }) => collect !== undefined) === true;
}

export function publishReadings<W extends object>(session: SessionState<W>, { settings, seen }: Readings): void {
  session.readings = settings;
  session.seen = seen;
}
