import fc from "fast-check";

/** Member names as hosts and hostile hosts have them. Whole numbers come first in every object, whatever the order of writing. */
const memberName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "type", "text", "content") },
  { weight: 2, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "length", "10", "9", "") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
);

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1, "", "a", "a", "\ud800"),
  fc.string({ maxLength: 6 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** A value as JSON has it, with hostile keys, deep and wide, and members that are undefined. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(memberName, fc.oneof({ weight: 8, arbitrary: tie("value") }, { weight: 1, arbitrary: fc.constant(undefined) })), {
        maxLength: 5,
      })
      .map(buildObject),
  ),
})).value;

/** An object with these own members, in this order as far as JavaScript keeps it; a later one of a name replaces an earlier one. */
export function buildObject(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members);
}

/** The same value with the members of each object in another order, by choices in 0..1 that are used up in turn. */
export function shuffled(value: unknown, choices: readonly number[], at: { next: number } = { next: 0 }): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, choices, at));
  if (typeof value !== "object" || value === null) return value;
  const rest = Object.entries(value);
  const members: [string, unknown][] = [];
  while (rest.length > 0) {
    const choice = choices[at.next++ % Math.max(choices.length, 1)] ?? 0;
    members.push(...rest.splice(Math.floor(choice * rest.length), 1));
  }
  return buildObject(members.map(([name, member]) => [name, shuffled(member, choices, at)]));
}

/** The same value with the members of each object sorted by name, undefined ones left out: what a store that sorts keys gives back. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return buildObject(
    names.flatMap((name) =>
      (value as Record<string, unknown>)[name] === undefined ? [] : [[name, sorted((value as Record<string, unknown>)[name])]],
    ),
  );
}
