import { checksumValue } from "../json/checksum.ts";
import { type KeyOrders, keyOrders, withKeyOrders } from "../json/key-order.ts";
import type { ObjectValue } from "../json/value.ts";
import { withoutMedia } from "../wire/stored-media.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { argumentText } from "./argument-text.ts";
import type { DormantForm, DormantSent, DormantUnit } from "./dormant-form.ts";
import { type Entry, isRecap } from "./entry.ts";
import { normalOrder } from "./normal-order.ts";
import { expectUnits, matchRun } from "./run-match.ts";
import { digestUnit } from "./unit-digest.ts";
import { sentAsRead, sentChecksum } from "./wake.ts";

const dormantForms = new WeakMap<Entry, DormantForm>();

/** What a snapshot keeps of a host entry: digests of what was given, and how the sent form comes back from it (rule 48). Made once an entry. */
export function dormantForm(wire: Wire, entry: Entry): DormantForm {
  if (entry.dormant !== undefined) return entry.dormant;
  const known = dormantForms.get(entry);
  if (known !== undefined) return known;
  const given = entry.slept === undefined ? givenUnits(wire, entry) : [];
  const units = given.map(({ unit }) => unit);
  const nativeRole = entry.sent === null ? "" : wire.read(entry.sent).nativeRole;
  const sent = dormantSent(wire, entry, nativeRole, units);
  const form: DormantForm = {
    units: entry.slept ?? given.map(({ side, unit }) => dormantUnit(side, unit, entry.reasoning !== undefined)),
    nativeRole,
    sent,
    ...letterOf(wire, entry, nativeRole, sent),
  };
  dormantForms.set(entry, form);
  return form;
}

function letterOf(wire: Wire, entry: Entry, nativeRole: string, sent: DormantSent): { readonly letter?: string } {
  const [message] = entry.given;
  if (message === undefined || entry.given.length > 1 || entry.slept !== undefined) return {};
  const asItStands =
    sent.kind !== "composed" || JSON.stringify(sentAsRead(wire, nativeRole, sent, wire.read(message).units)) === JSON.stringify(entry.sent);
  return asItStands ? { letter: checksumValue(message) } : {};
}

/** Whether a host that stores the window hands over what was given, less its reasoning if that was not sent: else the words that went out are others. */
function isMetAsSent(wire: Wire, sent: ObjectValue, role: Entry["role"], parts: readonly Unit[]): boolean {
  const { units } = wire.read(sent);
  return matchRun(expectUnits(parts, role === "assistant"), units)?.taken === units.length;
}

type Given = { readonly side: "assistant" | "other"; readonly unit: Unit };

function givenUnits(wire: Wire, entry: Entry): readonly Given[] {
  const runs: Given[][] = [];
  for (const message of entry.given) {
    const reading = wire.read(message);
    const side = reading.role === "assistant" ? "assistant" : "other";
    const run = runs.at(-1);
    const units = reading.units.map((unit): Given => ({ side, unit }));
    if (run?.[0]?.side === side) run.push(...units);
    else if (units.length > 0) runs.push(units);
  }
  let callIds: string[] = [];
  return runs.flatMap((run) => {
    if (run[0]?.side === "assistant") {
      callIds = run.flatMap(({ unit }) => (unit.kind === "call" ? [unit.id] : []));
      return run;
    }
    return normalOrder(run, ({ unit }) => unit, callIds);
  });
}

function dormantUnit(side: Given["side"], unit: Unit, keepsReasoning: boolean): DormantUnit {
  const base = { side, kind: unit.kind, digest: digestUnit(unit), ...(unit.loose === undefined ? {} : { loose: unit.loose }) };
  if (unit.kind === "result") return { ...base, id: unit.id };
  if (unit.kind === "call") return { ...base, id: unit.id, ...argumentsOf(unit) };
  return unit.kind === "reasoning" && (keepsReasoning || !unit.bound) ? { ...base, block: unit.block, bound: unit.bound } : base;
}

/** What is needed to write an argument string again as it was: nothing where it is the sorted JSON of its value. */
function argumentsOf(call: Unit & { readonly kind: "call" }): { readonly arguments?: KeyOrders | string } {
  const raw = argumentText(call.block);
  if (raw === undefined || typeof call.value === "string") return {};
  const orders = keyOrders(call.value);
  if (JSON.stringify(withKeyOrders(call.value, orders)) !== raw) return { arguments: raw };
  return orders === undefined ? {} : { arguments: orders };
}

function dormantSent(wire: Wire, entry: Entry, nativeRole: string, units: readonly Unit[]): DormantSent {
  if (entry.sent === null) return { kind: "none" };
  const text = JSON.stringify(entry.sent);
  const orders = keyOrders(entry.sent);
  for (const bare of [false, true]) {
    if (entry.folded || isRecap(entry) || units.length === 0) break;
    const parts = bare ? units.filter((unit) => unit.kind !== "reasoning" || !unit.bound) : units;
    if (parts.length === 0) continue;
    if (JSON.stringify(withKeyOrders(wire.compose(nativeRole, parts), orders)) === text && isMetAsSent(wire, entry.sent, entry.role, parts))
      return { kind: "composed", bare, orders, digest: sentChecksum(entry.sent), stripped: false };
  }
  return { kind: "kept", message: withoutMedia(entry.sent) as ObjectValue };
}
