import type { AdmittedCall, Entry } from "./entry.ts";

/** The entries that stay and those admitted so far, with what admission asks of them. Asked lazily, so that an unchanged history costs nothing. */
export class EntriesSoFar {
  readonly kept: readonly Entry[];
  readonly added: Entry[] = [];
  #sentIds: Set<string> | undefined;
  #lastReasoning: number | undefined;

  /** `lastReasoning`: id of the entry whose reasoning stood last in the window as it was sent. */
  constructor(kept: readonly Entry[], lastReasoning: number | undefined) {
    this.kept = kept;
    this.#lastReasoning = lastReasoning;
  }

  add(...entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.added.push(entry);
      if (entry.reasoning !== undefined) this.#lastReasoning = entry.id;
      if (this.#sentIds !== undefined) for (const call of entry.calls) this.#sentIds.add(call.sentId);
    }
  }

  /** Whether a call went out under this id. */
  hasSentId(id: string): boolean {
    if (this.#sentIds === undefined) {
      this.#sentIds = new Set();
      for (const entry of this.#all()) for (const call of entry.calls) this.#sentIds.add(call.sentId);
    }
    return this.#sentIds.has(id);
  }

  /** Id of the entry whose reasoning stands last. */
  lastReasoning(): number | undefined {
    return this.#lastReasoning;
  }

  /** The calls of the row of replies at the end. */
  openBatch(): readonly AdmittedCall[] {
    const calls: AdmittedCall[] = [];
    for (const entry of this.#backwards()) {
      if (entry.sent === null) continue;
      if (entry.role !== "assistant") break;
      calls.unshift(...entry.calls);
    }
    return calls;
  }

  /** The latest call of this id, whichever of its two ids it is. */
  findCall(id: string): AdmittedCall | undefined {
    for (const entry of this.#backwards()) {
      const call = entry.calls.find((item) => item.id === id || item.sentId === id);
      if (call !== undefined) return call;
    }
    return undefined;
  }

  entryOf(call: AdmittedCall): Entry | undefined {
    for (const entry of this.#backwards()) if (entry.calls.includes(call)) return entry;
    return undefined;
  }

  hasSent(): boolean {
    for (const entry of this.#all()) if (entry.sent !== null) return true;
    return false;
  }

  *#all(): Generator<Entry> {
    yield* this.kept;
    yield* this.added;
  }

  *#backwards(): Generator<Entry> {
    for (const list of [this.added, this.kept]) for (let at = list.length - 1; at >= 0; at--) yield list[at] as Entry;
  }
}
