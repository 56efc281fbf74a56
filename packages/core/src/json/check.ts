import type { Path } from "./path.ts";
import { isObject } from "./value.ts";

/** Where a value does not fit, and what is wrong there. */
export type Misfit = { readonly path: Path; readonly problem: string };

/** What a value from outside must look like: says where it first does not. Shapes are made of shapes. */
export type Shape = (value: unknown) => Misfit | undefined;

/** @__NO_SIDE_EFFECTS__ */
export function expecting(what: string, fits: (value: unknown) => boolean): Shape {
  return (value) => (fits(value) ? undefined : { path: [], problem: `expected ${what}` });
}

export const anything: Shape = () => undefined;
export const text: Shape = expecting("a string", (value) => typeof value === "string");
export const flag: Shape = expecting("true or false", (value) => typeof value === "boolean");
export const callable: Shape = expecting("a function", (value) => typeof value === "function");
export const count: Shape = wholeFrom(0);

/** A whole number of at least `min`. @__NO_SIDE_EFFECTS__ */
export function wholeFrom(min: number): Shape {
  return expecting(`a whole number of at least ${min}`, (value) => Number.isInteger(value) && (value as number) >= min);
}

/** @__NO_SIDE_EFFECTS__ */
export function oneOf(...values: readonly (string | number)[]): Shape {
  return expecting(`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`, (value) => values.includes(value as string));
}

/** The shape, or an absent member. @__NO_SIDE_EFFECTS__ */
export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

/** @__NO_SIDE_EFFECTS__ */
export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return { path: [], problem: "expected an array" };
    for (const [index, item] of value.entries()) {
      const misfit = inside(index, () => shape(item));
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  };
}

/** An object with these members, looked at in this order. `stray` says what is wrong with any other one; without it they are passed over. @__NO_SIDE_EFFECTS__ */
export function objectOf(members: Readonly<Record<string, Shape>>, stray?: string): Shape {
  return (value) => {
    if (!isObject(value)) return { path: [], problem: "expected an object" };
    const other = stray !== undefined && Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (typeof other === "string") return { path: [other], problem: stray as string };
    for (const [name, shape] of Object.entries(members)) {
      const misfit = inside(name, () => shape(value[name]));
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  };
}

/** Objects of several kinds, told apart by the member `tag`. @__NO_SIDE_EFFECTS__ */
export function kindsOf(tag: string, kinds: Readonly<Record<string, Shape>>): Shape {
  const tagged = objectOf({ [tag]: oneOf(...Object.keys(kinds)) });
  return (value) => tagged(value) ?? kinds[(value as Record<string, string>)[tag] as string]?.(value);
}

/** Where a value first does not fit. What a value throws that does not want to be looked at is a misfit, too. */
export function misfitIn(value: unknown, shape: Shape): Misfit | undefined {
  return attempt(() => shape(value));
}

function inside(step: string | number, look: () => Misfit | undefined): Misfit | undefined {
  const misfit = attempt(look);
  return misfit && { ...misfit, path: [step, ...misfit.path] };
}

function attempt(look: () => Misfit | undefined): Misfit | undefined {
  try {
    return look();
  } catch {
    return { path: [], problem: "cannot be read" };
  }
}
