/** Marks by which hosts and models put a tool's name behind that of a server or namespace: `mcp__files__read`, `functions.read`, `files:read`, `files/read`. */
const separators = /__|[.:/]/;

/** A tool's name as it is compared: `Read-File`, `read_file` and full-width letters are one name. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** What stands between the separators of a name. */
function stepsOf(name: string): readonly string[] {
  return plainName(name)
    .split(separators)
    .filter((step) => step !== "");
}

/**
 * Which of the known names a call means: that very name, or one of the same plain name. Where there is none: the one that is the last part of what is called, or has the same
 * last part; and a namespace that it is called in. A name that is known itself never means another.
 */
export function meanings(called: string, known: readonly string[]): readonly string[] {
  const plain = plainName(called);
  const same = known.includes(called) ? called : known.find((name) => plainName(name) === plain);
  if (same !== undefined) return [same];
  const steps = stepsOf(called);
  const last = steps.at(-1);
  const named = known.find((name) => plainName(name) === last) ?? known.find((name) => last !== undefined && stepsOf(name).at(-1) === last);
  const space = known.find((name) => isWithin(stepsOf(name), steps.slice(0, -1)));
  return [named, space].filter((name) => name !== undefined);
}

function isWithin(part: readonly string[], steps: readonly string[]): boolean {
  return part.length > 0 && steps.some((_, from) => part.every((step, index) => steps[from + index] === step));
}

/** Whether a name that is banned refuses a call. A ban of what is known means that; of what is not known, all that ends in it or stands in it as in a namespace. */
export function refuses(ban: string, called: string, known: readonly string[]): boolean {
  const meant = meanings(called, known);
  if (meant.length === 0) return meanings(called, [ban]).length > 0;
  const banned = meanings(ban, known);
  return meant.some((name) => banned.includes(name));
}
