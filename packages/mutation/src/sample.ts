/** Names the sample to the processes that run the tests: `20.3` is of each twenty mutants the one whose number leaves a rest of three. */
export const sampleVariable = "TIDEMARK_SAMPLE";

/** Mutants are numbered as they stand in their files, so that a sample is spread evenly over the lines and over the kinds of mutants. */
export function isInSample(sample: string, mutant: string): boolean {
  const [every = 1, from = 0] = sample.split(".").map(Number);
  return Number(mutant) % every === from % every;
}
