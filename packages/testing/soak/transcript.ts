/** What happened, for people: on the left what the host did, on the right what came of it. Written only when somebody will read it. */
export class Transcript {
  readonly isRead: boolean;
  readonly #rows: { left: string; right: string[] }[] = [];

  constructor(isRead: boolean) {
    this.isRead = isRead;
  }

  /** The host did something. */
  did(what: string): void {
    if (!this.isRead) return;
    this.#rows.push({ left: `> ${what}`, right: [] });
  }

  /** What came of it. */
  came(what: string): void {
    if (!this.isRead) return;
    const row = this.#rows.at(-1);
    if (row === undefined) this.#rows.push({ left: "", right: [what] });
    else row.right.push(what);
  }

  text(): string {
    return this.#rows.flatMap(({ left, right }) => linesOf(left, right)).join("\n");
  }
}

const leftWidth = 46;

function linesOf(left: string, right: readonly string[]): readonly string[] {
  const [first, ...others] = right;
  const rest = others.map((line) => `${" ".repeat(leftWidth)}${line}`);
  if (first === undefined) return [left];
  if (left.length >= leftWidth) return [left, `${" ".repeat(leftWidth)}${first}`, ...rest];
  return [`${left.padEnd(leftWidth)}${first}`, ...rest];
}
