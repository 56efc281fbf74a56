import { type Counter, counterFor, remembering } from "../budget/counter.ts";
import { type Asked, limitsFor, noBudget } from "../budget/limits.ts";
import { type Measurement, type Meter, measureWindow } from "../budget/measure.ts";
import type { WindowDraft } from "../budget/sent-window.ts";
import type { Wire } from "../wire/wire.ts";
import type { SessionState } from "./session-state.ts";

const counters = new WeakMap<object, Map<string, Counter>>();

/** The session's counter for a model, which remembers: for windows that break again and again, and are counted each time. */
export function counterOf<W extends object>(session: SessionState<W>, model: string): Counter {
  const wire = session.wire as unknown as Wire;
  const known = counters.get(session.options) ?? new Map<string, Counter>();
  counters.set(session.options, known);
  const key = `${wire.name} ${model}`;
  const counter = known.get(key) ?? remembering(counterFor(wire, model, session.options.countText));
  known.set(key, counter);
  return counter;
}

/** What a request for a model is measured with. */
export function meterFor<W extends object>(session: SessionState<W>, model: string, asked: Asked): Meter {
  const wire = session.wire as unknown as Wire;
  const budget = session.options.budget ?? noBudget;
  const context = session.contexts.get(model);
  const profile = wire.profile(model);
  const countHead = counterOf(session, model);
  return {
    wire,
    // Strategies have one window counted many times.
    count: session.options.overflow === undefined ? counterFor(wire, model, session.options.countText) : countHead,
    countHead,
    kind: budget.measure ?? "report",
    limits: limitsFor(budget, context === undefined ? profile : { ...profile, context }, model, { ...asked, most: session.refused?.limit }),
    report: session.report,
    calibration: session.calibration?.model === model ? session.calibration : undefined,
    counted: session.counted,
  };
}

/** A measurement that is made when it is first asked for; it keeps no message alive behind that. */
export function measuredLater<W extends object>(session: SessionState<W>, meter: Meter, draft: WindowDraft): () => Measurement {
  let inputs: { readonly meter: Meter; readonly draft: WindowDraft } | undefined = { meter, draft };
  let made: Measurement | undefined;
  const measured = (): Measurement => {
    if (inputs !== undefined) made = measureWindow(inputs.meter, inputs.draft);
    inputs = undefined;
    const measurement = made as Measurement;
    if (session.sent.at(-1)?.measured === measured) session.counted = measurement.counted;
    return measurement;
  };
  return measured;
}
