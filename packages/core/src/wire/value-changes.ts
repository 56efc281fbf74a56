import { compareValues, sameValue } from "../json/compare.ts";
import type { Path } from "../json/path.ts";
import { isArray, isObject, type ObjectValue, setMember, type Value } from "../json/value.ts";
import type { DifferenceClass } from "./difference.ts";
import { isMedia } from "./media.ts";
import { permutationOf, relationAt } from "./sequence-relation.ts";

/** One change between two values, the smallest that can be told by itself. */
export type Change = {
  /** In the previous value; for an insertion in the next one. */
  readonly path: Path;
  readonly class: DifferenceClass;
  readonly previous: Value | undefined;
  readonly next: Value | undefined;
  /** The previous value with this change made and no other. */
  readonly patched: () => Value;
};

/** What the walk cannot know of a wire by itself. */
export type Lens = {
  /** Whether a member's value is a cache mark. */
  readonly isMark: (value: Value | undefined) => boolean;
  /** What an element of a list is called, so that it is found again when it was edited and moved: the id of a result. */
  readonly identity: (element: Value) => string | undefined;
};

/** A lens through which nothing is a mark and elements are known by their value alone. */
const plainLens: Lens = { isMark: () => false, identity: () => undefined };

type Place = { readonly path: Path; readonly lens: Lens; readonly inMedia: boolean };

/** Every change between two values in the order of the document, lazily: who wants the first one pays for the first one. */
export function* changesBetween(previous: Value, next: Value, lens: Lens = plainLens, path: Path = []): Generator<Change> {
  yield* between(previous, next, { path, lens, inMedia: false });
}

function* between(previous: Value, next: Value, at: Place): Generator<Change> {
  if (compareValues(previous, next) === "same") return;
  const place = at.inMedia || isMedia(previous) || isMedia(next) ? { ...at, inMedia: true } : at;
  if (isArray(previous) && isArray(next)) yield* betweenArrays(previous, next, { ...place, inMedia: at.inMedia });
  else if (isObject(previous) && isObject(next) && kindOf(previous) === kindOf(next)) yield* betweenObjects(previous, next, place);
  else if (typeof previous === "string" && isArray(next)) yield* stringToBlocks(previous, next, place);
  else if (isArray(previous) && typeof next === "string") yield* blocksToString(previous, next, place);
  else yield change(place, leafClass(previous, next), previous, next);
}

function kindOf(value: ObjectValue): Value | undefined {
  return value.type;
}

/** Two strings that hold the same JSON differ in key order or in white space only. */
function leafClass(previous: Value, next: Value): DifferenceClass {
  if (typeof previous !== "string" || typeof next !== "string") return "edit";
  const parsed = { previous: parsedJson(previous), next: parsedJson(next) };
  if (parsed.previous === undefined || parsed.next === undefined) return "edit";
  const comparison = compareValues(parsed.previous, parsed.next);
  if (comparison === "different") return "edit";
  return comparison === "reordered" ? "order" : "shape";
}

function parsedJson(text: string): Value | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

function change(place: Place, kind: DifferenceClass, previous: Value | undefined, next: Value | undefined): Change {
  const touchesMedia = place.inMedia || isMedia(previous) || isMedia(next);
  const isPlain = kind === "edit" || kind === "insertion" || kind === "removal";
  return { path: place.path, class: touchesMedia && isPlain ? "media" : kind, previous, next, patched: () => next ?? null };
}

function* betweenObjects(previous: ObjectValue, next: ObjectValue, place: Place): Generator<Change> {
  const kept = Object.keys(previous).filter((name) => Object.hasOwn(next, name));
  const order = Object.keys(next).filter((name) => Object.hasOwn(previous, name));
  if (kept.some((name, index) => name !== order[index])) {
    yield { ...change(place, "order", previous, next), patched: () => withNames(previous, [...order, ...Object.keys(previous)]) };
  }
  for (const name of namesInOrder(previous, next)) {
    const inside = memberPlace(place, name);
    const before = Object.hasOwn(previous, name) ? previous[name] : undefined;
    const after = Object.hasOwn(next, name) ? next[name] : undefined;
    for (const found of memberChanges(before, after, inside)) {
      yield { ...found, patched: () => withMember(previous, name, after === undefined ? undefined : found.patched()) };
    }
  }
}

function memberPlace(place: Place, name: string): Place {
  return { ...place, path: [...place.path, name] };
}

function* memberChanges(before: Value | undefined, after: Value | undefined, place: Place): Generator<Change> {
  const isMark = place.lens.isMark(before) || place.lens.isMark(after);
  if (before === undefined) yield change(place, isMark ? "mark" : "insertion", undefined, after);
  else if (after === undefined) yield change(place, isMark ? "mark" : "removal", before, undefined);
  else for (const found of between(before, after, place)) yield isMark ? { ...found, class: "mark" } : found;
}

/** The names of both objects: what only the next one has, before the name that it stands before there. */
function namesInOrder(previous: ObjectValue, next: ObjectValue): readonly string[] {
  const names = new Set<string>();
  const nextNames = Object.keys(next);
  let at = 0;
  for (const name of Object.keys(previous)) {
    while (at < nextNames.length && !Object.hasOwn(previous, nextNames[at] as string)) names.add(nextNames[at++] as string);
    if (nextNames[at] === name) at += 1;
    names.add(name);
  }
  for (const name of nextNames) names.add(name);
  return [...names];
}

