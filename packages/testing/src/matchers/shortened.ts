/** What of a value is shown before and behind the place where it differs, in characters. */
const charactersBefore = 40;
const charactersBehind = 80;

/** Two values as JSON, each cut to what stands around their first difference. */
export function shortenedPair(previous: unknown, next: unknown): { readonly previous: string; readonly next: string } {
  const [before, after] = [written(previous), written(next)];
  const from = Math.max(0, commonLength(before, after) - charactersBefore);
  return { previous: cut(before, from), next: cut(after, from) };
}

function written(value: unknown): string {
  if (value === undefined) return "nothing";
  return JSON.stringify(value, (_name, member) => (member instanceof Uint8Array ? `${member.length} bytes` : member)) ?? "nothing";
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function cut(text: string, from: number): string {
  const to = from + charactersBefore + charactersBehind;
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed()}${text.length > to ? "…" : ""}`;
}
