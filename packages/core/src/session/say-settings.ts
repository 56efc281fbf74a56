import { sameValue } from "../json/compare.ts";
import { isObject, type ObjectValue } from "../json/value.ts";
import { makeEntry, type Said } from "../ledger/entry.ts";
import { eventPlace } from "../ledger/event-place.ts";
import type { Draft } from "../ledger/reconcile.ts";
import type { Wire } from "../wire/wire.ts";

/** Under this name the settings speak, beside the sources. */
const settingsSource = "request-settings";

/**
 * Rule 25: a changed effort or output schema is said in one message behind the history, where wire and model have one; the request keeps its first settings, and the
 * prefix holds. What is in force is read from the window: what a checkpoint took away is said again, and what nobody has answered is said anew.
 */
export function saySettings(wire: Wire, draft: Draft): Draft {
  const inBand = wire.inBand?.settings;
  const wanted = draft.settingsWanted;
  const place = inBand === undefined || wanted === undefined ? undefined : eventPlace(draft.entries);
  if (inBand === undefined || wanted === undefined || place === undefined) return draft;
  const heard = draft.entries.flatMap((entry) => entry.said.filter(({ form }) => form === "settings"));
  const inForce: ObjectValue = Object.assign(
    {},
    inBand.split(draft.head.params, draft.target.profile).settings,
    ...heard.map(({ value }) => (isObject(value) ? value : {})),
  );
  const changes = Object.entries(wanted).filter(([name, value]) => inForce[name] === undefined || !sameValue(inForce[name], value));
  if (changes.length === 0) return draft;
  const value: ObjectValue = Object.freeze(Object.fromEntries(changes));
  const revision = (heard.at(-1)?.revision ?? 0) + 1;
  const said: Said = Object.freeze({ source: settingsSource, channel: "system", value, revision, form: "settings" });
  const event = makeEntry(draft.nextId, { kind: "event", role: "system", given: [], sent: inBand.say(value), said: [said] });
  const entries = [...draft.entries.slice(0, place), event, ...draft.entries.slice(place)];
  return { ...draft, entries, said: [...draft.said, said], nextId: draft.nextId + 1 };
}
