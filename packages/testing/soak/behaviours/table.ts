import type { Behaviour } from "../behaviour.ts";
import { accidents } from "./accidents.ts";
import { attempts } from "./attempts.ts";
import { edits } from "./edits.ts";
import { heads } from "./heads.ts";
import { journeys } from "./journeys.ts";
import { landings } from "./landings.ts";
import { pairs } from "./pairs.ts";
import { processes } from "./processes.ts";
import { races } from "./races.ts";
import { restarts } from "./restarts.ts";
import { stores } from "./stores.ts";
import { words } from "./words.ts";

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
  ...words,
  ...landings,
  ...processes,
  ...journeys,
].toSorted((a, b) => (a.number ?? 99) - (b.number ?? 99));

export const behaviourByName: ReadonlyMap<string, Behaviour> = new Map(behaviours.map((behaviour) => [behaviour.name, behaviour]));
