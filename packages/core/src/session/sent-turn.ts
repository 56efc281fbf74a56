import type { Checkpoint } from "../ledger/checkpoint.ts";

/** What is known of a turn when it is sent. */
export type SentTurn = {
  readonly turn: number;
  readonly sentAt: number;
  readonly model: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly tokens: () => number;
  readonly asked: boolean;
};

/** Tokens of the first messages of the last window that was counted. */
export type CountedWindow = { readonly model: string; readonly messages: number; readonly tokens: number };
