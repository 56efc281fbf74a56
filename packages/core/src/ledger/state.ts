import type { ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Origin } from "../wire/origin.ts";
import type { Usage } from "../wire/usage.ts";
import type { Wire } from "../wire/wire.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Entry } from "./entry.ts";
import { extended } from "./window-facts.ts";

/** A prepared window and, once it is known, the reply that settles it. */
export type LedgerTurn = {
  readonly number: number;
  readonly head: Head;
  readonly entries: readonly Entry[];
  readonly prefill: ObjectValue | undefined;
  readonly origin: Origin;
  readonly settled: Settlement | undefined;
  /** Prepared in this process, so that the reply right behind it is taken on trust when the host never settles (rule 6). */
  readonly trusted: boolean;
};

type Settlement = {
  /** The reply as messages of the history; empty: it has none. */
  readonly reply: readonly ObjectValue[];
  /** Ids of the entries whose reasoning the provider dropped. */
  readonly dropped: readonly number[];
  readonly usage: Usage;
};

/** What a ledger keeps of a wire that it left: its forms go out again when it comes back (rule 15). */
type Parked = {
  /** The wire's name, and its dialect's where it has several. */
  readonly place: string;
  /** Undefined behind a restore, until the ledger comes back to it: its entries sleep. */
  readonly wire: Wire | undefined;
  readonly turns: readonly LedgerTurn[];
  /** The window that was left, with its reply. */
  readonly window: readonly Entry[];
};

/** All that a ledger knows: a fold over its events. */
export type LedgerState = {
  /** Windows whose reply may still come, oldest first; the last is the one that the next request is judged against. */
  readonly turns: readonly LedgerTurn[];
  readonly nextTurn: number;
  readonly nextEntry: number;
  /** The host settles turns: then only settled replies are vouched for. */
  readonly settles: boolean;
  /** The host asked to start over: the next request carries `ledger` at 0 (rule 8). */
  readonly restarted: boolean;
  /** Number of the next landing. */
  readonly nextLanding: number;
  /** Landings that the host revoked: what they replaced shows again wherever they stand. */
  readonly revoked: readonly number[];
  /** Requests in a row that dropped the start of the history. */
  readonly trimsInRow: number;
  /** Wires that it was on before. */
  readonly parked: readonly Parked[];
};

/** Number of the turn that stands for a window which came from another wire. It was never sent there. */
export const movedTurn = 0;

export type LedgerEvent =
  | {
      readonly type: "prepared";
      readonly turn: number;
      /** The turn whose window this one starts with, and how many of its entries. */
      readonly base: number | undefined;
      readonly kept: number;
      /** What follows. */
      readonly entries: readonly Entry[];
      readonly head: Head;
      readonly prefill: ObjectValue | undefined;
      readonly origin: Origin;
      /** The base's reply has come: its turn is done. */
      readonly answered: boolean;
      readonly checkpoints: readonly Checkpoint[];
      readonly trimmed: boolean;
    }
  | { readonly type: "settled"; readonly turn: number; readonly settlement: Settlement }
  /** The ledger goes on at another wire: `turn` holds its window in that wire's forms. */
  | {
      readonly type: "moved";
      readonly left: Omit<Parked, "turns">;
      readonly place: string;
      readonly turn: LedgerTurn;
      readonly nextEntry: number;
    }
  | { readonly type: "restarted" }
  | { readonly type: "revoked"; readonly landing: number };

export const emptyState: LedgerState = {
  turns: [],
  nextTurn: 1,
  nextEntry: 1,
  settles: false,
  restarted: false,
  nextLanding: 1,
  revoked: [],
  trimsInRow: 0,
  parked: [],
};

/** Windows that are kept while their replies may still come. */
const openTurnsMax = 6;

/** The fold. Pure: the same events give the same state and so the same bytes. `window`: the entries that a `prepared` event was made of, where they are at hand: they need not be put together again. */
export function foldEvent(state: LedgerState, event: LedgerEvent, window?: readonly Entry[]): LedgerState {
  switch (event.type) {
    case "prepared":
      return foldPrepared(state, event, window);
    case "settled":
      return {
        ...state,
        settles: true,
        turns: withSettled(state.turns, event),
        parked: state.parked.map((parked) => ({ ...parked, turns: withSettled(parked.turns, event) })),
      };
    case "moved":
      return foldMoved(state, event);
    case "restarted":
      return { ...state, restarted: true };
    case "revoked":
      return { ...state, revoked: [...state.revoked, event.landing] };
  }
}

function withSettled(
  turns: readonly LedgerTurn[],
  { turn: number, settlement }: LedgerEvent & { readonly type: "settled" },
): readonly LedgerTurn[] {
  return turns.map((turn) => (turn.number === number ? { ...turn, settled: settlement } : turn));
}

function foldMoved(state: LedgerState, { left, place, turn, nextEntry }: LedgerEvent & { readonly type: "moved" }): LedgerState {
  const back = state.parked.find((parked) => parked.place === place);
  const turns = state.turns.filter(({ number }) => number !== movedTurn);
  return {
    ...state,
    nextEntry,
    turns: [...(back?.turns ?? []), turn],
    parked: [...state.parked.filter((parked) => parked !== back), { ...left, turns }],
  };
}

type PreparedEvent = LedgerEvent & { readonly type: "prepared" };

function foldPrepared(state: LedgerState, event: PreparedEvent, window: readonly Entry[] | undefined): LedgerState {
  const base = state.turns.find((turn) => turn.number === event.base);
  const entries = window ?? windowOf(base?.entries ?? [], event);
  const turn: LedgerTurn = {
    number: event.turn,
    head: event.head,
    entries,
    prefill: event.prefill,
    origin: event.origin,
    settled: undefined,
    trusted: true,
  };
  const open = state.restarted ? [] : event.answered ? state.turns.filter((other) => other !== base) : state.turns;
  return {
    turns: [...open, turn].slice(-openTurnsMax),
    nextTurn: event.turn + 1,
    nextEntry: event.entries.reduce((next, entry) => Math.max(next, entry.id + 1), state.nextEntry),
    settles: state.settles,
    restarted: false,
    nextLanding: event.entries.reduce((next, { landed }) => Math.max(next, (landed?.landing ?? 0) + 1), state.nextLanding),
    revoked: state.revoked,
    trimsInRow: event.trimmed ? state.trimsInRow + 1 : 0,
    parked: state.restarted ? [] : state.parked,
  };
}

function windowOf(before: readonly Entry[], { kept, entries }: PreparedEvent): readonly Entry[] {
  return extended(kept === before.length ? before : before.slice(0, kept), entries);
}

/** A turn that may still be settled, also of a wire that the ledger left. */
export function openTurn({ turns, parked }: LedgerState, number: number): LedgerTurn | undefined {
  if (number === movedTurn) return undefined;
  const isIt = (turn: LedgerTurn): boolean => turn.number === number;
  return turns.find(isIt) ?? parked.flatMap((left) => left.turns).find(isIt);
}

export function lastTurn(state: LedgerState): LedgerTurn | undefined {
  return state.turns.at(-1);
}

/**
 * A restored state of which a store proves that nobody prepared behind it (rule 49): its last window was made by the process before, so that the reply right behind it is that
 * window's, settled or not.
 */
export function provenLast(state: LedgerState): LedgerState {
  const last = lastTurn(state);
  if (last === undefined || last.settled !== undefined) return state;
  return { ...state, settles: false, turns: state.turns.map((turn) => (turn === last ? { ...turn, trusted: true } : turn)) };
}
