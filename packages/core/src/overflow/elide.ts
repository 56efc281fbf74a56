import { count, objectOf, optional } from "../json/check.ts";
import type { ObjectValue } from "../json/value.ts";
import { fill } from "../ledger/wordings.ts";
import { checked, stray } from "../wire/checked.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { Group, Member } from "./groups.ts";
import { type OverflowInput, type OverflowStrategy, replaced, unchanged } from "./strategy.ts";
import { messageText } from "./transcript.ts";

export type ElideOptions = {
  /** Entries at the window's end that stay as they are; with a result its whole batch. Default 4. */
  readonly protect?: number | undefined;
};

const protectDefault = 4;

const shape = objectOf({ protect: optional(count) }, stray);

/**
 * Gives old content away for a line that names its entry (rule 37), oldest first, until the window is down at low water: tool results, then replies with their calls and results, then media
 * in user messages. A user's words stay. It asks no model and costs nothing but the cache behind the first place.
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function elide(options: ElideOptions = {}): OverflowStrategy {
  checked(options, shape);
  return {
    name: "elide",
    async run(input) {
      if (input.urgency === "early" && !(input.measure.cold && input.openCalls.length === 0)) return unchanged("there is room");
      const forms = elidedForms(input, options.protect ?? protectDefault);
      return forms.size === 0 ? unchanged("nothing old is left to elide") : replaced({ kind: "elision", forms });
    },
  };
}

type Forms = Map<number, ObjectValue | null>;

function elidedForms(input: OverflowInput, protect: number): Forms {
  const forms: Forms = new Map();
  const { measure, groups } = input;
  const old = oldGroups(groups, protect);
  let tokens = measure.tokens;
  for (const stage of [shortResults, bareReplies, bareMedia]) {
    for (const group of old) {
      if (tokens <= measure.lowWater) return forms;
      const given = stage(input, group);
      const gained = given.reduce((sum, [member, form]) => sum + held(input, forms, member) - (form === null ? 0 : input.count(form)), 0);
      if (gained <= 0) continue;
      for (const [member, form] of given) forms.set(member.entry, form);
      tokens -= gained;
    }
  }
  return forms;
}

/** Tokens of a message as it stands so far. */
function held(input: OverflowInput, forms: Forms, member: Member): number {
  const form = forms.get(member.entry);
  return form === undefined ? member.tokens : form === null ? 0 : input.count(form);
}

/** What may be given away: whole groups of which nothing is protected, pinned or open. */
function oldGroups(groups: readonly Group[], protect: number): readonly Group[] {
  const said = groups.flatMap(({ members }) => members.filter(({ kind }) => kind === "host"));
  const recent = new Set(said.slice(Math.max(said.length - protect, 0)).map(({ entry }) => entry));
  return groups.filter(
    ({ kind, members, pinned, open, complete }) =>
      kind !== "recap" && !pinned && !open && complete && !members.some(({ entry }) => recent.has(entry)),
  );
}

type Stage = (input: OverflowInput, group: Group) => readonly (readonly [Member, ObjectValue | null])[];

/** Results as a placeholder; calls and all else stay. */
const shortResults: Stage = (input, { members }) =>
  members.flatMap((member) => {
    const { wire } = input;
    if (!hostSaid(member) || !member.reading.units.some(({ kind }) => kind === "result")) return [];
    const line = placeholder(input, member);
    const isLong = (unit: Unit): boolean => unit.kind === "result" && (unit.text === undefined || unit.text.length > line.length);
    if (!member.reading.units.some(isLong)) return [];
    return [[member, recomposed(wire, member, (unit) => (unit.kind === "result" && isLong(unit) ? [wire.withText(unit, line)] : [unit]))]];
  });

/** Replies whose calls go, and with them their results; the placeholder is their text. Of a folded loop its steps go. */
const bareReplies: Stage = (input, group) => {
  if (group.kind === "user") return bareFolds(input, group);
  if (group.kind !== "calls") return [];
  const given = bareBatch(input, group);
  return leavesSystemBehindReply(group, new Map(given.map(([{ entry }, form]) => [entry, form]))) ? [] : given;
};

