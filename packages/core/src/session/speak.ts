import { makeEntry, type Said } from "../ledger/entry.ts";
import { eventPlace } from "../ledger/event-place.ts";
import type { Draft } from "../ledger/reconcile.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Wire } from "../wire/wire.ts";
import { systemChangeText } from "./system-change.ts";

/** The source whose words are the host's own system text, where it is frozen and changes are appended (rule 25). */
const systemSource = "system";

/** Lets the sources speak behind the history (rules 16 to 20). Events that nobody has answered were dropped with the tail and are said anew. */
export function speak(wire: Wire, draft: Draft, wordings: Wordings): Draft {
  const wanted = draft.systemWanted;
  if (wanted === undefined) return draft;
  const last = lastSaid(draft, systemSource);
  const before = last === undefined ? wire.systemText(draft.head) : String(last.value);
  if (wanted === before) return draft;
  const place = eventPlace(draft.entries);
  if (place === undefined) return draft;
  const said: Said = { source: systemSource, value: wanted, revision: (last?.revision ?? 0) + 1 };
  const event = makeEntry(draft.nextId, {
    kind: "event",
    role: "system",
    given: [],
    sent: wire.say("system", systemChangeText(before, wanted, wordings)),
    said: [said],
  });
  return { ...draft, entries: [...draft.entries.slice(0, place), event, ...draft.entries.slice(place)], nextId: draft.nextId + 1 };
}

/** What a source last said is read from the events still in the window, so that what a checkpoint dropped is said again. */
function lastSaid(draft: Draft, source: string): Said | undefined {
  for (let at = draft.entries.length - 1; at >= 0; at--) {
    const said = draft.entries[at]?.said.findLast((item) => item.source === source);
    if (said !== undefined) return said;
  }
  return undefined;
}
