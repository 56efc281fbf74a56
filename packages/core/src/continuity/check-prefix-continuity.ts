import { callable, listOf, objectOf, optional, type Shape } from "../json/check.ts";
import { pathText } from "../json/path.ts";
import { copyValue } from "../json/value.ts";
import { checked, stray, wireShape } from "../wire/checked.ts";
import type { Wire } from "../wire/wire.ts";
import { firstDifference, type Placed } from "./first-difference.ts";
import { type Opened, openNative } from "./opened.ts";
import { recogniseWire } from "./recognise-wire.ts";
import type { ContinuityReport, ReportedDifference, Verdict } from "./report.ts";
import { type CountMessage, tokensBehind } from "./tokens-behind.ts";
import { voidedReasoning } from "./voided-reasoning.ts";

export type ContinuityOptions = {
  /** The wire of both requests; of several, the first that recognises both by their shape. */
  readonly wire: Wire | readonly Wire[];
  /** Counts a native message for `tokensBehind`. The default is the wire's local estimate. */
  readonly count?: CountMessage | undefined;
};

const oneWire: Shape = (value) => (Array.isArray(value) ? wires(value) : wireShape(value));
const wires = listOf(wireShape);
const shape = objectOf({ wire: oneWire, count: optional(callable) }, stray);

/**
 * Whether a request continues the one before it. Needs no session: give it two native requests as they were or would be sent. Compared are
 * the messages and the head fields that the provider serialises ahead of them or takes into its cache key; other parameters
 * (`max_tokens`, `metadata`) are not looked at. Nothing is written to.
 *
 * @throws {TidemarkError} `invalid-option` for a wrong option, `wire-unknown` when no wire recognises both, `invalid-request` for what is no request of the wire, and the codes
 * of {@link ValueError} for what has no JSON form.
 */
export function checkPrefixContinuity(previous: object, next: object, options: ContinuityOptions): ContinuityReport {
  const before = copyValue(previous);
  const after = copyValue(next);
  const wire = recogniseWire(options?.wire, before, after);
  checked(options, shape);
  return report(openNative(wire, before), openNative(wire, after), options.count);
}

function report(previous: Opened, next: Opened, count: CountMessage | undefined): ContinuityReport {
  const bytes = firstDifference(previous, next, "bytes");
  const provider = firstDifference(previous, next, "provider");
  const reported = { bytes: reportOf(previous, bytes, count), provider: reportOf(previous, provider, count) };
  const verdict = verdictOf(reported.bytes, reported.provider);
  const cause = reported.provider ?? reported.bytes;
  return {
    verdict,
    path: cause?.path,
    class: cause?.class,
    at: cause?.at,
    tokensBehind: cause?.tokensBehind ?? 0,
    ...reported,
    reasoningVoided: provider === undefined ? [] : voidedReasoning(previous, next, provider),
    wire: previous.wire.name,
  };
}

function verdictOf(bytes: ReportedDifference | undefined, provider: ReportedDifference | undefined): Verdict {
  if (provider !== undefined) return "breaks";
  return bytes === undefined ? "continues" : "equivalent";
}

function reportOf(previous: Opened, placed: Placed | undefined, count: CountMessage | undefined): ReportedDifference | undefined {
  if (placed === undefined) return undefined;
  const { path, class: kind, at, previous: before, next: after } = placed.difference;
  return {
    path: pathText(path),
    class: kind,
    at,
    field: placed.field,
    previous: before,
    next: after,
    tokensBehind: tokensBehind(previous, placed, count),
  };
}
