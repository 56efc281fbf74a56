/** What a benchmark found and what it may be. Figures of one name become one row of the table of all, which shows the worst. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  /** The limit is the least, not the most. */
  readonly atLeast?: boolean;
};

export function holds({ value, limit, atLeast }: Figure): boolean {
  return atLeast === true ? value >= limit : value <= limit;
}

/** Hands a figure to `pnpm bench`, where that started this process. Gives back whether it holds. */
export function tell(figure: Figure): boolean {
  process.send?.(figure);
  return holds(figure);
}
