import { expecting, type Misfit, misfitIn, objectOf, oneOf, optional, type Shape } from "../json/check.ts";
import { pathText } from "../json/path.ts";
import { isObject } from "../json/value.ts";
import { OptionError } from "../wire/errors.ts";
import type { Profile } from "../wire/profile.ts";

/** What a session may hold in its window. All figures are tokens. */
export type BudgetOptions = {
  /** The model's total window. `false`: the window is counted and never cut. Default: the model profile's. */
  readonly context?: number | false | undefined;
  /** The same by exact model id; goes before `context`. */
  readonly perModel?: Readonly<Record<string, number>> | undefined;
  /** Kept free for the reply where a request sets no output cap of its own; sent as its cap where the wire takes one. Default: the model's largest output. */
  readonly output?: number | undefined;
  /** Above it the window is brought down to `lowWater`. Default: three quarters of the limit. */
  readonly highWater?: number | undefined;
  /** Default: half of the high water mark. */
  readonly lowWater?: number | undefined;
  /**
   * What the window is measured by. `report` (default): the last reported usage for what it covers, a calibrated count for the rest. `counter`: the local count alone, as the counter
   * gives it. `larger`: the larger of the two.
   */
  readonly measure?: MeasureKind | undefined;
};

export type MeasureKind = "report" | "counter" | "larger";

/**
 * The figures that one request is held to (rules 30 and 33), in tokens.
 *  1. `limit` = `context` - `reserve`, and `reserve` is at most half of `context`.
 *  2. `lowWater` < `highWater` <= `limit`.
 */
export type Limits = {
  /** The model's total window. */
  readonly context: number;
  /** What is kept free for the reply. */
  readonly reserve: number;
  /** What a request may have at most. */
  readonly limit: number;
  /** Above it the window is cut. */
  readonly highWater: number;
  /** What it is cut down to. */
  readonly lowWater: number;
};

/** Smallest window that can hold a conversation (rule 30). */
const contextMin = 1_024;
/** Marks that the host does not set (rule 33). */
const highWaterShare = 3 / 4;
const lowWaterShare = 1 / 2;
/** The reply gets no more of the window than this. */
const reserveShareMax = 1 / 2;

const context = expecting(`a whole number of at least ${contextMin.toLocaleString("en-US")}`, isContext);
const tokens = expecting("a whole number of at least 1", (value) => Number.isSafeInteger(value) && (value as number) >= 1);

/** What `budget` may look like; a wrong figure is named by its key: `$.budget.perModel["my-model"]`. */
export const budgetShape: Shape = (value) => budgetMembers(value) ?? marksInOrder(value as BudgetOptions);

const budgetMembers = objectOf(
  {
    context: (value) => (value === undefined || value === false ? undefined : context(value)),
    perModel: optional(everyMember(context)),
    output: optional(tokens),
    highWater: optional(tokens),
    lowWater: optional(tokens),
    measure: optional(oneOf("report", "counter", "larger")),
  },
  "there is no such option",
);

/** Whether a figure can be a model's window. */
export function isContext(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= contextMin;
}

/** @__NO_SIDE_EFFECTS__ */
function everyMember(shape: Shape): Shape {
  return (value) => {
    if (!isObject(value)) return { path: [], problem: "expected an object" };
    return objectOf(Object.fromEntries(Object.keys(value).map((name) => [name, shape])))(value);
  };
}

function marksInOrder({ highWater, lowWater }: BudgetOptions): Misfit | undefined {
  if (highWater === undefined || lowWater === undefined || lowWater < highWater) return undefined;
  return { path: ["lowWater"], problem: `${lowWater} is not below the high water mark ${highWater}` };
}

/** That of a host that sets no figure. */
export const noBudget: BudgetOptions = Object.freeze({});

/** What a request itself says of its size: the cap of its reply; on servers that size the window by the request, the window. */
export type Asked = {
  readonly output?: number;
  readonly window?: number;
  /** What the provider named as its window when it refused the request before: no figure goes above it in the answer to that. */
  readonly most?: number | undefined;
};

/**
 * The limits of a request for a model; undefined: it is counted and never cut. The context is the first of the host's figure for the model, the host's figure, the request's, the profile's, and is never
 * clamped. Read at every request, since a host may change its figures.
 * @throws {OptionError} for a figure that cannot be a window, named by its key.
 */
export function limitsFor(
  budget: BudgetOptions,
  profile: Profile,
  model: string,
  { output, window, most }: Asked = {},
): Limits | undefined {
  const figure = contextFor(budget, profile, model, window);
  if (figure === false) return undefined;
  const total = Math.min(figure, most ?? figure);
  const reserve = Math.min(output ?? budget.output ?? profile.outputMax ?? 0, Math.floor(total * reserveShareMax));
  const limit = total - reserve;
  const highWater = Math.min(budget.highWater ?? Math.floor(limit * highWaterShare), limit);
  const half = Math.floor(highWater * lowWaterShare);
  const lowWater = budget.lowWater !== undefined && budget.lowWater < highWater ? budget.lowWater : half;
  return Object.freeze({ context: total, reserve, limit, highWater, lowWater });
}

function contextFor(budget: BudgetOptions, profile: Profile, model: string, window: number | undefined): number | false {
  const misfit = budget === noBudget ? undefined : misfitIn(budget, budgetShape);
  if (misfit !== undefined) throw new OptionError(pathText(["budget", ...misfit.path]), misfit.problem);
  const own = budget.perModel !== undefined && Object.hasOwn(budget.perModel, model) ? budget.perModel[model] : undefined;
  const figure = own ?? budget.context;
  const total = figure ?? window ?? profile.context;
  if (total === profile.context && !isContext(total))
    throw new OptionError(pathText(["profiles", model, "context"]), context(total)?.problem ?? "");
  return total;
}
