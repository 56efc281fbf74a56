import { preparedEvent } from "../ledger/commit.ts";
import { openTurn } from "../ledger/state.ts";
import { StoredParts } from "../ledger/stored-parts.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import { recordSent } from "./accounts.ts";
import { InvariantError } from "./errors.ts";
import type { Prepared } from "./prepare.ts";
import { renderedText, unexplained } from "./self-check.ts";
import type { SentTurn } from "./sent-turn.ts";
import { publish, type SessionState } from "./session-state.ts";

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

function sentTurn<W extends object, R extends W>(
  session: SessionState<W>,
  { draft, verdict, rendered, measured, sentAt }: Prepared<R>,
): SentTurn {
  return {
    turn: draft.turn,
    sentAt,
    model: draft.head.model,
    checkpoints: verdict.checkpoints,
    measured,
    asked: session.wire.asksForCache(rendered.request),
  };
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
