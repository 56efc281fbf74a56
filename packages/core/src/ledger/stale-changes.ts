import type { Entry, Said } from "./entry.ts";
import { factsOf } from "./window-facts.ts";

/** What stands of a window. `from`: where something went, so that what reasoning follows was made over something else; undefined: all of it stands. */
type Standing = { readonly entries: readonly Entry[]; readonly from: number | undefined };

/**
 * A change that was said without words holds on what it changed. Where the tools are declared anew the head says it all, and a tool that an event defines, too, would be
 * refused; a setting that the host no longer names cannot be taken back in words. Such events go from the window; the checkpoint says from where on.
 */
export function withoutStaleChanges(entries: readonly Entry[], isStale: (said: Said) => boolean): Standing {
  const change = factsOf(entries).speaking.find(({ said }) => said.some(isStale));
  if (change === undefined) return { entries, from: undefined };
  return { entries: entries.filter(({ said }) => !said.some(isStale)), from: entries.indexOf(change) };
}
