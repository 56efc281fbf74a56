/** Where the tool shows memory to the model. A key is what stands behind it. */
export const memoryRoot = "/memories";

/** Characters of a key; more is no name. */
const keyCharactersMax = 256;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a key must not have
const refused = /[\0-\x1f\x7f\\]|%2e|%2f|%5c/i;

/** The key of a path (`""`: all of memory), or what is wrong with it. A path cannot leave memory. */
export function keyOfPath(path: unknown): { readonly key: string } | { readonly problem: string } {
  if (typeof path !== "string") return { problem: "A path is needed, as a text." };
  const inside = path === memoryRoot || path.startsWith(`${memoryRoot}/`);
  if (!inside) return { problem: `The path must be ${memoryRoot} or lie under ${memoryRoot}/.` };
  const steps = path
    .slice(memoryRoot.length)
    .split("/")
    .filter((step) => step !== "");
  if (refused.test(path) || steps.some((step) => step === "." || step === ".."))
    return { problem: "The path has characters or steps that a name cannot have." };
  const key = steps.join("/");
  return key.length > keyCharactersMax ? { problem: `The path is longer than ${keyCharactersMax} characters.` } : { key };
}

export function pathOfKey(key: string): string {
  return key === "" ? memoryRoot : `${memoryRoot}/${key}`;
}

/** Whether a key is one of the allowed ones: exact, or a beginning that ends in `*`. */
export function isAllowedKey(key: string, allowed: readonly string[] | undefined): boolean {
  return (
    allowed === undefined || allowed.some((pattern) => (pattern.endsWith("*") ? key.startsWith(pattern.slice(0, -1)) : key === pattern))
  );
}
