/**
 * What reports have taught of a model's tokens: how many it makes of one that is counted locally.
 *  1. It is a fold over reports: the same reports give the same factor.
 *  2. It is plain JSON and goes into the snapshot.
 */
export type Calibration = {
  readonly model: string;
  /** Of the last report: the whole prompt. */
  readonly prompt: TokenPair;
  /** By how much prompts grew from report to report, older growth counting less. */
  readonly growth: TokenPair;
};

/** The same tokens as they were reported and as they were counted. */
export type TokenPair = { readonly reported: number; readonly counted: number };

/** What an older growth counts beside the next one. */
const fading = 0.7;
/** Growth of so many tokens is trusted as much as all that stood there before. */
const growthTokensTrusted = 1_000;
/** Beyond these a report measures something else than the window: hidden prompts, a server's own tools. */
const factorMin = 0.5;
const factorMax = 3;

const nothing: TokenPair = { reported: 0, counted: 0 };

/** What a report adds. `covered`: the last report was of the start of this window, so that the difference is what was new. */
export function calibrated(before: Calibration | undefined, model: string, prompt: TokenPair, covered: boolean): Calibration {
  if (before === undefined || before.model !== model) return { model, prompt, growth: nothing };
  if (!covered) return { model, prompt, growth: before.growth };
  const added = { reported: prompt.reported - before.prompt.reported, counted: prompt.counted - before.prompt.counted };
  if (added.reported <= 0 || added.counted <= 0) return { model, prompt, growth: before.growth };
  return { model, prompt, growth: sum(scaled(before.growth, fading), added) };
}

/** Tokens of what is new for one that was counted: as what came last, as far as there was enough of it, else as the whole prompt. */
export function factorOf(calibration: Calibration | undefined): number {
  if (calibration === undefined) return 1;
  const { prompt, growth } = calibration;
  const weight = growthTokensTrusted / Math.max(prompt.counted, 1);
  return clamped(ratioOf(sum(growth, scaled(prompt, Math.min(weight, 1)))));
}

/** The same for a whole window that no report covers. */
export function wholeFactorOf(calibration: Calibration | undefined): number {
  return calibration === undefined ? 1 : clamped(ratioOf(calibration.prompt));
}

function sum(a: TokenPair, b: TokenPair): TokenPair {
  return { reported: a.reported + b.reported, counted: a.counted + b.counted };
}

function scaled({ reported, counted }: TokenPair, by: number): TokenPair {
  return { reported: reported * by, counted: counted * by };
}

function ratioOf({ reported, counted }: TokenPair): number {
  return counted > 0 ? reported / counted : 1;
}

function clamped(factor: number): number {
  return Math.min(Math.max(factor, factorMin), factorMax);
}
