/** A value as an error or a name says it: a string as it is, anything else as JSON. `String` would ask the value's own `toString`. */
export function inWords(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
