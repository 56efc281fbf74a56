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

/** The name without what stands before its last separator. */
function lastPart(name: string): string {
  return (
    plainName(name)
      .split(separators)
      .findLast((part) => part !== "") ?? ""
  );
}

/**
 * Which of the known names a call means: that very name, one of the same plain name, or one whose last part is the same. A name that is known itself never means another.
 * Undefined: none of them.
 */
export function meantBy(called: string, known: readonly string[]): string | undefined {
  if (known.includes(called)) return called;
  const plain = plainName(called);
  return known.find((name) => plainName(name) === plain) ?? known.find((name) => lastPart(name) === lastPart(called));
}
