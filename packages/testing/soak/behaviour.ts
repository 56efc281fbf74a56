import type { CheckpointReason } from "@tidemark/core";
import type { Host } from "./host.ts";
import type { Ability } from "./sides/side.ts";
import type { Traits } from "./traits.ts";
import type { Need } from "./way-in.ts";

/** One thing that hosts do, as it was found in the wild. */
export type Behaviour = {
  readonly name: string;
  /** Number in the list of host behaviours; undefined: from the rules on pairs. */
  readonly number: number | undefined;
  /** Checkpoints that may follow, at once or later in the session. A session in which nothing allows a reason must never meet it. */
  readonly mayBreak: readonly CheckpointReason[];
  /** Played only where it is asked for by name: some of its sessions are known to fail. */
  readonly byNameOnly?: boolean;
  /** Possible where the session owns the history and the host hands over new messages only. */
  readonly whenOwned?: boolean;
  /** Of other hosts only. */
  readonly onlyIf?: (traits: Traits) => boolean;
  /** Of hosts on a wire that has it. */
  readonly wants?: Ability;
  /** Possible only through a way in that has it; absent: through any. */
  readonly needs?: Need;
  /** False: it could not happen here. */
  run(host: Host): Promise<boolean | undefined>;
};
