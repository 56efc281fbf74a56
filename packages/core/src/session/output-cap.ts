import type { Asked } from "../budget/limits.ts";
import type { Path } from "../json/path.ts";
import { isObject } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";

/** What a request says of its own size. */
export function askedOf(wire: Wire, request: object): Asked {
  const asked = wire.askedFor?.(request);
  const output = outputCapOf(wire, request);
  return output === undefined ? { ...asked } : { ...asked, output };
}

/** Most tokens of reply that a request asks for, where it says so in a place that its wire reads. */
function outputCapOf(wire: Wire, request: object): number | undefined {
  for (const place of wire.abilities.places?.outputCap ?? []) {
    const cap = memberAt(request, place);
    if (typeof cap === "number" && Number.isSafeInteger(cap) && cap > 0) return cap;
  }
  return undefined;
}

/** The request with the session's output cap, where it has none and its wire takes one (rule 30). */
export function withOutputCap<R extends object>(wire: Wire, request: R, cap: number | undefined): R {
  if (cap === undefined) return request;
  const places = wire.abilities.places?.outputCap ?? [];
  // A place whose holder is there already is where this request keeps such things.
  const place = places.find(([holder = ""]) => isObject(memberAt(request, [holder]))) ?? places[0];
  if (place === undefined || places.some((other) => memberAt(request, other) !== undefined)) return request;
  return withMember(request, place, cap) as R;
}

function memberAt(value: unknown, place: Path): unknown {
  return place.reduce<unknown>((inside, step) => (isObject(inside) ? inside[step] : undefined), value);
}

function withMember(value: unknown, [name = "", ...inside]: Path, member: number): object {
  const object = isObject(value) ? value : {};
  return { ...object, [name]: inside.length === 0 ? member : withMember(object[name], inside, member) };
}
