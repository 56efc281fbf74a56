import type { Entry } from "./entry.ts";

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

/** Entries as they were admitted, without what landings put in their place. */
export function sourceOf(entries: readonly Entry[]): readonly Entry[] {
  return showSource(entries, () => true).entries;
}
