import type { Asked } from "../budget/limits.ts";
import { type Measurement, type Meter, tokensIn } from "../budget/measure.ts";
import { TidemarkError } from "../json/error.ts";
import { copyValue, type ObjectValue, ValueError } from "../json/value.ts";
import type { AdmissionPolicy } from "../ledger/admission.ts";
import type { Draft } from "../ledger/draft.ts";
import { messagesFor, nativeForms } from "../ledger/forms.ts";
import type { HostHistory } from "../ledger/host-history.ts";
import { reconcile } from "../ledger/reconcile.ts";
import { type CountValue, judge, judgeLanding, type Verdict } from "../ledger/verdict.ts";
import type { Held } from "../overflow/held.ts";
import { ArchiveDraft } from "../sources/archive.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { Wire } from "../wire/wire.ts";
import { declaredNames } from "./check-call.ts";
import { asItIs, type Fitted, type Fitting, fit, type Remembering } from "./fit.ts";
import { toolsFor } from "./frozen-tools.ts";
import { type Doubt, gate } from "./gate.ts";
import type { Landing } from "./landing.ts";
import { keepMedia } from "./media.ts";
import { counterOf, measuredLater, meterFor } from "./meter.ts";
import { askedOf, withOutputCap } from "./output-cap.ts";
import type { PrepareOptions } from "./prepare-options.ts";
import { type Rendered, render } from "./render.ts";
import { mayCompact, mayControl, renderOptions } from "./render-options.ts";
import { inputOf, ownHistory } from "./request-input.ts";
import type { SessionState } from "./session-state.ts";
import { speakersOf, withSystemTexts } from "./sources.ts";
import { speak } from "./speak.ts";

/** A request on its way: the draft, what it repeats, and the native request. Nothing of it is published yet. */
export type Prepared<R extends object> = {
  readonly draft: Draft;
  readonly verdict: Verdict;
  readonly rendered: Rendered<R>;
  /** Names of tools that are declared and not offered. */
  readonly withdrawn: readonly string[];
  readonly doubt: Doubt | undefined;
  /** What the request says of its own size. */
  readonly asked: Asked;
  readonly measured: () => Measurement;
  readonly landing: Landing | undefined;
  readonly held: readonly Held[];
  /** What the session remembers of its landings once the request is published, and what is done then. */
  readonly remember: (session: Remembering) => void;
  readonly publish: () => void;
  readonly owned: readonly ObjectValue[];
  /** By the host's clock: the same in the session as in the store that saved it ahead. */
  readonly sentAt: number;
};

/**
 * The way of a request (architecture.md): reconcile and admit, speak, fit, judge, render, validate. Publishes nothing. The signal is looked at before each step (rule 44).
 * @throws {ValueError} `value-unreadable` where the host's own objects throw when they are read: getters, `toJSON`, proxies.
 */
export async function draftRequest<W extends object, R extends W>(
  session: SessionState<W>,
  request: R,
  settings: SessionState["settings"],
  options: PrepareOptions = {},
): Promise<Prepared<R>> {
  const spoken = typed(request, () => spokenDraft(session, request, settings, options));
  const { signal, headroom = false } = options;
  signal?.throwIfAborted();
  const fitted = await fit(session, fittingOf(session, spoken, signal, headroom));
  if (session.options.media !== undefined) await keepMedia(session.options.media, session.ledger, fitted.draft);
  if (fitted.held.some(({ by }) => by === "minimum-gain")) spoken.archived.forget("landing");
  if (session.options.archive !== undefined) await spoken.archived.put(session.options.archive);
  signal?.throwIfAborted();
  // The host may start over while a strategy is at work.
  if (session.ledger.restarted !== spoken.restarted) return draftRequest(session, request, settings, options);
  return typed(request, () => finished(session, spoken, fitted));
}

/** The same without `fit`, for those that only look: it waits for nothing. */
export function peekRequest<W extends object, R extends W>(session: SessionState<W>, request: R): Prepared<R> {
  return typed(request, () => {
    const spoken = spokenDraft(session, request, new Map([...session.readings, ...session.settings]));
    return finished(session, spoken, asItIs(spoken.draft));
  });
}

/** Every error is typed, also what the host's own objects throw. */
function typed<T>(request: object, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof TidemarkError ? error : (unreadable(request, error) ?? error);
  }
}

/** The error of a request whose own objects throw when they are read, with the place; undefined for one that can be read: then the error is none of theirs. */
function unreadable(request: object, cause: unknown): ValueError | undefined {
  try {
    copyValue(request);
    return undefined;
  } catch (error) {
    if (error instanceof ValueError && error.code === "value-unreadable") return error;
    return new ValueError("value-unreadable", "$: the request cannot be read; hand over plain data.", { path: "$", cause });
  }
}

/** A request with what is new admitted, and what the sources say. */
type Spoken<R extends object> = {
  /** With the session's output cap, where the host set none. */
  readonly request: R;
  /** What it says of its own size. */
  readonly asked: Asked;
  /** The window before the sources speak, and behind that. */
  readonly silent: Draft;
  readonly draft: Draft;
  readonly open: OpenRequest;
  readonly history: HostHistory;
  readonly owned: readonly ObjectValue[] | undefined;
  readonly meter: Meter;
  readonly verdict: Verdict;
  readonly lends: boolean;
  readonly speak: (draft: Draft) => Draft;
  readonly restarted: boolean;
  /** Names of the tools that the request offers. */
  readonly offered: readonly string[];
  /** What the request names and the archive must have. */
  readonly archived: ArchiveDraft;
};

