import type { Host } from "./host.ts";

/** One thing that hosts do, as it was found in the wild. */
export type Behaviour = {
  readonly name: string;
  /** Number in the list of host behaviours; undefined: from the rules on pairs. */
  readonly number: number | undefined;
  /** Possible where the session owns the history and the host hands over new messages only. */
  readonly whenOwned?: boolean;
  /** Of other hosts only. */
  readonly onlyIf?: (traits: Host["traits"]) => boolean;
  /** False: it could not happen here. */
  run(host: Host): Promise<boolean | undefined>;
};
