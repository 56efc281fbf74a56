import type { ObjectValue, Value } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";
import { type Calibration, factorOf, wholeFactorOf } from "./calibration.ts";
import { type Counter, type Floor, floorOf } from "./counter.ts";
import type { Limits, MeasureKind } from "./limits.ts";
import { type FullWindow, type SentWindow, sentWindow, startsWith, stillCounts, type WindowDraft } from "./sent-window.ts";

/** What a request measures (rule 31). One measure serves every decision of its request. All figures are tokens. */
export type Measure = {
  /** The whole request: system, tools, messages, media; without the reply. */
  readonly tokens: number;
  /** What of it the last report covers; 0: all is counted locally. */
  readonly reported: number;
  /** What of it no cut takes away: system and tools. */
  readonly floor: Floor;
  /** What it is held to; undefined: it is counted and never cut. */
  readonly limits: Limits | undefined;
};

/** The last usage that a reply reported, and the window that it was reported of. */
export type UsageReport = { readonly prompt: number; readonly window: SentWindow };

/** The local count of a window. */
export type CountedWindow = { readonly tokens: number; readonly window: SentWindow };

/** What a session measures with. Reading it consumes nothing. */
export type Meter = {
  readonly wire: Wire;
  readonly count: Counter;
  /** The same for a head, whose lists are the same ones for a whole conversation: each is counted once. */
  readonly countHead: Counter;
  readonly kind: MeasureKind;
  readonly limits: Limits | undefined;
  readonly report: UsageReport | undefined;
  readonly calibration: Calibration | undefined;
  /** What a window starts with of this one is not counted again. */
  readonly counted: CountedWindow | undefined;
};

/** A measure, and the local count behind it. */
export type Measurement = {
  readonly measure: Measure;
  readonly counted: CountedWindow;
  /** Tokens of the bare assistant message that the request ends in. It is sent and never admitted. */
  readonly prefill: number;
};

/** Measures a window in the making, as often as it is changed. */
export function measureWindow(meter: Meter, draft: WindowDraft): Measurement {
  const window = sentWindow(meter.wire, draft);
  const floor = floorOf(meter.countHead, draft.head);
  const prefill = draft.prefill === undefined ? 0 : meter.count(draft.prefill);
  const count = counterBehind(meter, window.messages);
  const counted = countWindow(meter, window, floor, count);
  const figures = figuresOf(meter, window, count, counted, prefill);
  const measure = Object.freeze({ ...figures, floor: calibratedFloor(meter, floor), limits: meter.limits });
  return { measure, counted: { tokens: counted, window: { head: window.head, forms: window.forms } }, prefill };
}

/** The floor in the tokens that the whole is told in. */
function calibratedFloor({ kind, calibration }: Meter, floor: Floor): Floor {
  const factor = kind === "counter" ? 1 : wholeFactorOf(calibration);
  const by = kind === "larger" ? Math.max(factor, 1) : factor;
  if (by === 1) return floor;
  const parts = { system: Math.ceil(floor.system * by), tools: Math.ceil(floor.tools * by) };
  return { tokens: parts.system + parts.tools, ...parts };
}

function figuresOf(
  meter: Meter,
  window: FullWindow,
  count: CountBehind,
  counted: number,
  prefill: number,
): Pick<Measure, "tokens" | "reported"> {
  const byCounter = { tokens: counted + prefill, reported: 0 };
  if (meter.kind === "counter") return byCounter;
  const byReport = reportedFigures(meter, window, count, byCounter.tokens, prefill);
  return meter.kind === "larger" && byCounter.tokens > byReport.tokens ? byCounter : byReport;
}

/** The last report for what it covers and a calibrated count of the rest; one changed message, and it covers nothing. */
function reportedFigures(
  { report, calibration }: Meter,
  window: FullWindow,
  count: CountBehind,
  counted: number,
  prefill: number,
): Pick<Measure, "tokens" | "reported"> {
  if (report === undefined || !stillCounts(window, report.window) || !startsWith(window, report.window))
    return { tokens: Math.ceil(counted * wholeFactorOf(calibration)), reported: 0 };
  const rest = count(report.window.forms.length) + prefill;
  return { tokens: report.prompt + Math.ceil(rest * factorOf(calibration)), reported: report.prompt };
}

/** Tokens by which the measure grows with a message. */
export function tokensIn({ count, kind, calibration }: Meter, message: Value): number {
  return kind === "counter" ? count(message) : Math.ceil(count(message) * factorOf(calibration));
}

function countWindow({ counted }: Meter, window: FullWindow, floor: Floor, count: CountBehind): number {
  const known = counted !== undefined && stillCounts(window, counted.window) && startsWith(window, counted.window) ? counted : undefined;
  return (known?.tokens ?? floor.tokens) + count(known?.window.forms.length ?? window.from);
}

/** Tokens of a window's messages from one on. */
type CountBehind = (from: number) => number;

/** The last report and the last count mostly end at the same message: what stands behind it is counted once. */
function counterBehind({ count }: Meter, messages: readonly ObjectValue[]): CountBehind {
  let last: { readonly from: number; readonly tokens: number } | undefined;
  return (from) => {
    if (last?.from !== from) {
      let tokens = 0;
      for (let index = from; index < messages.length; index++) tokens += count(messages[index] as ObjectValue);
      last = { from, tokens };
    }
    return last.tokens;
  };
}
