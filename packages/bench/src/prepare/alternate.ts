/** One thing to measure. `ready` is not timed, `run` is, its promise included; both are awaited. */
export type Subject<Ready> = {
  readonly name: string;
  readonly ready: () => Ready | Promise<Ready>;
  readonly run: (ready: Ready) => unknown;
};

/**
 * Rounds that count, and rounds before them that do not: then the code is compiled as it will be in a process that lives. Each goes on for some seconds at least: where a round
 * takes a millisecond, a few rounds measure the interpreter.
 */
export type Rounds = { readonly counted: number; readonly warmUps: number; readonly seconds: number };

/** Runs the subjects in turn, each round in another order, and gives the median milliseconds of each by its name. */
export async function medians<Ready>(
  subjects: readonly Subject<Ready>[],
  { counted, warmUps, seconds }: Rounds,
): Promise<ReadonlyMap<string, number>> {
  await alternate(subjects, warmUps, seconds);
  const times = await alternate(subjects, counted, seconds);
  return new Map(subjects.map(({ name }, index) => [name, median(times[index] as readonly number[])]));
}

/** The milliseconds of each subject in each round. */
async function alternate<Ready>(
  subjects: readonly Subject<Ready>[],
  roundsMin: number,
  seconds: number,
): Promise<readonly (readonly number[])[]> {
  const times = subjects.map((): number[] => []);
  const end = performance.now() + 1_000 * seconds;
  for (let round = 0; round < roundsMin || performance.now() < end; round++) {
    for (let place = 0; place < subjects.length; place++) {
      const index = (round + place) % subjects.length;
      times[index]?.push(await time(subjects[index] as Subject<Ready>));
    }
  }
  return times;
}

async function time<Ready>(subject: Subject<Ready>): Promise<number> {
  const ready = await subject.ready();
  const from = performance.now();
  const result = subject.run(ready);
  if (result instanceof Promise) await result;
  return performance.now() - from;
}

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}