const bareBatch: Stage = (input, group) => {
  const { wire } = input;
  // A reply without calls, such as one that was elided earlier, stays: its own results went with it.
  const calling = group.members.filter((member) => hostSaid(member) && member.reading.units.some(({ kind }) => kind === "call"));
  const others = group.members.filter((member) => hostSaid(member) && member.reading.role !== "assistant");
  return [
    ...calling.map(
      (member) => [member, member === calling[0] ? wire.say("assistant", placeholder(input, member, group.members)) : null] as const,
    ),
    ...others.map((member) => [member, recomposed(wire, member, (unit) => (unit.kind === "result" ? [] : [unit]))] as const),
  ];
};

/** A positional system message stands behind a user's words or results, never right behind a reply (rule 20): where that is all that it stands behind, the batch stays. */
function leavesSystemBehindReply({ members }: Group, forms: ReadonlyMap<number, ObjectValue | null>): boolean {
  const roles = members.flatMap(({ entry, reading }) => (forms.get(entry) === null ? [] : [reading.role]));
  return roles.some((role, index) => role === "system" && roles[index - 1] === "assistant");
}

/** Folded loops without their steps; the user's words among them stay. What the model has not seen yet stays whole. */
const bareFolds: Stage = (input, group) => {
  const { wire, groups } = input;
  if (!groups.slice(groups.indexOf(group)).some(({ kind }) => kind === "reply" || kind === "calls")) return [];
  return group.members.flatMap((member) => {
    const [first] = member.steps;
    if (first === undefined || !hostSaid(member)) return [];
    const line = wire.read(wire.say("user", placeholder(input, member))).units;
    return [[member, recomposed(wire, member, (unit) => (unit === first ? line : member.steps.has(unit) ? [] : [unit]))]];
  });
};

/** Media in user messages as a line. */
const bareMedia: Stage = (input, group) => {
  const { wire } = input;
  if (group.kind !== "user") return [];
  return group.members.flatMap((member) => {
    if (!hostSaid(member) || !member.reading.units.some(({ kind }) => kind === "media")) return [];
    const line = wire.read(wire.say("user", placeholder(input, member))).units;
    return [[member, recomposed(wire, member, (unit) => (unit.kind === "media" ? line : [unit]))]];
  });
};

/** The line in place of a message, with the reference of all that it stands for. */
function placeholder(
  { wire, wordings, archived }: OverflowInput,
  { entry, reading }: Member,
  whole: readonly Pick<Member, "reading">[] = [{ reading }],
): string {
  const reference = archived(whole.map((member) => messageText(wire, member.reading)).join("\n\n"));
  return fill(wordings.elided, { entry, reference: reference === undefined ? "" : fill(wordings.archived, { reference }) });
}

function hostSaid({ kind }: Member): boolean {
  return kind === "host";
}

/** A message of other units; null: none is left. */
function recomposed(wire: Wire, { reading }: Member, of: (unit: Unit) => readonly Unit[]): ObjectValue | null {
  const units = reading.units.flatMap(of);
  return units.some(({ kind }) => kind !== "fields") ? wire.compose(reading.nativeRole, units) : null;
}

/** Results that the host wants to be shorter, by call id (rule 37). Those that the model has not seen wait. */
export function foldResults({ wire, groups }: OverflowInput, texts: ReadonlyMap<string, string>): ReadonlyMap<number, ObjectValue | null> {
  const forms: Forms = new Map();
  for (const member of groups.flatMap((group) => (group.open || !group.complete ? [] : group.members.filter(hostSaid)))) {
    if (!member.reading.units.some((unit) => unit.kind === "result" && texts.has(unit.id))) continue;
    const shortened = (unit: Unit): readonly Unit[] => {
      const text = unit.kind === "result" ? texts.get(unit.id) : undefined;
      return [unit.kind === "result" && text !== undefined ? wire.withText(unit, text) : unit];
    };
    forms.set(member.entry, recomposed(wire, member, shortened));
  }
  return forms;
}
