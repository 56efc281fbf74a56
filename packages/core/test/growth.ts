import process from "node:process";
import { expect } from "vitest";

/** How much larger the large input is, and how much more it may cost: three times what is in proportion, which n² (64 times) is far beyond. */
const growth = 8;
const costMax = growth * 3;
/** Shorter runs are noise. */
const millisecondsMin = 2;

/**
 * Expects that what a task costs grows with the size of its input and no faster. `cost` does the task on an input of a size and gives what it took, by {@link processorTime}.
 * A ratio of one process's own time, so that a busy machine changes nothing.
 */
export async function expectProportion(cost: (size: number) => number | Promise<number>, size: number): Promise<void> {
  const least = async (units: number, runs: number): Promise<number> => {
    const costs: number[] = [];
    for (let run = 0; run < runs; run++) costs.push(await cost(units));
    return Math.min(...costs);
  };
  await least(size, 1);
  const small = Math.max(await least(size, 2), millisecondsMin);
  let large = await least(size * growth, 1);
  if (large / small >= costMax) large = Math.min(large, await least(size * growth, 2));
  expect(large / small, `${small.toFixed(1)} ms became ${large.toFixed(1)} ms at ${growth} times the size`).toBeLessThan(costMax);
}

/** Milliseconds of processor time that a task took: what other processes do meanwhile is not in it. */
export function processorTime(task: () => void): number {
  const start = process.cpuUsage();
  task();
  return since(start);
}

/** The same of a task that waits. */
export async function processorTimeOf(task: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await task();
  return since(start);
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