function withNames(object: ObjectValue, names: readonly string[]): ObjectValue {
  const copy: Record<string, Value> = {};
  for (const name of names) if (!Object.hasOwn(copy, name)) setMember(copy, name, object[name] as Value);
  return copy;
}

function withMember(object: ObjectValue, name: string, value: Value | undefined): ObjectValue {
  const copy: Record<string, Value> = {};
  for (const own of Object.keys(object)) if (own !== name) setMember(copy, own, object[own] as Value);
  if (value !== undefined) setMember(copy, name, value);
  return copy;
}

type Elements = readonly Value[];

function* betweenArrays(previous: Elements, next: Elements, place: Place): Generator<Change> {
  const alike = (a: Value, b: Value) => alikeElements(a, b, place.lens);
  const partners = permutationOf({ items: previous, at: 0, to: previous.length }, { items: next, at: 0, to: next.length }, alike);
  const moved = partners?.findIndex((partner, index) => partner !== index) ?? -1;
  if (partners !== undefined && moved >= 0) {
    const there = previous.map((_, index) => previous[partners.indexOf(index)] as Value);
    yield { ...change(elementPlace(place, moved), "order", previous[moved], next[moved]), patched: () => there };
  }
  const arranged = partners === undefined ? next : partners.map((partner) => next[partner] as Value);
  yield* betweenArranged(previous, arranged, place, alike);
}

function* betweenArranged(previous: Elements, next: Elements, place: Place, alike: (a: Value, b: Value) => boolean): Generator<Change> {
  let p = 0;
  let n = 0;
  while (p < previous.length || n < next.length) {
    const relation = relationHere(previous, next, p, n, alike);
    const before = previous[p];
    const after = next[n];
    const index = p;
    if (relation === "insertion") {
      yield { ...change(elementPlace(place, n), relation, undefined, after), patched: () => previous.toSpliced(index, 0, after as Value) };
      n += 1;
    } else if (relation === "removal") {
      yield { ...change(elementPlace(place, p), relation, before, undefined), patched: () => previous.toSpliced(index, 1) };
      p += 1;
    } else if (relation === "order") {
      const rest = next.slice(n);
      yield { ...change(elementPlace(place, p), relation, before, after), patched: () => [...previous.slice(0, index), ...rest] };
      return;
    } else {
      for (const found of between(before as Value, after as Value, elementPlace(place, p))) {
        yield { ...found, patched: () => previous.with(index, found.patched()) };
      }
      p += 1;
      n += 1;
    }
  }
}

function relationHere(previous: Elements, next: Elements, p: number, n: number, alike: (a: Value, b: Value) => boolean) {
  if (p < previous.length && n < next.length && alike(previous[p] as Value, next[n] as Value)) return "edit";
  const relation = relationAt({ items: previous, at: p, to: previous.length }, { items: next, at: n, to: next.length }, alike);
  if (relation !== "edit") return relation;
  return otherElement(previous[p] as Value, next[n] as Value) ? replacement(previous.length - p, next.length - n) : relation;
}

/** Elements of two kinds are no edit of one another: one was taken out, the other put in. */
function otherElement(before: Value, after: Value): boolean {
  return isObject(before) && isObject(after) && kindOf(before) !== kindOf(after);
}

function replacement(remaining: number, coming: number): "edit" | "insertion" | "removal" {
  if (remaining === coming) return "edit";
  return remaining > coming ? "removal" : "insertion";
}

function elementPlace(place: Place, index: number): Place {
  return { ...place, path: [...place.path, index] };
}

function alikeElements(a: Value, b: Value, lens: Lens): boolean {
  const identity = lens.identity(a);
  if (identity !== undefined) return identity === lens.identity(b);
  return sameValue(withoutMarks(a, lens), withoutMarks(b, lens));
}

function withoutMarks(value: Value, lens: Lens): Value {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  return names.some((name) => lens.isMark(value[name]))
    ? withNames(
        value,
        names.filter((name) => !lens.isMark(value[name])),
      )
    : value;
}

/** A string stands for one block of that text: the change of shape first, then what else there is. */
function* stringToBlocks(previous: string, next: Elements, place: Place): Generator<Change> {
  const block = next.find((element) => isBlockOf(element, previous));
  if (block === undefined) return yield change(place, "edit", previous, next);
  yield { ...change({ ...place, inMedia: false }, "shape", previous, next), patched: () => [block] };
  yield* betweenArrays([block], next, place);
}

function* blocksToString(previous: Elements, next: string, place: Place): Generator<Change> {
  const block = previous.find((element) => isBlockOf(element, next));
  if (block === undefined) return yield change(place, "edit", previous, next);
  const shaped = previous.length === 1 ? next : previous;
  yield { ...change({ ...place, inMedia: false }, "shape", previous, next), patched: () => shaped };
  yield* betweenArrays(previous, [block], place);
}

function isBlockOf(element: Value, text: string): boolean {
  return isObject(element) && Object.values(element).includes(text);
}
