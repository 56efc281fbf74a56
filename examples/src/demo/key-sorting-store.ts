/** A store as databases with a JSON column are: it gives back the same values, but every object's keys in its own order. */
export function throughStore<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) => (isPlainObject(member) ? sorted(member) : member)) as T;
}

function sorted(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
