import { sameValue } from "../json/compare.ts";
import { isObject, type ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Origin } from "../wire/origin.ts";
import type { Wire } from "../wire/wire.ts";
import type { Base } from "./choose-base.ts";
import type { Draft, ReconcileInput } from "./draft.ts";
import type { Said } from "./entry.ts";
import type { Target } from "./forms.ts";
import { repairHead } from "./head-repair.ts";
import { type LedgerState, lastTurn } from "./state.ts";

/** The head that goes out, and what of the host's is to be said in the conversation in its place (rule 25). */
export type HeadChoice = Pick<Draft, "head" | "repaired" | "systemWanted" | "settingsWanted">;

export function headFor(state: LedgerState, input: ReconcileInput, target: Target, held: boolean): HeadChoice {
  const last = lastTurn(state);
  const given = input.open.head;
  if (last === undefined || state.restarted) return { head: given, repaired: 0, systemWanted: undefined, settingsWanted: undefined };
  const repair = repairHead(input.wire, last.head, given);
  const { repaired } = repair;
  const { head, settingsWanted } = withSettings(input, target, last.head, repair.head);
  const tools = held ? last.head.tools : head.tools;
  const appends = input.systemChanges === "append" && target.profile.positionalSystem && isPlainSystem(input.wire, given);
  // To a model that has its instructions elsewhere nothing was sent of them where it reads them.
  const system = readsAlike(input.wire, last.origin, target) ? last.head.system : head.system;
  const isEmpty = system.length === 0 && given.system.length === 0;
  if (appends && !isEmpty)
    return { head: { ...head, tools, system }, repaired, systemWanted: input.wire.systemText(given), settingsWanted };
  return { head: held ? { ...head, tools, system: last.head.system } : head, repaired, systemWanted: undefined, settingsWanted };
}

/** Whether a model reads its instructions where the one before does: ahead of the input, or behind it. */
function readsAlike(wire: Wire, before: Origin, { profile }: Target): boolean {
  return (wire.profile(before.model).instructions ?? "ahead") === (profile.instructions ?? "ahead");
}

/** Rule 25: where a model is told of changed settings in the conversation, the head keeps those that it was sent with, unless another parameter changed or one is gone. */
export function withSettings(
  { wire, saysSettings }: ReconcileInput,
  { profile }: Target,
  sent: Head,
  given: Head,
): Pick<Draft, "head" | "settingsWanted"> {
  const inBand = wire.inBand?.settings;
  if (!saysSettings || inBand?.on(profile) !== true) return { head: given, settingsWanted: undefined };
  const [before, now] = [inBand.split(sent.params, profile), inBand.split(given.params, profile)];
  const isGone = Object.keys(before.settings).some((name) => !Object.hasOwn(now.settings, name));
  const keeps = !isGone && sent.model === given.model && sameValue(before.others, now.others);
  return { head: keeps ? { ...given, params: sent.params } : given, settingsWanted: now.settings };
}

/** Which of what was said of tools and settings the head says now. */
export function staleChange(base: Base | undefined, { head, settingsWanted }: HeadChoice, held: boolean): (said: Said) => boolean {
  const before = base?.turn.head.tools;
  const declaresAnew = before !== undefined && before !== head.tools && !sameValue(before, head.tools);
  return (said) => (said.form === "toolChanges" ? declaresAnew : !held && isUnnamed(said, settingsWanted));
}

/** A setting was said in the conversation, and the request no longer names it. */
export function isUnnamed({ form, value }: Said, wanted: ObjectValue | undefined): boolean {
  if (form !== "settings" || wanted === undefined || !isObject(value)) return false;
  return Object.keys(value).some((name) => !Object.hasOwn(wanted, name));
}

/** Whether what reasoning is bound to ahead of the messages is the same, order of tools included. */
export function sameBinding(sent: Head, now: Head): boolean {
  return (
    (sent.system === now.system || sameValue(sent.system, now.system)) && (sent.tools === now.tools || sameValue(sent.tools, now.tools))
  );
}

/** Only text can be said again in a message. */
function isPlainSystem(wire: Wire, head: Head): boolean {
  const isText = (message: ObjectValue): boolean => wire.read(message).units.every((unit) => unit.kind === "text");
  return head.system.every(
    (block) =>
      (typeof block["role"] === "string" && isText(block)) ||
      typeof block["text"] === "string" ||
      typeof block["content"] === "string" ||
      wire.read({ role: "system", content: [block] }).units[0]?.kind === "text",
  );
}
