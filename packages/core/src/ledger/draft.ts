import type { ObjectValue } from "../json/value.ts";
import type { Head, OpenRequest } from "../wire/head.ts";
import type { Wire } from "../wire/wire.ts";
import type { AdmissionCounts, AdmissionPolicy } from "./admission.ts";
import type { Entry, Said, UnitMark } from "./entry.ts";
import type { Target } from "./forms.ts";
import type { HistoryHint } from "./history-hint.ts";
import type { HostHistory } from "./host-history.ts";
import type { LateWords } from "./late-words.ts";
import type { LedgerTurn } from "./state.ts";

/** What a request is reconciled with: the wire, the host's own objects taken apart, and the decisions of the session. */
export type ReconcileInput = {
  readonly wire: Wire;
  readonly open: OpenRequest;
  readonly history: HostHistory;
  readonly policy: AdmissionPolicy;
  readonly endpoint: string | undefined;
  /** Reasoning of which it is not known whether it is valid may go out once under `drop_block`. */
  readonly lends: boolean;
  /** Whether a changed system text is appended where the model takes it, or replaces the head. */
  readonly systemChanges: "checkpoint" | "append";
  /** Changed settings may be said in the conversation, where wire and model have a form for it. */
  readonly saysSettings: boolean;
  /** Whether a history that lost its start is obeyed, or the window keeps what the host dropped. */
  readonly trims: "obey" | "ignore";
  /** Messages of the history that the host handed over earlier: the session owns them, their cache marks are no longer the host's. */
  readonly ownedMessages: number;
};

/** A window in the making. Each step returns the next; nothing is published until it is committed. */
export type Draft = {
  readonly turn: number;
  readonly base: LedgerTurn | undefined;
  /** The history goes on with a reply to the base's whole window. */
  readonly answered: boolean;
  /** The history repeats all of the base's window that was answered, in its given or sent forms. */
  readonly baseRepeated: boolean;
  /** The reply to the last window stands in the history, although what it answered does not stand there as it was sent. */
  readonly replyMet: boolean;
  /** Entries of a restored window that the history brought back to the byte, by id. */
  readonly woken: ReadonlyMap<number, Entry>;
  readonly head: Head;
  readonly entries: readonly Entry[];
  readonly prefill: ObjectValue | undefined;
  readonly target: Target;
  /** The system text that the host wants to have said, where the head keeps the frozen one. */
  readonly systemWanted: string | undefined;
  /** Results that stand in the history where their calls do, and came too late to be sent there: an event says them (rule 12). */
  readonly late: readonly LateWords[];
  /** Settings that the host wants to have in force, where they can be said in the conversation. */
  readonly settingsWanted: ObjectValue | undefined;
  /** What sources say in this request. */
  readonly said: readonly Said[];
  readonly repaired: number;
  readonly held: number;
  /** Edits under folded loops and recaps (rule 7). */
  readonly underRecap: number;
  readonly counts: AdmissionCounts;
  /** Cache marks of the host for this request, by entry id, where they are not the entry's own. */
  readonly marks: ReadonlyMap<number, readonly UnitMark[]>;
  /** Only marks of entries from this id on are this request's. */
  readonly marksFrom: number;
  readonly lent: boolean;
  readonly folded: boolean;
  /** A landing is stale or revoked: what it replaced shows again. */
  readonly sourceShown: boolean;
  readonly hint: HistoryHint | undefined;
  /** How many leading messages of the request are its head, as it is sent: not all that the host hands over need be in it. */
  readonly lead: number;
  readonly nextId: number;
};
