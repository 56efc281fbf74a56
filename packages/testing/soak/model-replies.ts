import type { Chance } from "../src/simulator/chance.ts";
import type { ReplyPart, ScriptedReply } from "../src/simulator/script.ts";
import type { Tool } from "./history.ts";
import type { Side } from "./sides/side.ts";
import type { wordMaker } from "./words.ts";

export type ReplyWish = {
  /** How many calls; absent: by chance, none or up to three. */
  readonly calls?: number;
  readonly thinks?: boolean;
};

/** What a reply is made of. */
export type Speaker = {
  readonly chance: Chance;
  readonly word: ReturnType<typeof wordMaker>;
  readonly tools: readonly Tool[];
  readonly side: Side;
  prose(): string;
};

/** What the model says next: thinking, text and calls in the orders in which models mix them. */
export function drawReply(wish: ReplyWish, speaker: Speaker): ScriptedReply {
  const { chance, word, tools, side } = speaker;
  const calls = wish.calls ?? (chance.happens(0.5) ? 1 + chance.below(3) : 0);
  const thinks = wish.thinks ?? chance.happens(0.8);
  const parts: ReplyPart[] = [];
  if (thinks) parts.push(thought(chance, side));
  if (thinks && chance.happens(0.1)) parts.push(thought(chance, side));
  // Now and then a model thinks and says nothing.
  const isSilent = thinks && calls === 0 && chance.happens(0.03);
  if (!isSilent && (calls === 0 || chance.happens(0.4))) parts.push({ text: `${word("a")} so be it${speaker.prose()}` });
  if (thinks && calls > 0 && chance.happens(0.25)) parts.push(thought(chance, side));
  for (let index = 0; index < calls; index++) {
    const said = word("c");
    // Keys stand in no sorted order, so that a store that sorts them is noticed.
    parts.push({
      call: {
        id: side.callId(Number(said.slice(2))),
        name: chance.pick(tools).name,
        input: { path: said, all: chance.happens(0.5), limit: chance.below(90) },
      },
    });
  }
  return { parts };
}

/** Hidden thinking is an empty text with a signature. */
function thought(chance: Chance, side: Side): ReplyPart {
  if (chance.happens(0.1) && side.has.has("hidden-thinking")) return { thinking: "hidden", redacted: true };
  return { thinking: chance.happens(0.2) ? "" : "let me see" };
}
