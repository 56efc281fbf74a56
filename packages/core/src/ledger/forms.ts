import type { ObjectValue } from "../json/value.ts";
import type { WordlessForm } from "../wire/in-band.ts";
import { type Origin, sameOrigin } from "../wire/origin.ts";
import type { Profile } from "../wire/profile.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { DormantSent } from "./dormant-form.ts";
import { type BoundReasoning, type Entry, isSent, makeEntry } from "./entry.ts";
import { formForMedia, type WithheldMedium } from "./media-left-out.ts";
import { factsOf, type WindowFacts } from "./window-facts.ts";
import { defaultWordings, fill, type Wordings } from "./wordings.ts";

/** Where a window goes, and whose reasoning is read there. */
export type Target = { readonly origin: Origin; readonly profile: Profile };

/** Where a turn's window went. */
export function targetOfTurn(wire: Wire, turn: { readonly origin: Origin }): Target {
  return { origin: turn.origin, profile: wire.profile(turn.origin.model) };
}

const visibleForms = new WeakMap<Entry, { readonly form: ObjectValue | null }>();

/** An entry's sent form without its bound reasoning; null: nothing is left. Made once an entry. */
function visibleForm(wire: Wire, entry: Entry): ObjectValue | null {
  if (entry.sent === null) return null;
  const known = visibleForms.get(entry);
  if (known !== undefined) return known.form;
  const form = bareMessage(wire, entry.sent);
  visibleForms.set(entry, { form });
  return form;
}

/**
 * The messages of a window as they go to a target. Reasoning goes only where it is read, and only as an unbroken chain: a block that was made while
 * another was away is refused once that one is back (rule 15, and the provider's chain rule), so the chain is followed back from the newest.
 */
export function messagesFor(wire: Wire, entries: readonly Entry[], target: Target): readonly ObjectValue[] {
  const facts = factsOf(entries);
  const takesSystem = target.profile.positionalSystem && facts.wordless.every((form) => hasForm(wire, target.profile, form));
  const whole = readsAll(facts, target) && !facts.asleep && (!facts.system || takesSystem);
  if (whole && target.profile.media === undefined) return nativeForms(wire, facts.messages);
  return windowFor(wire, entries, target).map(({ message }) => message);
}

const natives = new WeakMap<readonly ObjectValue[], readonly ObjectValue[]>();

/** Messages as the native ones as which they go out: a reply of several is taken apart, neighbours are joined where the wire refuses them. Made once a list. */
export function nativeForms(wire: Wire, messages: readonly ObjectValue[]): readonly ObjectValue[] {
  const { spread, join } = wire;
  if (spread === undefined && join === undefined) return messages;
  const known = natives.get(messages) ?? nativeOf(wire, messages);
  natives.set(messages, known);
  return known;
}

/** Such messages; the same list where there is nothing to join. */
function nativeOf(wire: Wire, messages: readonly ObjectValue[]): readonly ObjectValue[] {
  const { spread } = wire;
  if (spread !== undefined) return messages.flatMap((message) => spread(message));
  const forms = messages.map((message): Bare => ({ message }));
  const window = joined(wire, forms);
  return window.length === messages.length ? messages : window.map(({ message }) => message);
}

type Joinable<T> = { readonly message: ObjectValue; readonly parts?: readonly T[] };
type Bare = { readonly message: ObjectValue; readonly parts?: readonly Bare[] };

/** A native message and the entry that it is of; of one that was joined, the last of its entries. */
export type WindowMessage = {
  readonly entry: Entry;
  readonly message: ObjectValue;
  /** Of one that was joined: what it was made of. */
  readonly parts?: readonly WindowMessage[];
};

/** The same, each message with its entry. An entry of which nothing is left for this target has none; a reply of several messages has several. */
export function windowFor(wire: Wire, entries: readonly Entry[], target: Target): readonly WindowMessage[] {
  const forms = formsFor(wire, entries, target);
  const { spread, join } = wire;
  if (join !== undefined) return joined(wire, forms);
  return spread === undefined
    ? forms
    : forms.flatMap(({ entry, message }) => spread(message).map((native) => ({ entry, message: native })));
}

/** Neighbours that a wire joins are one, told as the last of them. */
function joined<T extends Joinable<T>>(wire: Wire, forms: readonly T[]): readonly T[] {
  const window: T[] = [];
  for (const form of forms) {
    const before = window.at(-1);
    const message = before && wire.join?.(before.message, form.message);
    if (before === undefined || message === undefined) window.push(form);
    else window[window.length - 1] = { ...form, message, parts: [...(before.parts ?? [before]), form] };
  }
  return window;
}

