import { type AdmittedCall, callsBehind, type Entry } from "./entry.ts";
import { factsOf } from "./window-facts.ts";

/** The entries that stay and those admitted so far, with what admission asks of them. Asked lazily, so that an unchanged history costs nothing. */
export class EntriesSoFar {
  readonly kept: readonly Entry[];
  readonly added: Entry[] = [];
  readonly #added = new Set<string>();
  #nextNumbers: Map<string, number> | undefined;
  #latestCalls: Map<string, LatestCall> | undefined;
  #lastReasoning: number | undefined;
  #addedSent = false;

  /** `lastReasoning`: id of the entry whose reasoning stood last in the window as it was sent. */
  constructor(kept: readonly Entry[], lastReasoning: number | undefined) {
    this.kept = kept;
    this.#lastReasoning = lastReasoning;
  }

  add(...entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.added.push(entry);
      if (entry.reasoning !== undefined) this.#lastReasoning = entry.id;
      this.#addedSent ||= entry.sent !== null;
      for (const call of entry.calls) {
        this.#added.add(call.sentId);
        if (this.#latestCalls !== undefined) note(this.#latestCalls, entry, call);
      }
    }
  }

  /** Whether a call went out under this id. */
  hasSentId(id: string): boolean {
    return this.#added.has(id) || factsOf(this.kept).sentIds.has(id);
  }

  /** An id that no call went out under: this one, or this one with a number. It is taken with that. */
  freeSentId(id: string): string {
    const free = id === "" || this.hasSentId(id) ? this.#numbered(id) : id;
    this.#added.add(free);
    return free;
  }

  #numbered(id: string): string {
    this.#nextNumbers ??= new Map();
    let number = this.#nextNumbers.get(id) ?? 2;
    let free: string;
    do free = `${id || "call"}_${number++}`;
    while (this.hasSentId(free));
    this.#nextNumbers.set(id, number);
    return free;
  }

  /** Id of the entry whose reasoning stands last. */
  lastReasoning(): number | undefined {
    return this.#lastReasoning;
  }

  /** The calls of the row of replies at the end, in order. */
  openBatch(): readonly AdmittedCall[] {
    const rows: (readonly AdmittedCall[])[] = [];
    for (let at = this.kept.length + this.added.length - 1; at >= 0; at--) {
      const entry = (this.added[at - this.kept.length] ?? this.kept[at]) as Entry;
      if (entry.sent === null) continue;
      if (entry.role !== "assistant") break;
      rows.push(entry.calls);
    }
    return rows.length === 1 ? (rows[0] as readonly AdmittedCall[]) : rows.reverse().flat();
  }

  /** The latest call of this id, whichever of its two ids it is, and the entry that made it. */
  findCall(id: string): LatestCall | undefined {
    if (this.#latestCalls === undefined) {
      this.#latestCalls = new Map();
      for (const list of [this.kept, this.added])
        for (const entry of list) for (const call of callsBehind(entry)) note(this.#latestCalls, entry, call);
    }
    return this.#latestCalls.get(id);
  }

  /** Whether the window so far has a message. */
  hasSent(): boolean {
    return this.#addedSent || factsOf(this.kept).messages.length > 0;
  }
}

export type LatestCall = { readonly entry: Entry; readonly call: AdmittedCall };

function note(latest: Map<string, LatestCall>, entry: Entry, call: AdmittedCall): void {
  latest.set(call.id, { entry, call });
  latest.set(call.sentId, { entry, call });
}
