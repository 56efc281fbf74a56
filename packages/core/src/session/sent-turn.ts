import type { Measurement } from "../budget/measure.ts";
import type { Checkpoint } from "../ledger/checkpoint.ts";

/** What is known of a turn when it is sent. */
export type SentTurn = {
  readonly turn: number;
  readonly sentAt: number;
  readonly model: string;
  readonly checkpoints: readonly Checkpoint[];
  /** Undefined once its reply has come or can no longer come: a measurement holds on to its window. */
  readonly measured: (() => Measurement) | undefined;
  readonly asked: boolean;
};