/** The form of each entry for a target, whole. */
export function formsFor(wire: Wire, entries: readonly Entry[], target: Target): readonly WindowMessage[] {
  const reads = readsOf(wire, entries, target);
  const window: WindowMessage[] = [];
  for (const entry of entries) {
    const message = entry.dormant === undefined ? formOf(wire, entry, target, reads) : sleepingForm(entry);
    if (message !== null) window.push({ entry, message: mediaForm(wire, entry, message, target.profile) });
  }
  return window;
}

/** Rule 14: a model that takes only some media is told of the others. */
function mediaForm(wire: Wire, { role }: Entry, message: ObjectValue, profile: Profile): ObjectValue {
  return profile.media === undefined || role !== "user" ? message : formForMedia(wire, message, profile.media).form;
}

/** The media of which a window tells a model that takes only these. */
export function mediaWithheld(wire: Wire, entries: readonly Entry[], media: readonly string[]): readonly WithheldMedium[] {
  return entries.flatMap(({ role, sent }) => (role === "user" && sent !== null ? formForMedia(wire, sent, media).withheld : []));
}

/** What stands for the message of an entry whose words have not come back yet. It is equal to nothing. */
function sleepingForm(entry: Entry): ObjectValue | null {
  return isSent(entry) ? Object.freeze({ role: entry.dormant?.nativeRole ?? entry.role }) : null;
}

function formOf(wire: Wire, entry: Entry, target: Target, reads: Reads): ObjectValue | null {
  const { role, sent, reasoning } = entry;
  if (role === "system" && sent !== null) return systemForm(wire, entry, sent, target.profile);
  return reasoning === undefined || reads(entry) ? sent : visibleForm(wire, entry);
}

function systemForm(wire: Wire, entry: Entry, sent: ObjectValue, profile: Profile): ObjectValue | null {
  if (entry.said.some(({ form }) => form !== undefined && !hasForm(wire, profile, form))) return null;
  const stays = profile.positionalSystem || wire.systemStays?.(sent, profile) === true;
  return stays ? sent : userForm(wire, entry, sent);
}

function hasForm(wire: Wire, profile: Profile, form: WordlessForm): boolean {
  return wire.inBand?.[form]?.on(profile) === true;
}

const userForms = new WeakMap<Entry, ObjectValue>();

/** A positional system message as it goes to a model that takes none (rule 20): said by the user, it keeps its channel. */
function userForm(wire: Wire, entry: Entry, sent: ObjectValue): ObjectValue {
  const known = userForms.get(entry);
  if (known !== undefined) return known;
  const form = saidByUser(wire, wire.read(sent).units, defaultWordings) ?? sent;
  userForms.set(entry, form);
  return form;
}

/** What a positional system message says, in the user's words; undefined: it says nothing in words, and stays in its own form. */
export function saidByUser(wire: Wire, units: readonly Unit[], wordings: Wordings): ObjectValue | undefined {
  const worded = units.filter(({ kind }) => kind !== "fields");
  if (worded.every(({ kind }) => kind === "other")) return undefined;
  return wire.say("user", fill(wordings.systemAsUser, { text: worded.map((unit) => wire.textOf(unit)).join("\n") }));
}

/** Whether all reasoning that the entries hold is known to go to a target as it stands. */
export function sendsAll(entries: readonly Entry[], target: Target): boolean {
  return readsAll(factsOf(entries), target);
}

/**
 * Id of the entry whose reasoning stood last before the reply to a window, as the window was sent. `settled`: the same entries with what the reply proved: what it reports as dropped did
 * not stand there.
 */
export function lastSentReasoning(wire: Wire, sent: readonly Entry[], settled: readonly Entry[], target: Target): number | undefined {
  const reads = readsOf(wire, sent, target);
  if (reads === all && sent === settled) return factsOf(sent).lastReasoning;
  return settled.findLast(({ reasoning }, position) => reasoning !== undefined && reads(sent[position] as Entry))?.id;
}

/** Whether all reasoning of a window goes to a target as it stands. */
function readsAll({ origin, vouched, chained }: WindowFacts, target: Target): boolean {
  if (origin === undefined) return true;
  return origin !== "mixed" && sameOrigin(origin, target.origin) && ((vouched && chained) || target.profile.bindsReasoning === "no");
}

/** Whether the reasoning of an entry goes to a target. */
type Reads = (entry: Entry) => boolean;

const all: Reads = () => true;

