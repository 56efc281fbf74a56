import type { Asked } from "../budget/limits.ts";
import { type Measurement, type Meter, tokensIn } from "../budget/measure.ts";
import { TidemarkError } from "../json/error.ts";
import { type Path, pathText } from "../json/path.ts";
import { copyValue, isObject, type ObjectValue, ValueError } from "../json/value.ts";
import type { AdmissionPolicy } from "../ledger/admission.ts";
import { preparedEvent } from "../ledger/commit.ts";
import { messagesFor, nativeForms } from "../ledger/forms.ts";
import { HostHistory, withoutMembers } from "../ledger/host-history.ts";
import { type Draft, type ReconcileInput, reconcile } from "../ledger/reconcile.ts";
import { StoredParts } from "../ledger/snapshot.ts";
import { type LedgerState, openTurn } from "../ledger/state.ts";
import { type CountValue, judge, judgeLanding, type Verdict } from "../ledger/verdict.ts";
import type { Held } from "../overflow/held.ts";
import { ArchiveDraft } from "../sources/archive.ts";
import { InvalidRequestError } from "../wire/errors.ts";
import type { OpenRequest } from "../wire/head.ts";
import { messagesPlace } from "../wire/places.ts";
import { openEnvelope } from "../wire/reply-envelope.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { recordSent } from "./accounts.ts";
import { declaredNames } from "./check-call.ts";
import { InvariantError } from "./errors.ts";
import { asItIs, type Fitted, type Fitting, fit, type Remembering } from "./fit.ts";
import { toolsFor } from "./frozen-tools.ts";
import { type Doubt, gate } from "./gate.ts";
import { accountScope } from "./identity.ts";
import type { Landing } from "./landing.ts";
import { keepMedia } from "./media.ts";
import { counterOf, measuredLater, meterFor } from "./meter.ts";
import { admissionPolicy } from "./options.ts";
import { askedOf, withOutputCap } from "./output-cap.ts";
import type { PrepareOptions } from "./prepare-options.ts";
import { type Rendered, render } from "./render.ts";
import { mayCompact, mayControl, renderOptions } from "./render-options.ts";
import { renderedText, unexplained } from "./self-check.ts";
import type { SentTurn } from "./sent-turn.ts";
import { publish, type SessionState } from "./session-state.ts";
import { saysSettings, speakersOf, withSystemTexts } from "./sources.ts";
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
    measured: measuredLater(session, meter, draft),
    landing,
    held: fitted.held,
    remember: fitted.remember,
    publish: fitted.publish,
  };
}

/** Publishes a prepared request: from here on it is the window that the next one is judged against. */
export function commitRequest<W extends object, R extends W>(session: SessionState<W>, prepared: Prepared<R>): void {
  checkRendered(session, prepared);
  commitTo(session, prepared);
  const { draft, verdict } = prepared;
  const place = [...messagesPlace(session.wire as unknown as Wire), draft.lead];
  session.log?.request({ turn: draft.turn, head: draft.head, messages: verdict.messages, prefill: draft.prefill, place });
  prepared.publish();
}

/** The session as it is once a prepared request is published. Changes nothing: a store saves it ahead. */
export function committed<W extends object, R extends W>(session: SessionState<W>, prepared: Prepared<R>): SessionState<W> {
  // What is not saved in the end leaves nothing in the parts of the snapshots either.
  const next = { ...session, stored: new StoredParts(session.stored) };
  commitTo(next, prepared);
  return next;
}

function commitTo<W extends object, R extends W>(next: SessionState<W>, prepared: Prepared<R>): void {
  const { draft, verdict } = prepared;
  publish(next as unknown as SessionState, preparedEvent(draft, verdict), draft.entries);
  if (verdict.checkpoints.length > 0) next.writes = new Map();
  next.toolRules = { ...next.toolRules, withdrawn: prepared.withdrawn };
  recordSent(next, sentTurn(next, prepared));
  prepared.remember(next);
  next.lastAsked = prepared.asked;
  next.owned = prepared.owned;
  next.ownedBy = { turn: draft.turn, count: prepared.owned.length };
  next.open = [...next.open, draft.turn].filter((turn) => openTurn(next.ledger, turn) !== undefined);
}

