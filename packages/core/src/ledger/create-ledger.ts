import { TidemarkError } from "../json/error.ts";
import type { ObjectValue } from "../json/value.ts";
import { estimateNative } from "../wire/request-tokens.ts";
import { estimateText } from "../wire/tokens.ts";
import { countingFor } from "../wire/value-tokens.ts";
import type { Wire } from "../wire/wire.ts";
import type { AdmissionPolicy } from "./admission.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { preparedEvent } from "./commit.ts";
import { HostHistory } from "./host-history.ts";
import { reconcile } from "./reconcile.ts";
import { loadLedger, storeLedger } from "./snapshot.ts";
import { emptyState, foldEvent, type LedgerEvent, type LedgerState } from "./state.ts";
import type { LedgerSnapshot } from "./stored-form.ts";
import { StoredParts } from "./stored-parts.ts";
import { judge } from "./verdict.ts";
import { defaultWordings } from "./wordings.ts";

/** The ledger alone, without sources, budget, cache marks or gate. Unstable until 1.0. */
export interface Ledger<W extends object = object> {
  /** Aligns a request with what was committed and admits what is new. Changes nothing. */
  reconcile<R extends W>(request: R): LedgerDraft<R>;
  /** What happened so far; the ledger is the fold over it. */
  readonly events: readonly LedgerEvent[];
  snapshot(): LedgerSnapshot;
  /** The messages of the last committed window, folded anew from the events alone. */
  replay(): readonly ObjectValue[];
}

export type LedgerDraft<R extends object> = {
  /** The window as a native request. */
  readonly request: R;
  readonly checkpoints: readonly Checkpoint[];
  /** Publishes the draft. @throws {TidemarkError} `stale-draft` when another draft was committed in between. */
  commit(): void;
  /** Names the reply to the committed window, as messages of the history (rule 6). */
  settle(...reply: readonly ObjectValue[]): void;
};

export function createLedger<W extends object>(options: { readonly wire: Wire<W>; readonly snapshot?: LedgerSnapshot }): Ledger<W> {
  const wire = options.wire as unknown as Wire;
  const events: LedgerEvent[] = [];
  let state: LedgerState = options.snapshot === undefined ? emptyState : loadLedger(options.snapshot);
  const start = state;
  const parts = new StoredParts(options.snapshot);
  const publish = (event: LedgerEvent): void => {
    state = foldEvent(state, event);
    events.push(event);
  };
  return {
    events,
    reconcile: (request) => draftOf(options.wire, request, () => state, publish),
    snapshot: () => storeLedger(wire, state, parts),
    replay: () =>
      (events.reduce((folded, event) => foldEvent(folded, event), start).turns.at(-1)?.entries ?? []).flatMap((entry) =>
        entry.sent === null ? [] : [entry.sent],
      ),
  };
}

function draftOf<W extends object, R extends W>(
  wire: Wire<W>,
  request: R,
  stateNow: () => LedgerState,
  publish: (event: LedgerEvent) => void,
): LedgerDraft<R> {
  const plain = wire as unknown as Wire;
  const state = stateNow();
  const open = wire.open(request);
  const draft = reconcile(state, {
    wire: plain,
    open,
    history: new HostHistory(plain, open.messages, open.lead, []),
    policy: plainPolicy,
    endpoint: undefined,
    lends: false,
    systemChanges: "checkpoint",
    saysSettings: false,
    trims: "obey",
    ownedMessages: 0,
  });
  const verdict = judge(plain, state, draft, (value) => estimateNative(plain, value, countingFor(draft.target.profile)));
  return {
    request: wire.close(request, draft.head, draft.prefill === undefined ? verdict.messages : [...verdict.messages, draft.prefill]),
    checkpoints: verdict.checkpoints,
    commit: () => {
      if (stateNow() !== state)
        throw new TidemarkError("stale-draft", "Another draft was committed since this one was made. Reconcile the request again.");
      publish(preparedEvent(draft, verdict));
    },
    settle: (...reply) => publish({ type: "settled", turn: draft.turn, settlement: { reply, dropped: [], usage: unreported } }),
  };
}

const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

const plainPolicy: AdmissionPolicy = {
  wordings: defaultWordings,
  resultCap: () => Number.POSITIVE_INFINITY,
  countText: estimateText,
  archived: undefined,
  redact: undefined,
  allowMedia: undefined,
  reasoning: "replay",
  deferred: () => false,
  callReason: () => "unknown",
  lines: undefined,
};
