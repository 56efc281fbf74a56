import type { ContextWarning } from "./options.ts";

/** Warnings about the use of Tidemark: each is said once. */
export class Warnings {
  readonly #said = new Set<string>();
  readonly #tell: (warning: ContextWarning) => void;

  constructor(tell: (warning: ContextWarning) => void = ({ code, message }) => console.warn(`Tidemark (${code}): ${message}`)) {
    this.#tell = tell;
  }

  /** `about` tells warnings of one code apart. */
  tell(code: string, message: string, about = ""): void {
    const key = `${code} ${about}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#tell({ code, message });
  }
}
