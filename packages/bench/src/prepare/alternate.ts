/** One thing to measure. `ready` is not timed, `run` is, its promise included; both are awaited. */
export type Subject<Ready> = {
  readonly name: string;
  readonly ready: () => Ready | Promise<Ready>;
  readonly run: (ready: Ready) => unknown;
};

/** Rounds that count, and rounds before them that do not: then the code is compiled as it will be in a process that lives. */
export type Rounds = { readonly counted: number; readonly warmUps: number };

/** Runs the subjects in turn, each round in another order, and gives the median milliseconds of each by its name. */
export async function medians<Ready>(
  subjects: readonly Subject<Ready>[],
  { counted, warmUps }: Rounds,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < counted + warmUps; round++) {
    for (let place = 0; place < subjects.length; place++) {
      const subject = subjects[(round + place) % subjects.length] as Subject<Ready>;
      const taken = await time(subject);
      if (round >= warmUps) times.get(subject.name)?.push(taken);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
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