function sentTurn<W extends object, R extends W>(session: SessionState<W>, { draft, verdict, rendered, measured }: Prepared<R>): SentTurn {
  return {
    turn: draft.turn,
    sentAt: (session.options.now ?? Date.now)(),
    model: draft.head.model,
    checkpoints: verdict.checkpoints,
    measured,
    asked: session.wire.asksForCache(rendered.request),
  };
}

type AdmissionExtras = {
  readonly envelopes: readonly unknown[];
  /** Leading messages of the host's own request that belong to the head. */
  readonly lead: number;
  readonly archived: AdmissionPolicy["archived"];
};

function inputOf<W extends object, R extends W>(
  session: SessionState<W>,
  meter: Meter,
  request: R,
  open: OpenRequest,
  { envelopes, lead, archived }: AdmissionExtras,
): ReconcileInput {
  const { options } = session;
  const wire = session.wire as unknown as Wire;
  return {
    wire,
    open,
    history: new HostHistory(wire, open.messages, lead, options.history === "new" ? [] : (options.ignore ?? []), {
      envelopes: envelopes.length === 0 ? undefined : nativeReplies(wire, envelopes, open.head.model, accountScope(options)),
      owned: options.history === "new" ? session.owned.length : 0,
      copies: options.history === "new",
      replies: settledReplies(session.ledger),
      tail: options.history === "tail",
      made: options.history === "new" ? session.ownedBy : undefined,
    }),
    policy: admissionPolicy(options, session.wordings, meter.limits?.highWater, archived),
    endpoint: accountScope(options),
    lends:
      wire.abilities.reportsDroppedReasoning &&
      (wire.control === undefined || mayControl(session, request)) &&
      (options.reasoningMismatch ?? "drop") === "drop",
    systemChanges: options.systemChanges ?? "checkpoint",
    saysSettings: saysSettings(session, mayControl(session, request)),
    trims: options.trims ?? "obey",
    ownedMessages: options.history === "new" ? session.owned.length : 0,
  };
}

function settledReplies({ turns }: LedgerState): readonly ObjectValue[] {
  const replies: ObjectValue[] = [];
  for (const { settled } of turns) if (settled !== undefined) replies.push(...settled.reply);
  return replies;
}

function nativeReplies(
  wire: Wire,
  envelopes: readonly unknown[],
  model: string,
  endpoint: string | undefined,
): ReadonlyMap<string, readonly Unit[]> {
  const opened = envelopes.flatMap((envelope) => openEnvelope(wire, envelope, { wire: wire.name, model, endpoint }) ?? []);
  return new Map(opened.map(({ key, units }) => [key, units]));
}

/** With `history: "new"` the host hands over what is new; the whole history is what the session has and that. */
function ownHistory<W extends object>(session: SessionState<W>, open: OpenRequest, wire: Wire): readonly ObjectValue[] | undefined {
  if (session.options.history !== "new") return undefined;
  const added = open.messages.map((message, index) => {
    const path: Path = [...messagesPlace(wire), index + open.lead];
    const copy = copyValue(withoutMembers(message, session.options.ignore ?? []), path);
    if (!isObject(copy)) throw new InvalidRequestError(pathText(path), "a message must be an object");
    return copy;
  });
  return session.owned.concat(added);
}

/** Native position of the message that ended the request before, where it is still repeated. */
function laggingPosition<W extends object>(session: SessionState<W>, draft: Draft, verdict: Verdict): number | undefined {
  if (session.ledger.turns.length === 0 || verdict.kept === 0) return undefined;
  return draft.lead + verdict.kept - 1;
}

function checkRendered<W extends object, R extends W>(session: SessionState<W>, { draft, verdict }: Prepared<R>): void {
  if (session.options.selfCheck !== true) return;
  const now = renderedText(draft.head, verdict.messages, (message) => session.wire.read(message).role);
  const place =
    session.rendered === undefined
      ? undefined
      : unexplained(session.rendered, now, verdict.checkpoints, messagesPlace(session.wire as unknown as Wire), draft.lead);
  if (place !== undefined) {
    session.listeners.tell("invariant", { path: place });
    if (session.options.strict === true) throw new InvariantError(place);
  }
  session.rendered = now;
}
