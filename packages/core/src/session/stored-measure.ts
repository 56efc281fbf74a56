import type { Calibration } from "../budget/calibration.ts";
import { type SentWindow, startsWith } from "../budget/sent-window.ts";
import type { UsageSum } from "../budget/usage-sum.ts";
import { count, expecting, objectOf, optional, type Shape, text } from "../json/check.ts";
import { isSent } from "../ledger/entry.ts";
import { type LedgerState, lastTurn } from "../ledger/state.ts";
import type { SessionState } from "./session-state.ts";

/** What a snapshot keeps of a session's measure. */
export type StoredMeasure = {
  /** The last report: prompt tokens of the head and so many of the first messages of the last window. */
  readonly report?: { readonly prompt: number; readonly messages: number };
  readonly calibration?: Calibration;
  /** What all replies have reported. */
  readonly usage: UsageSum;
  /** Windows of models as refusals named them. */
  readonly contexts?: { readonly [model: string]: number };
};

const amount = expecting("a number of at least 0", (value) => typeof value === "number" && value >= 0);
const pair = objectOf({ reported: amount, counted: amount });

export const storedMeasureShape: Shape = objectOf({
  report: optional(objectOf({ prompt: amount, messages: count })),
  calibration: optional(objectOf({ model: text, prompt: pair, growth: pair })),
  usage: objectOf({
    ...{ replies: count, prompt: amount, cacheRead: amount, cacheWrite: amount, output: amount },
    ...{ rated: objectOf({ prompt: amount, cacheRead: amount }), price: amount, priced: count },
  }),
  contexts: optional(objectOf({})),
});

type Known = Pick<SessionState, "report" | "calibration" | "usage" | "contexts">;

export function storedMeasure({ ledger, report, calibration, usage, contexts }: Known & Pick<SessionState, "ledger">): StoredMeasure {
  const window = plainWindow(ledger);
  const covers = report !== undefined && window !== undefined && startsWith(window, report.window);
  return {
    usage,
    ...(contexts.size > 0 && { contexts: Object.fromEntries(contexts) }),
    ...(calibration !== undefined && { calibration }),
    ...(covers && { report: { prompt: report.prompt, messages: report.window.forms.length } }),
  };
}

export function loadMeasure(ledger: LedgerState, { calibration, report, usage, contexts = {} }: StoredMeasure): Known {
  const window = plainWindow(ledger);
  const covered =
    report === undefined || window === undefined
      ? undefined
      : { prompt: report.prompt, window: { ...window, forms: window.forms.slice(0, report.messages) } };
  return { calibration, usage, report: covered, contexts: new Map(Object.entries(contexts)) };
}

/** The last window with every entry in its sent form: all that can be told of it while its words sleep. A report of other forms is not kept. */
function plainWindow(ledger: LedgerState): SentWindow | undefined {
  const last = lastTurn(ledger);
  return last && { head: last.head, forms: last.entries.filter(isSent).map(({ id }) => id) };
}
