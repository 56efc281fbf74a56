import { type Meter, measureWindow } from "../budget/measure.ts";
import { mapTexts } from "../json/map-texts.ts";
import { wellFormed } from "../json/unicode.ts";
import type { Draft } from "../ledger/draft.ts";
import { type Room, type Setting, type Source, SourceUnknownError, SourceValueError } from "../sources/source.ts";
import type { OpenRequest } from "../wire/head.ts";
import { leadsMessages } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import { pinnedBy } from "./pins.ts";
import type { SessionState } from "./session-state.ts";
import type { Speakers } from "./speak.ts";

/** What a source is set to from the next request on. @throws {SourceUnknownError} @throws {SourceValueError} */
export function setSource<W extends object, In>(session: SessionState<W>, source: Source<In>, value: In): void {
  const own = ownSource(session, source);
  if (own.accept === undefined) throw new SourceValueError(source.id, "$", "it speaks by itself and cannot be set");
  withSetting(session, source.id, { value: mapTexts(own.accept(value), cleanerOf(session)) });
}

/** Makes a text well-formed and redacts it, as at admission (rules 9 and 57). */
export function cleanerOf<W extends object>({ options: { redact } }: SessionState<W>): (text: string) => string {
  return redact === undefined ? wellFormed : (text) => wellFormed(redact(text));
}

/** Takes back what was set: what the window says of it is followed by a tombstone. @throws {SourceUnknownError} */
export function clearSource<W extends object>(session: SessionState<W>, source: Source<never>): void {
  ownSource(session, source);
  withSetting(session, source.id, { cleared: true });
}

/** A definition may be made again, behind a restore for one: it is known by its id. */
function ownSource<W extends object>(session: SessionState<W>, named: Source<never>): Source {
  const id = (named as Partial<Source> | undefined)?.id;
  const own = session.options.sources?.find((source) => source.id === id);
  if (own === undefined) throw new SourceUnknownError(id ?? named);
  return own as Source;
}

function withSetting<W extends object>(session: SessionState<W>, id: string, setting: Setting): void {
  session.settings = new Map(session.settings).set(id, Object.freeze(setting));
}

/** Who may speak into a request. `settings`: as they were when it was handed over. */
export function speakersOf<W extends object>(
  session: SessionState<W>,
  settings: SessionState["settings"],
  meter: Meter,
  betas: boolean,
): Omit<Speakers, "tools"> {
  return {
    sources: session.options.sources ?? [],
    settings,
    wordings: session.wordings,
    writes: session.writes,
    now: (session.options.now ?? Date.now)(),
    scopes: betas,
    room: (draft) => roomOf(meter, draft),
    pinned: pinnedBy(session.wire as unknown as Wire, session.pins, session.options.pinned).kept,
  };
}

function roomOf(meter: Meter, draft: Draft): Room {
  return { tokens: measureWindow(meter, draft).measure.tokens, limit: meter.limits?.limit ?? Number.POSITIVE_INFINITY };
}

/** Betas that the session's sources may need, from its first request on (rule 58). */
export function sourceBetas<W extends object>(session: SessionState<W>, model: string): readonly string[] {
  const { sources = [], toolChanges, settingChanges } = session.options;
  const { inBand } = session.wire;
  const forms = [
    sources.some(({ channel }) => channel === "turn") ? inBand?.turnScoped : undefined,
    toolChanges === "append" ? inBand?.toolChanges : undefined,
    settingChanges === "checkpoint" ? undefined : inBand?.settings,
  ];
  return forms.flatMap((form) => (form?.on(session.wire.profile(model)) === true ? form.betas : []));
}

/** Whether changed settings may be said in the conversation. `betas`: the request may bear those that this needs. */
export function saysSettings<W extends object>({ options, wire }: SessionState<W>, betas: boolean): boolean {
  return options.settingChanges !== "checkpoint" && (betas || wire.inBand?.settings?.betas.length === 0);
}

/** The request with the texts that sources have in its system text, behind the host's own (rule 23). */
export function withSystemTexts<W extends object>(
  session: SessionState<W>,
  settings: SessionState["settings"],
  open: OpenRequest,
): OpenRequest {
  const { systemPart } = session.wire;
  if (systemPart === undefined) return open;
  const parts = (session.options.sources ?? []).flatMap((source) => {
    const text = source.systemText?.(settings.get(source.id));
    return text === undefined ? [] : [systemPart(text)];
  });
  if (parts.length === 0) return open;
  const head = Object.freeze({ ...open.head, system: Object.freeze([...open.head.system, ...parts]) });
  return { ...open, head, lead: open.lead + (leadsMessages(head) ? parts.length : 0) };
}
