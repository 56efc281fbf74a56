import type { Meter } from "../budget/measure.ts";
import { type Path, pathText } from "../json/path.ts";
import { copyValue, isObject, type ObjectValue } from "../json/value.ts";
import type { AdmissionPolicy } from "../ledger/admission.ts";
import type { ReconcileInput } from "../ledger/draft.ts";
import { HostHistory, withoutMembers } from "../ledger/host-history.ts";
import type { LedgerState } from "../ledger/state.ts";
import { InvalidRequestError } from "../wire/errors.ts";
import type { OpenRequest } from "../wire/head.ts";
import { messagesPlace } from "../wire/places.ts";
import { openEnvelope } from "../wire/reply-envelope.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { accountScope } from "./identity.ts";
import { admissionPolicy } from "./options.ts";
import { mayControl } from "./render-options.ts";
import type { SessionState } from "./session-state.ts";
import { saysSettings } from "./sources.ts";

type AdmissionExtras = {
  readonly envelopes: readonly unknown[];
  /** Leading messages of the host's own request that belong to the head. */
  readonly lead: number;
  readonly archived: AdmissionPolicy["archived"];
};

/** What is reconciled: the host's history beside what the session knows of it, and how it is admitted. */
export function inputOf<W extends object, R extends W>(
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
export function ownHistory<W extends object>(session: SessionState<W>, open: OpenRequest, wire: Wire): readonly ObjectValue[] | undefined {
  if (session.options.history !== "new") return undefined;
  const added = open.messages.map((message, index) => {
    const path: Path = [...messagesPlace(wire), index + open.lead];
    const copy = copyValue(withoutMembers(message, session.options.ignore ?? []), path);
    if (!isObject(copy)) throw new InvalidRequestError(pathText(path), "a message must be an object");
    return copy;
  });
  return session.owned.concat(added);
}
