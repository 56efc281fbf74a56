import type { Behaviour } from "../behaviour.ts";
import { accidents } from "./accidents.ts";
import { attempts } from "./attempts.ts";
import { edits } from "./edits.ts";
import { heads } from "./heads.ts";
import { pairs } from "./pairs.ts";
import { races } from "./races.ts";
import { restarts } from "./restarts.ts";
import { stores } from "./stores.ts";

/** All that the soak's hosts do, by the number in the list of host behaviours. */
export const behaviours: readonly Behaviour[] = [
  ...attempts,
  ...edits,
  ...races,
  ...restarts,
  ...heads,
  ...stores,
  ...accidents,
  ...pairs,
].toSorted((a, b) => (a.number ?? 99) - (b.number ?? 99));

export const behaviourByName: ReadonlyMap<string, Behaviour> = new Map(behaviours.map((behaviour) => [behaviour.name, behaviour]));
