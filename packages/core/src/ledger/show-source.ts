import { type Entry, unvouched } from "./entry.ts";

/** A window in which landings are dropped: what they replaced shows again. `to`: the end of the first source that shows; undefined: nothing was dropped. */
export type SourceShown = { readonly entries: readonly Entry[]; readonly to: number | undefined };

export function showSource(entries: readonly Entry[], dropped: (landing: number) => boolean): SourceShown {
  const shown: Entry[] = [];
  let to: number | undefined;
  for (const entry of entries) {
    const { landed } = entry;
    const isHosts = landed?.source.length === 0 && entry.given.length > 0;
    if (landed === undefined || isHosts || !dropped(landed.landing)) {
      shown.push(entry);
      continue;
    }
    shown.push(...landed.source);
    to ??= shown.length;
  }
  return to === undefined ? { entries, to } : { entries: shown, to };
}

/**
 * Entries as they were admitted, without what landings put in their place. Reasoning that was made behind such a landing was made over what stood there: no window that shows the source
 * vouches for it.
 */
export function sourceOf(entries: readonly Entry[], nextId: () => number): readonly Entry[] {
  const { entries: shown, to } = showSource(entries, () => true);
  return to === undefined ? shown : shown.map((entry, position) => (position < to ? entry : unvouched(entry, nextId)));
}
