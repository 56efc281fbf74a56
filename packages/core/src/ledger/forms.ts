import type { ObjectValue } from "../json/value.ts";
import { type Origin, sameOrigin } from "../wire/origin.ts";
import type { Profile } from "../wire/profile.ts";
import type { Wire } from "../wire/wire.ts";
import type { Entry } from "./entry.ts";

/** Where a window goes, and whose reasoning is read there. */
export type Target = { readonly origin: Origin; readonly profile: Profile };

const visibleForms = new WeakMap<Entry, { readonly form: ObjectValue | null }>();

/** An entry's sent form without its bound reasoning; null: nothing is left. Made once an entry. */
export function visibleForm(wire: Wire, entry: Entry): ObjectValue | null {
  if (entry.sent === null) return null;
  const known = visibleForms.get(entry);
  if (known !== undefined) return known.form;
  const reading = wire.read(entry.sent);
  const units = reading.units.filter((unit) => unit.kind !== "reasoning" || !unit.bound);
  const bears = units.some((unit) => unit.kind !== "fields");
  const form = bears ? wire.compose(reading.nativeRole, units) : null;
  visibleForms.set(entry, { form });
  return form;
}

/**
 * The messages of a window as they go to a target. Reasoning goes only where it is read, and only as an unbroken chain: a block that was made while
 * another was away is refused once that one is back (rule 15, and the provider's chain rule), so the chain is followed back from the newest.
 */
export function messagesFor(wire: Wire, entries: readonly Entry[], target: Target): readonly ObjectValue[] {
  const reads = chainOf(entries, target);
  const messages: ObjectValue[] = [];
  for (const entry of entries) {
    const form = entry.reasoning === undefined || reads === "all" || reads.has(entry.id) ? entry.sent : visibleForm(wire, entry);
    if (form !== null) messages.push(form);
  }
  return messages;
}

/** Id of the entry whose reasoning stands last in a window as it goes to a target. */
export function lastSentReasoning(entries: readonly Entry[], target: Target): number | undefined {
  const reads = chainOf(entries, target);
  return entries.findLast((entry) => entry.reasoning !== undefined && (reads === "all" || reads.has(entry.id)))?.id;
}

function chainOf(entries: readonly Entry[], target: Target): "all" | ReadonlySet<number> {
  const own = (entry: Entry): boolean =>
    entry.reasoning === undefined || entry.reasoning.origin === target.origin || sameOrigin(entry.reasoning.origin, target.origin);
  if (entries.every(own)) return "all";
  const readable = entries.filter((entry) => entry.reasoning !== undefined && isRead(entry.reasoning.origin, target));
  if (target.profile.bindsReasoning === "no") return new Set(readable.map((entry) => entry.id));
  const byId = new Map(readable.map((entry) => [entry.id, entry]));
  const chain = new Set<number>();
  let at = readable.at(-1);
  while (at !== undefined) {
    chain.add(at.id);
    at = at.reasoning?.after === undefined ? undefined : byId.get(at.reasoning.after);
  }
  return chain;
}

function isRead(origin: Origin, target: Target): boolean {
  if (sameOrigin(origin, target.origin)) return true;
  const same = origin.wire === target.origin.wire && origin.endpoint === target.origin.endpoint;
  return same && target.profile.readsReasoningOf.includes(origin.model);
}
