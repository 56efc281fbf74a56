import type { Measurement } from "../budget/measure.ts";
import type { Checkpoint } from "../ledger/checkpoint.ts";

/** What is known of a turn when it is sent. */
export type SentTurn = {
  readonly turn: number;
  readonly sentAt: number;
  readonly model: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly measured: () => Measurement;
  readonly asked: boolean;
};
