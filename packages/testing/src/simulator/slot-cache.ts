import { type Clock, minuteMs } from "./clock.ts";
import { unitsPerToken } from "./tokens.ts";

/** A local server keeps the tokens of its last prompts, a slot each; the longest common prefix with one of them is not evaluated again. */
export interface SlotCache {
  /** Tokens that are read, and what to call with the reply's text when it begins. `key`: model and what it was loaded with; another key empties all slots. */
  read(key: string, prompt: string): { readonly tokens: number; begin(reply: string): void };
}

type Slot = { text: string; used: number };

export function slotCache(
  clock: Clock,
  { slots, lifetimeMs = 5 * minuteMs }: { readonly slots: number; readonly lifetimeMs?: number },
): SlotCache {
  let loaded: string | undefined;
  let usedAt = Number.NEGATIVE_INFINITY;
  let uses = 0;
  let kept: Slot[] = [];

  return {
    read: (key, prompt) => {
      const there = key === loaded && clock.now() - usedAt <= lifetimeMs ? kept : [];
      const [best, common] = bestOf(there, prompt);
      // The last token is always evaluated: something must be there to go on from.
      const tokens = Math.min(Math.floor(common / unitsPerToken), Math.max(Math.ceil(prompt.length / unitsPerToken) - 1, 0));
      return {
        tokens,
        begin: (reply) => {
          if (key !== loaded || there.length === 0) kept = [];
          loaded = key;
          usedAt = clock.now();
          uses += 1;
          const slot = slotFor(best, common, prompt);
          slot.text = prompt + reply;
          slot.used = uses;
        },
      };
    },
  };

  /** The slot with the longest prefix where that is worth something, else an empty one, else the one that was used longest ago. */
  function slotFor(best: Slot | undefined, common: number, prompt: string): Slot {
    if (best !== undefined && kept.includes(best) && common > prompt.length / 10) return best;
    if (kept.length < slots) {
      const empty: Slot = { text: "", used: 0 };
      kept.push(empty);
      return empty;
    }
    return kept.reduce((oldest, slot) => (slot.used < oldest.used ? slot : oldest));
  }
}

function bestOf(kept: readonly Slot[], prompt: string): readonly [Slot | undefined, number] {
  let best: Slot | undefined;
  let longest = 0;
  for (const slot of kept) {
    const common = commonUnits(slot.text, prompt);
    if (common > longest) [best, longest] = [slot, common];
  }
  return [best, longest];
}

function commonUnits(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
