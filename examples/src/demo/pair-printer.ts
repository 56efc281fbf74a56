import type { RequestRow } from "./request-row.ts";
import { Table } from "./table.ts";
import type { Paint } from "./terminal.ts";

/** Prints the table while both runs go on: a line as soon as both have an answer to its request. */
export class PairPrinter {
  readonly rows: { readonly today: RequestRow[]; readonly tidemark: RequestRow[] } = { today: [], tidemark: [] };
  readonly #print: (line: string) => void;
  readonly #table: Table;
  #shown = 0;

  constructor(print: (line: string) => void, paint: Paint) {
    this.#print = print;
    this.#table = new Table(paint);
    for (const line of this.#table.head()) print(line);
  }

  today(row: RequestRow): void {
    this.rows.today.push(row);
    this.#show();
  }

  tidemark(row: RequestRow): void {
    this.rows.tidemark.push(row);
    this.#show();
  }

  #show(): void {
    const { today, tidemark } = this.rows;
    for (let both = Math.min(today.length, tidemark.length); this.#shown < both; this.#shown++) {
      const [left, right] = [today[this.#shown], tidemark[this.#shown]];
      if (left !== undefined && right !== undefined) for (const line of this.#table.lines(left, right)) this.#print(line);
    }
  }
}
