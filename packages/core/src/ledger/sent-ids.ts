/** Ids that are added one by one are kept in a list up to this many, then joined with the rest. */
const listMax = 64;

/** A set of ids that grows by making another one: windows that part share what they have in common. */
export class SentIds {
  static readonly none: SentIds = new SentIds(new Set(), []);
  readonly #joined: ReadonlySet<string>;
  readonly #recent: readonly string[];

  private constructor(joined: ReadonlySet<string>, recent: readonly string[]) {
    this.#joined = joined;
    this.#recent = recent;
  }

  has(id: string): boolean {
    return this.#recent.includes(id) || this.#joined.has(id);
  }

  with(ids: readonly string[]): SentIds {
    if (ids.length === 0) return this;
    const recent = this.#recent.concat(ids);
    return recent.length <= listMax ? new SentIds(this.#joined, recent) : new SentIds(new Set([...this.#joined, ...recent]), []);
  }
}
