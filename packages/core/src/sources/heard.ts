import type { Entry, Said } from "../ledger/entry.ts";
import { factsOf } from "../ledger/window-facts.ts";

/** What a source said that the model can still read in a window. */
export type Heard = {
  /** Oldest first. Turn-scoped words are cleared by the next user message and are not among them. */
  readonly said: readonly Said[];
  /** The last of them that went by the turn's channel; what it says may be cleared by now. */
  readonly scoped: Said | undefined;
  /** The last revision, whatever was its channel; 0: none. */
  readonly revision: number;
};

const nothing: Heard = { said: [], scoped: undefined, revision: 0 };

/** What each source said, read from the events in a window: what a checkpoint took away was not said (rule 16). */
export function heardIn(entries: readonly Entry[]): (source: string) => Heard {
  const heard = new Map<string, { said: Said[]; scoped: Said | undefined; revision: number }>();
  for (const entry of factsOf(entries).speaking) {
    for (const said of entry.said) {
      const own = heard.get(said.source) ?? { said: [], scoped: undefined, revision: 0 };
      heard.set(said.source, own);
      own.revision = said.revision;
      if ((said.as ?? said.channel) === "turn") own.scoped = said;
      else own.said.push(said);
    }
  }
  return (source) => heard.get(source) ?? nothing;
}

/**
 * The row of events from the last one that stands for itself to the last, unbroken: what they say together is what the model knows. Empty: nothing was said, or a change stands without
 * what it changes. `fromHead`: a change of revision 1 stands on something that is always there.
 */
export function standing({ said }: Heard, fromHead = false): readonly Said[] {
  for (let at = said.length - 1; at >= 0; at--) {
    const { change, revision } = said[at] as Said;
    if (change !== true || (fromHead && revision === 1)) return said.slice(at);
    if (said[at - 1]?.revision !== revision - 1) return [];
  }
  return [];
}
