import {
  anchored,
  background,
  chain,
  elide,
  type OverflowStrategy,
  onDemandCompaction,
  reset,
  type Summarizer,
  server,
  summarize,
} from "@tidemark/core";
import { type Chance, chanceOf } from "../../src/simulator/chance.ts";
import type { Side } from "./sides.ts";
import { type Send, type Squeeze, SqueezedHost } from "./squeezed-host.ts";

/** A summariser that mostly works, and fails in every way now and then. */
function moody(chance: Chance): Summarizer {
  let count = 0;
  return async ({ transcript }) => {
    count += 1;
    const mood = chance.next();
    if (mood < 0.05) throw new Error("overloaded");
    const text = mood < 0.1 ? " " : mood < 0.13 ? transcript.repeat(2) : `## Done\nSUMMARY ${count} of ${transcript.length} characters.`;
    return { text, complete: mood < 0.13 || mood >= 0.16, refused: mood >= 0.16 && mood < 0.19 };
  };
}

/** How a strategy is made for a host of a side. */
type Make = (summarizer: Summarizer, send: Send, side: Side) => OverflowStrategy;

/** Anthropic takes no lower threshold than 50,000 tokens: there, and where there is none, the step behind it acts. */
const thresholdOf = ({ wire }: Side): number => (wire.name === "anthropic" ? 50_000 : 1_400);

export const strategies: Readonly<Record<string, Make>> = {
  elide: () => elide(),
  "elide, then reset": () => chain(elide(), reset()),
  "summarize, then reset": (summarizer) => chain(summarize({ summarizer }), reset()),
  "background, then reset": (summarizer) => chain(background(summarize({ summarizer })), reset()),
  "onDemandCompaction, then reset": (_summarizer, send) => chain(onDemandCompaction({ send }), reset()),
  "background onDemandCompaction, summarize, reset": (summarizer, send) =>
    chain(background(onDemandCompaction({ send })), summarize({ summarizer }), reset()),
  "anchored, then reset": (summarizer) => chain(anchored({ summarizer }), reset()),
  "background anchored, elide, reset": (summarizer) => chain(background(anchored({ summarizer })), elide(), reset()),
  "server, then reset": (_summarizer, _send, side) => chain(server({ tokens: thresholdOf(side) }), reset()),
  "elide, summarize, reset": (summarizer) => chain(elide(), summarize({ summarizer }), reset()),
};

/** A host by seed, with the habits that the seed gives it. */
export function hostBySeed(
  side: Side,
  name: string,
  seed: number,
  log?: (line: string) => void,
): { readonly host: SqueezedHost; readonly squeeze: Squeeze } {
  const named = `${name} ${seed}`;
  const chance = chanceOf(named);
  const squeeze: Squeeze = {
    habit: chance.pick(["full", "full", "stores", "tail"]),
    restarts: chance.happens(0.4),
    edits: chance.happens(0.4),
    interrupts: chance.happens(0.4),
    declines: seed % 2 === 1,
  };
  const strategy = (send: Send): OverflowStrategy => (strategies[name] as Make)(moody(chanceOf(`${named} mood`)), send, side);
  return { host: new SqueezedHost(side, chance, named, strategy, squeeze, log), squeeze };
}