function spokenDraft<W extends object, R extends W>(
  session: SessionState<W>,
  given: R,
  settings: SessionState["settings"],
  { envelopes = [], offer }: Pick<PrepareOptions, "envelopes" | "offer"> = {},
): Spoken<R> {
  const wire = session.wire as unknown as Wire;
  const request = withOutputCap(wire, given, session.options.budget?.output);
  const asGiven = session.wire.open(request);
  const owned = ownHistory(session, asGiven, wire);
  const open = withSystemTexts(session, settings, asGiven);
  const asked = askedOf(wire, request);
  const meter = meterFor(session, open.head.model, asked);
  const archived = new ArchiveDraft();
  const archives: AdmissionPolicy["archived"] = session.options.archive && ((text, about) => archived.keep("result", text, about));
  const controls = mayControl(session, request);
  const tools = toolsFor(session, open, { offer, betas: controls });
  const whole = owned === undefined ? tools.open : { ...tools.open, messages: owned };
  const input = inputOf(session, meter, request, whole, { envelopes, lead: asGiven.lead, archived: archives });
  const speakers = { ...speakersOf(session, settings, meter, controls), tools: tools.spoken };
  // Behind a checkpoint, and a landing is one, nothing counts of what the model wrote itself (rule 21).
  const say = (draft: Draft): Draft => speak(wire, draft, { ...speakers, writes: new Map() });
  const judged = (draft: Draft): Verdict => judge(wire, session.ledger, draft, recounter(session, meter, open.head.model));
  const silent = reconcile(session.ledger, input);
  const spoken = speak(wire, silent, speakers);
  const first = judged(spoken);
  const forgets = session.writes.size > 0 && first.checkpoints.length > 0;
  const draft = forgets ? say(silent) : spoken;
  const verdict = forgets ? judged(draft) : first;
  const { restarted } = session.ledger;
  return {
    request,
    asked,
    silent,
    draft,
    open,
    history: input.history,
    owned,
    meter,
    verdict,
    lends: input.lends,
    speak: say,
    restarted,
    archived,
    offered: tools.offered,
  };
}

function recounter<W extends object>(session: SessionState<W>, meter: Meter, model: string): CountValue {
  const recounting = { ...meter, count: counterOf(session, model) };
  return (value) => tokensIn(recounting, value);
}

function fittingOf<W extends object, R extends W>(
  session: SessionState<W>,
  { request, open, history, silent, draft, verdict, meter, lends, speak, archived }: Spoken<R>,
  signal: AbortSignal | undefined,
  headroom: boolean,
): Fitting {
  return {
    silent,
    draft,
    history,
    verdict,
    meter,
    lends,
    signal,
    headroom,
    speak,
    compacts: mayCompact(session, request),
    reference: (text, about) => (session.options.archive === undefined ? undefined : archived.keep("landing", text, about)),
    render: (window, entries, words) => renderPart(session, request, open, window, entries, words),
  };
}

/** A request of the first entries of a window, as it would go out, with words of the user behind them. */
function renderPart<W extends object, R extends W>(
  session: SessionState<W>,
  request: R,
  open: OpenRequest,
  window: Draft,
  entries: number,
  words: string | undefined,
): Rendered<R> {
  const { wire } = session;
  const plain = wire as unknown as Wire;
  const draft = { ...window, entries: window.entries.slice(0, entries), prefill: undefined };
  const said = messagesFor(plain, draft.entries, draft.target);
  const messages = words === undefined ? said : nativeForms(plain, [...said, wire.say("user", words)]);
  const verdict: Verdict = { kept: 0, appended: messages.length, checkpoints: [], messages };
  return render(wire, request, open, draft, verdict, renderOptions(session, request, open.head.model, messages));
}

/** What the window repeats of the one before, and the native request: judged, rendered, validated. */
function finished<W extends object, R extends W>(session: SessionState<W>, spoken: Spoken<R>, fitted: Fitted): Prepared<R> {
  const { wire, options } = session;
  const { request, asked, open, owned, meter, offered } = spoken;
  const { draft, landing } = fitted;
  const count = recounter(session, meter, open.head.model);
  const verdict =
    landing === undefined ? spoken.verdict : judgeLanding(wire as unknown as Wire, spoken.draft, spoken.verdict, draft, landing, count);
  const lagging = laggingPosition(session, draft, verdict);
  const whole = render(wire, request, open, draft, verdict, renderOptions(session, request, open.head.model, verdict.messages, lagging));
  const withdrawn = declaredNames(wire as unknown as Wire, draft.head, draft.entries).filter((name) => !offered.includes(name));
  const offering = withdrawn.length === 0 ? whole.request : (wire.offer?.(whole.request, offered) ?? whole.request);
  const { replyId } = session;
  const rendered = { ...whole, request: replyId === undefined ? offering : (wire.diagnose?.(offering, replyId) ?? offering) };
  const doubt = gate(wire, rendered.request, draft, verdict.kept, options.strict ?? false);
  return {
    draft,
    verdict,
    rendered,
    withdrawn,
    doubt,
    asked,
    owned: owned ?? [],
    sentAt: (options.now ?? Date.now)(),
    measured: measuredLater(session, meter, draft),
    landing,
    held: fitted.held,
    remember: fitted.remember,
    publish: fitted.publish,
  };
}

/** Native position of the message that ended the request before, where it is still repeated. */
function laggingPosition<W extends object>(session: SessionState<W>, draft: Draft, verdict: Verdict): number | undefined {
  if (session.ledger.turns.length === 0 || verdict.kept === 0) return undefined;
  return draft.lead + verdict.kept - 1;
}
