import { TidemarkError } from "../json/error.ts";
import { type Path, pathText } from "../json/path.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Profile } from "./profile.ts";

/** `sure` refuses. `likely` and `weak` are reported in `repairs.doubtful` and refuse only in strict mode (rule 53). */
export type Grade = "sure" | "likely" | "weak";

/** One way in which a provider rejects a request for its shape. Written once; used by `validate` and by the simulators. */
export interface ShapeRule {
  /** As the facts name it: `AN-04`. */
  readonly id: string;
  readonly grade: Grade;
  /** The HTTP status of the provider's refusal. */
  readonly status: number;
  /** Looks at a whole native request, marks and all. Returns the first breach, or undefined. */
  check(request: ObjectValue, context: RuleContext): Breach | undefined;
}

export type RuleContext = {
  readonly profile: Profile;
  /** Beta names in force for this request; undefined: not known, so that rules about betas are not judged. */
  readonly betas: readonly string[] | undefined;
  /** The API version in force, such as `2026-10-21`; undefined: not known. */
  readonly version: string | undefined;
};

export type Breach = {
  /** The provider's own words. */
  readonly message: string;
  readonly path: Path;
  /** Error type where it is not the wire's usual one for the status. */
  readonly type?: string;
  /** The provider's machine-readable code, where it has one. */
  readonly providerCode?: string;
};

/** A request that the provider is sure to reject for its shape. It was not sent, and the session is as it was before. Code: `shape`. */
export class ShapeError extends TidemarkError {
  /** Number of the rule: `AN-04`. */
  readonly rule: string;
  readonly providerStatus: number;

  constructor(rule: ShapeRule, breach: Breach) {
    const path = pathText(breach.path);
    super("shape", `${rule.id} at ${path}: ${breach.message}`, { path });
    this.rule = rule.id;
    this.providerStatus = rule.status;
  }
}

/** The first breach among the rules of the given grades, with its rule. */
export function firstBreach(
  rules: readonly ShapeRule[],
  request: ObjectValue,
  context: RuleContext,
  grades: readonly Grade[],
): { readonly rule: ShapeRule; readonly breach: Breach } | undefined {
  for (const rule of rules) {
    if (!grades.includes(rule.grade)) continue;
    const breach = rule.check(request, context);
    if (breach !== undefined) return { rule, breach };
  }
  return undefined;
}
