import type { ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Origin } from "../wire/origin.ts";
import type { DormantForm } from "./dormant-form.ts";
import type { Entry, KeptWords } from "./entry.ts";

/** A ledger as plain JSON: windows, digests of what was given, and what representation alone would not bring back. */
export type LedgerSnapshot = {
  readonly nextTurn: number;
  readonly nextEntry: number;
  readonly settles: boolean;
  readonly restarted: boolean;
  readonly nextLanding: number;
  readonly revoked: readonly number[];
  readonly trimsInRow: number;
  /** Key lists, each once; entries name them by position. */
  readonly keyLists: readonly (readonly string[])[];
  readonly origins: readonly Origin[];
  readonly heads: readonly Head[];
  readonly entries: readonly StoredEntry[];
  readonly turns: readonly StoredTurn[];
  /** Wires that the ledger was on before, each with its turns and the window that was left. Absent: there are none. */
  readonly parked?: readonly { readonly place: string; readonly turns: readonly StoredTurn[]; readonly window: readonly number[] }[];
};

/** An entry as a snapshot holds it. */
export type StoredEntry = Pick<Entry, "id" | "kind" | "role" | "calls" | "said" | "lostReasoning" | "empty" | "folded"> & {
  readonly unknownReasoning?: boolean;
  readonly twin?: NonNullable<Entry["twin"]>;
  readonly reasoning?: {
    readonly origin: number;
    readonly after?: number;
    readonly vouched: boolean;
    readonly proven?: boolean;
    readonly lent: boolean;
  };
  readonly landed?: { readonly landing: number; readonly source: readonly number[]; readonly signed: boolean; readonly words?: KeptWords };
  /** Of an event, or of what a landing put in place and the host hands nothing over for: its words. */
  readonly sent?: ObjectValue;
  /** Of what the host hands over. Key orders are positions in `keyLists`, -1 for sorted. */
  readonly form?: Omit<DormantForm, "sent"> & { readonly sent: StoredSent };
};

export type StoredSent =
  | { readonly kind: "none" }
  | { readonly kind: "kept"; readonly message: ObjectValue }
  | {
      readonly kind: "composed";
      readonly bare: boolean;
      readonly orders?: readonly number[];
      readonly digest?: string;
      readonly stripped: boolean;
    };

export type StoredTurn = {
  readonly number: number;
  readonly head: number;
  readonly origin: number;
  readonly entries: readonly number[];
  readonly prefill?: ObjectValue;
  readonly settled?: {
    readonly reply: readonly ObjectValue[];
    readonly dropped: readonly number[];
    readonly usage: Readonly<Record<string, unknown>>;
  };
};
