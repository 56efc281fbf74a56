/** The values used last, up to a number. */
export class Recent<K, V> {
  readonly #values = new Map<K, V>();
  readonly #max: number;
  readonly #dropped: (value: V) => void;

  constructor(max: number, dropped: (value: V) => void = () => {}) {
    this.#max = max;
    this.#dropped = dropped;
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const [oldest, dropped] of this.#values) {
      if (this.#values.size <= this.#max) break;
      this.#values.delete(oldest);
      this.#dropped(dropped);
    }
  }

  delete(key: K): void {
    this.#values.delete(key);
  }
}
