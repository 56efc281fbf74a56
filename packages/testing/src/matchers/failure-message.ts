import type { ContinuityReport, ReportedDifference } from "@tidemark/core";
import { nextStep } from "./next-step.ts";
import { shortenedPair } from "./shortened.ts";

const thousands = new Intl.NumberFormat("en-US");
const reasoningShownMax = 4;

/** Where and how a request left the prefix: place, class, both values, what it costs, and what keeps the prefix. */
export function failureMessage(headline: string, report: ContinuityReport, difference: ReportedDifference): string {
  const values = shortenedPair(difference.previous, difference.next);
  const lines = [
    headline,
    "",
    `  ${difference.class} at ${difference.path}`,
    "",
    `  previous: ${values.previous}`,
    `  next:     ${values.next}`,
    "",
    `  About ${thousands.format(difference.tokensBehind)} tokens of the previous request stand behind this place: they are not read from cache again.`,
    ...reasoningLines(report.reasoningVoided),
    `  To keep the prefix: ${nextStep(difference)}`,
    ...seenByWhom(report),
  ];
  return lines.join("\n");
}

function reasoningLines(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, reasoningShownMax).join(", ");
  const more = paths.length > reasoningShownMax ? ` and ${paths.length - reasoningShownMax} more` : "";
  return [`  Signed reasoning that is no longer valid in the next request: ${shown}${more}.`];
}

function seenByWhom({ provider, wire }: ContinuityReport): readonly string[] {
  if (provider !== undefined) return [`  Compared as ${wire} requests.`];
  return [`  Compared as ${wire} requests. The provider does not read this difference; a local server's cache does (strength: "bytes").`];
}
