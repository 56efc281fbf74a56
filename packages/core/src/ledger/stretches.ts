import type { Entry } from "./entry.ts";
import { runAt } from "./run.ts";

/** Entries that go together to another wire and come back together: a row of replies, or what stands between two. */
export type Stretch = { readonly key: string; readonly entries: readonly Entry[] };

export function stretchesOf(entries: readonly Entry[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = 0; at < entries.length; ) {
    const stretch = twinsAt(entries, at) ?? runStretch(entries, at);
    stretches.push(stretch);
    at += stretch.entries.length;
  }
  return stretches;
}

/** A stretch that is as it came from another wire. */
function twinsAt(entries: readonly Entry[], at: number): Stretch | undefined {
  const twin = entries[at]?.twin;
  if (twin === undefined) return undefined;
  const own = entries.slice(at, at + twin.size);
  return own.length === twin.size && own.every((entry) => entry.twin?.key === twin.key) ? { key: twin.key, entries: own } : undefined;
}

function runStretch(entries: readonly Entry[], at: number): Stretch {
  const own = entries.slice(at, runAt(entries, at).to);
  return { key: own.map(({ id }) => id).join(" "), entries: own };
}
