import type { Repairs } from "@tidemark/core";
import type { Told } from "./way-in.ts";

/** What a behaviour led to, summed over a run. */
export type Count = {
  times: number;
  requests: number;
  refused: number;
  readonly checkpoints: Map<string, number>;
  readonly repairs: Map<string, number>;
};

/** Counts by behaviour. A session has its own, which is added to the run's when it is over. */
export class Tally {
  readonly counts = new Map<string, Count>();
  #current: Count = this.of("(start)");

  of(behaviour: string): Count {
    const known = this.counts.get(behaviour);
    if (known !== undefined) return known;
    const count: Count = { times: 0, requests: 0, refused: 0, checkpoints: new Map(), repairs: new Map() };
    this.counts.set(behaviour, count);
    return count;
  }

  /** What comes from now on belongs to this behaviour. */
  begin(behaviour: string): void {
    this.#current = this.of(behaviour);
  }

  happened(): void {
    this.#current.times += 1;
  }

  refused(): void {
    this.#current.refused += 1;
  }

  prepared({ continuity, repairs }: Told): void {
    this.#current.requests += 1;
    for (const { reason } of continuity.checkpoints) addTo(this.#current.checkpoints, reason, 1);
    for (const [name, count] of Object.entries(repairCounts(repairs))) if (count > 0) addTo(this.#current.repairs, name, count);
  }

  add(other: Tally): void {
    for (const [behaviour, count] of other.counts) {
      const own = this.of(behaviour);
      own.times += count.times;
      own.requests += count.requests;
      own.refused += count.refused;
      for (const [reason, times] of count.checkpoints) addTo(own.checkpoints, reason, times);
      for (const [repair, times] of count.repairs) addTo(own.repairs, repair, times);
    }
  }

  total(): Count {
    const all = new Tally();
    for (const count of this.counts.values()) {
      const part = new Tally();
      part.counts.set("total", count);
      all.add(part);
    }
    return all.of("total");
  }
}

export function repairCounts(repairs: Repairs): Readonly<Record<string, number>> {
  return {
    equivalent: repairs.equivalent,
    withheld: repairs.reasoningWithheld,
    held: repairs.held,
    "under-recap": repairs.underRecap,
    capped: repairs.resultsCapped.length,
    "made-up": repairs.resultsMadeUp.length,
    orphaned: repairs.resultsOrphaned.length,
    late: repairs.resultsLate.length,
    doubled: repairs.resultsDropped.length,
    mapped: repairs.idsMapped.length,
  };
}

function addTo(map: Map<string, number>, name: string, count: number): void {
  map.set(name, (map.get(name) ?? 0) + count);
}