function readsOf(wire: Wire, entries: readonly Entry[], target: Target): Reads {
  const facts = factsOf(entries);
  if (readsAll(facts, target)) return all;
  const binds = target.profile.bindsReasoning !== "no";
  const present = new Set<number>();
  const readable: Entry[] = [];
  let isBehindSystem = false;
  for (const entry of entries) {
    const { id, role, reasoning } = entry;
    isBehindSystem ||= role === "system" && isSent(entry);
    if (reasoning === undefined) continue;
    present.add(id);
    const isSameForm = !(binds && isBehindSystem) || reasoning.lent || sameSystemForm(wire, reasoning.origin, target, facts.wordless);
    if (isSameForm && isRead(wire, reasoning, target)) readable.push(entry);
  }
  const read = new Set(binds ? chainOf(readable, present) : readable);
  return (entry) => read.has(entry);
}

/** What is read of reasoning, from its end back, as long as each was made right behind the one before it. */
function chainOf(readable: readonly Entry[], present: ReadonlySet<number>): readonly Entry[] {
  const chain: Entry[] = [];
  let next: number | undefined;
  for (const entry of readable.toReversed()) {
    const { id, reasonedAfter } = entry;
    if (next !== undefined && id !== next) continue;
    chain.push(entry);
    if (reasonedAfter === undefined) break;
    // What it was made behind is gone: then it stands behind whatever is before it, as in one chain.
    next = present.has(reasonedAfter) ? reasonedAfter : undefined;
  }
  return chain;
}

/** A positional system message has another form for a model that takes none: what was made over the one form is not valid behind the other. */
function sameSystemForm(wire: Wire, origin: Origin, { profile }: Target, wordless: readonly WordlessForm[]): boolean {
  const made = wire.profile(origin.model);
  const same = wordless.every((form) => hasForm(wire, made, form) === hasForm(wire, profile, form));
  return same && made.positionalSystem === profile.positionalSystem;
}

/**
 * Whether reasoning goes to a target. To one that binds only what stands behind its own prefix goes, and nothing of a model that does not bind: such a model may leave no record of the
 * prefix (SDK 1.14), and what it was told may have had other forms.
 */
export function isRead(
  wire: Wire,
  { origin, vouched, proven, lent }: Pick<BoundReasoning, "origin" | "vouched" | "proven" | "lent">,
  target: Target,
): boolean {
  const binds = target.profile.bindsReasoning !== "no" && !lent && proven !== true;
  if (binds && (!vouched || wire.profile(origin.model).bindsReasoning === "no")) return false;
  return readsModel(wire, origin, target);
}

/** Whether a target reads reasoning of an origin's model at all. */
export function readsModel(wire: Wire, origin: Origin, target: Target): boolean {
  if (sameOrigin(origin, target.origin)) return true;
  const same = origin.wire === target.origin.wire && origin.endpoint === target.origin.endpoint;
  return same && [origin.model, wire.profile(origin.model).id].some((model) => target.profile.readsReasoningOf.includes(model));
}

/** An entry without its bound reasoning, for good: another entry, since an entry never changes. */
export function withoutReasoning(wire: Wire, entry: Entry, id: number): Entry {
  const dormant = entry.dormant === undefined ? undefined : { ...entry.dormant, sent: bareSent(wire, entry.dormant.sent) };
  return makeEntry(id, { ...entry, sent: visibleForm(wire, entry), reasoning: undefined, lostReasoning: true, dormant });
}

function bareSent(wire: Wire, sent: DormantSent): DormantSent {
  if (sent.kind === "none") return sent;
  if (sent.kind === "composed") return { ...sent, stripped: true };
  const message = bareMessage(wire, sent.message);
  return message === null ? { kind: "none" } : { kind: "kept", message };
}

/** A message without its bound reasoning; of one that was nothing else a fixed placeholder stays, or nothing where the wire allows that (rule 27). */
export function bareMessage(wire: Wire, message: ObjectValue): ObjectValue | null {
  const reading = wire.read(message);
  const units = reading.units.filter((unit) => unit.kind !== "reasoning" || !unit.bound);
  const isFieldsOnly = units.every((unit) => unit.kind === "fields");
  return (isFieldsOnly ? undefined : composedReply(wire, reading.nativeRole, units)) ?? reasoningOnly(wire);
}

/** A reply as it goes out; undefined: it is reasoning, and the wire has no form for it. */
export function composedReply(wire: Wire, nativeRole: string, units: readonly Unit[]): ObjectValue | undefined {
  if (units.length === 0) return undefined;
  const message = wire.compose(nativeRole, units);
  return units.every(({ kind }) => kind === "reasoning") && wire.read(message).units.length === 0 ? undefined : message;
}

/** What stands for a reply that was nothing but reasoning, where the reasoning is not sent (rule 27): left out, it might open the tool loop before it again. Null: nothing. */
export function reasoningOnly(wire: Wire, wordings: Wordings = defaultWordings): ObjectValue | null {
  return wire.abilities.repliesMayVanish === true ? null : wire.say("assistant", wordings.reasoningOnly);
}
