import { isArray, isObject, type ObjectValue, setMember, type Value } from "../json/value.ts";
import { isMedia, mediumIn } from "../wire/media.ts";
import { isPicture, isPictureList, marksOfMedia, withoutMedia } from "../wire/stored-media.ts";
import type { Role, Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { defaultWordings, fill, type Wordings } from "./wordings.ts";

export type MediaReason = keyof Wordings["mediaReasons"];

/** What is known of a picture, sound, film or document without its bytes. */
export type MediumFacts = {
  /** `image/png`; undefined where the block does not say. */
  readonly type: string | undefined;
  /** SHA-256 of what the message holds, and its length in characters or bytes; undefined for a link or a file id. */
  readonly digest: string | undefined;
  readonly size: number | undefined;
};

/** A medium that a request replaces by a line, and why (rule 14). */
export type WithheldMedium = MediumFacts & { readonly reason: MediaReason };

/** A medium before it is known whether it is sent: its digest costs time. */
type Medium = {
  readonly type: string | undefined;
  /** The digest by which a snapshot holds it: its bytes are not at hand. */
  readonly mark: string | undefined;
  facts(): MediumFacts;
};

/** Why a medium is not sent; undefined: it is. */
export type WithheldBy = (medium: Medium) => MediaReason | undefined;

type Told = { readonly wordings: Wordings; readonly report: (medium: WithheldMedium) => void };

const silently: Told = { wordings: defaultWordings, report: () => {} };

/** A message that a snapshot holds, with a line in place of each medium whose bytes are not at hand. */
export function withMissingMedia(
  wire: Wire,
  message: ObjectValue,
  reasonOf: (digest: string) => MediaReason,
  wordings: Wordings,
): ObjectValue {
  if (marksOfMedia(message).length === 0) return message;
  return withMediaLeftOut(wire, message, ({ mark }) => (mark === undefined ? undefined : reasonOf(mark)), { ...silently, wordings });
}

/** A message with a line in place of each medium that cannot be sent; the same one when there is none. */
function withMediaLeftOut(wire: Wire, message: ObjectValue, withheldBy: WithheldBy, told: Told): ObjectValue {
  const { role, nativeRole, units } = wire.read(message);
  const said = units.flatMap((unit) => sendable(wire, { role, nativeRole }, unit, withheldBy, told));
  return said.every((unit, index) => unit === units[index]) ? message : wire.compose(nativeRole, said);
}

/** What goes out of a unit: itself, or lines in place of the media in it that cannot be sent. */
export function sendable(
  wire: Wire,
  { role, nativeRole }: { readonly role: Role; readonly nativeRole: string },
  unit: Unit,
  withheldBy: WithheldBy,
  told: Told,
): readonly Unit[] {
  if (unit.kind === "result") return [sendableResult(wire, nativeRole, unit, withheldBy, told)];
  const holds = unit.kind === "media" || (unit.kind === "other" && isMedium(unit.block));
  if (!holds) return [unit];
  const lines = linesFor(unit.block, withheldBy, told);
  return lines === undefined ? [unit] : wire.read(wire.say(role, lines)).units;
}

function sendableResult(
  wire: Wire,
  nativeRole: string,
  unit: Unit & { readonly kind: "result" },
  withheldBy: WithheldBy,
  told: Told,
): Unit {
  if (unit.text !== undefined) return unit;
  const lines: string[] = [];
  const block = mapMedia(unit.block, (medium) => {
    const said = linesFor(medium, withheldBy, told);
    if (said === undefined) return medium;
    lines.push(said);
    return wire.addWords === undefined ? wire.read(wire.say("user", said)).units[0]?.block : undefined;
  });
  if (lines.length === 0) return unit;
  const left = wire.read(wire.compose(nativeRole, [{ ...unit, block: block as ObjectValue }])).units.find(isResult) ?? unit;
  return wire.addWords?.(left, lines.join("\n")) ?? left;
}

function isResult(unit: Unit): unit is Unit & { readonly kind: "result" } {
  return unit.kind === "result";
}

function linesFor(block: Value, withheldBy: WithheldBy, { wordings, report }: Told): string | undefined {
  const withheld = mediaIn(block).flatMap((medium): readonly WithheldMedium[] => {
    const reason = withheldBy(medium);
    return reason === undefined ? [] : [Object.freeze({ ...medium.facts(), reason })];
  });
  if (withheld.length === 0) return undefined;
  for (const medium of withheld) report(medium);
  const line = ({ type = wordings.medium, size, reason }: WithheldMedium): string =>
    fill(wordings.mediaLeftOut, {
      medium: size === undefined ? type : fill(wordings.mediumOfSize, { type, size }),
      reason: wordings.mediaReasons[reason],
    });
  return withheld.map(line).join("\n");
}

function isMedium(block: Value): boolean {
  return isMedia(block) || mediumIn(block).data !== undefined || marksOfMedia(block).length > 0;
}

/** The medium that a block is; the media that a snapshot's block is a mark of. */
function mediaIn(block: Value): readonly Medium[] {
  const marks = marksOfMedia(block);
  if (marks.length > 0) return marks.map((mark) => ({ type: mark.type, mark: mark.digest, facts: () => mark }));
  const type = mediumIn(block).type ?? kindOf(block);
  const facts = (): MediumFacts => {
    const [found] = marksOfMedia(withoutMedia(block));
    return { type, digest: found?.digest, size: found?.size };
  };
  return [{ type, mark: undefined, facts }];
}

/** A link does not say its type, but its block says what it is. */
function kindOf(block: Value): string | undefined {
  const kind = isObject(block)
    ? Object.keys(block)
        .concat(String(block["type"]))
        .find((name) => /image|audio|video/.test(name))
    : undefined;
  return kind === undefined ? undefined : /image|audio|video/.exec(kind)?.[0];
}

/** The value with the innermost media that stand in lists mapped, or taken out. */
function mapMedia(value: Value, map: (medium: Value) => Value | undefined): Value {
  if (isArray(value)) return mapList(value, map);
  if (!isObject(value)) return value;
  let mapped: Record<string, Value> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const next = isPictureList(name, member) ? mapPictures(member, map) : mapMedia(member, map);
    if (next === member) continue;
    mapped ??= { ...value };
    setMember(mapped, name, next);
  }
  return mapped === undefined ? value : Object.freeze(mapped);
}

