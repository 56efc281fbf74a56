import { type AdmittedCall, callsBehind, type Entry } from "./entry.ts";
import { factsOf } from "./window-facts.ts";

/** The entries that stay and those admitted so far, with what admission asks of them. Asked lazily, so that an unchanged history costs nothing. */
export class EntriesSoFar {
  readonly kept: readonly Entry[];
  readonly added: Entry[] = [];
  readonly #added = new Set<string>();
  readonly #nextNumbers = new Map<string, number>();
  #latestCalls: Map<string, LatestCall> | undefined;
  #lastReasoning: number | undefined;
  #hasSent: boolean | undefined;

  /** `lastReasoning`: id of the entry whose reasoning stood last in the window as it was sent. */
  constructor(kept: readonly Entry[], lastReasoning: number | undefined) {
    this.kept = kept;
    this.#lastReasoning = lastReasoning;
  }

  add(...entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.added.push(entry);
      if (entry.reasoning !== undefined) this.#lastReasoning = entry.id;
      if (entry.sent !== null) this.#hasSent = true;
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
    let free = id;
    let number = this.#nextNumbers.get(id) ?? 2;
    while (free === "" || this.hasSentId(free)) free = `${id || "call"}_${number++}`;
    this.#nextNumbers.set(id, number);
    this.#added.add(free);
    return free;
  }

  /** Id of the entry whose reasoning stands last. */
  lastReasoning(): number | undefined {
    return this.#lastReasoning;
  }

  /** The calls of the row of replies at the end, in order. */
  openBatch(): readonly AdmittedCall[] {
    const rows: (readonly AdmittedCall[])[] = [];
    for (const entry of this.#backwards()) {
      if (entry.sent === null) continue;
      if (entry.role !== "assistant") break;
      rows.push(entry.calls);
    }
    return rows.toReversed().flat();
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
    this.#hasSent ??= factsOf(this.kept).messages.length > 0 || this.added.some((entry) => entry.sent !== null);
    return this.#hasSent;
  }

  *#backwards(): Generator<Entry> {
    for (const list of [this.added, this.kept]) for (let at = list.length - 1; at >= 0; at--) yield list[at] as Entry;
  }
}

export type LatestCall = { readonly entry: Entry; readonly call: AdmittedCall };

function note(latest: Map<string, LatestCall>, entry: Entry, call: AdmittedCall): void {
  latest.set(call.id, { entry, call });
  latest.set(call.sentId, { entry, call });
}