/** Each picture of such a list as a block of its own. */
function mapPictures(pictures: readonly Value[], map: (medium: Value) => Value | undefined): readonly Value[] {
  const blocks = pictures.map((picture) => (isPicture(picture) ? Object.freeze({ images: Object.freeze([picture]) }) : picture));
  const left = pictures.filter((picture, index) => !isPicture(picture) || map(blocks[index] as Value) === blocks[index]);
  return left.length === pictures.length ? mapList(pictures, map) : Object.freeze(left);
}

function mapList(items: readonly Value[], map: (medium: Value) => Value | undefined): readonly Value[] {
  const mapped = items.flatMap((item): readonly Value[] => {
    const inner = mapMedia(item, map);
    const next = inner !== item || !isObject(item) || !isMedium(item) ? inner : map(item);
    return next === undefined ? [] : [next];
  });
  return mapped.length === items.length && mapped.every((item, index) => item === items[index]) ? items : Object.freeze(mapped);
}

/** Whether one of these beginnings of media types covers a medium. Of one whose type is not known only its kind is, if that: `image`. */
export function coversMedium(types: readonly string[], { type }: Pick<MediumFacts, "type">): boolean {
  return type === undefined
    ? types.length > 0
    : types.some((known) => type.startsWith(known) || (!type.includes("/") && known.startsWith(`${type}/`)));
}

type Form = { readonly media: readonly string[]; readonly form: ObjectValue; readonly withheld: readonly WithheldMedium[] };

const forms = new WeakMap<ObjectValue, Form>();

/** A message for a model that takes only some media (rule 14): another one gets them in place. */
export function formForMedia(wire: Wire, message: ObjectValue, media: readonly string[]): Form {
  const known = forms.get(message);
  if (known !== undefined && known.media === media) return known;
  const withheld: WithheldMedium[] = [];
  const form = withMediaLeftOut(wire, message, (medium) => (coversMedium(media, medium) ? undefined : "unsupported"), {
    wordings: defaultWordings,
    report: (medium) => withheld.push(medium),
  });
  const made = { media, form, withheld };
  forms.set(message, made);
  return made;
}
