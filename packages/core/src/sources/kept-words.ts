import { isArray, isObject, type Value } from "../json/value.ts";
import type { KeptMessage, KeptWords } from "../ledger/entry.ts";
import { fill, type Wordings } from "../ledger/wordings.ts";
import { standing } from "./heard.ts";
import type { Asked, Source, Utterance } from "./source.ts";

/**
 * Words of the host that a provider's compaction took and that must stay: said as an event, again each time a landing takes that, and taken back once they are no longer pinned (rule 42).
 * `pinned`: whether a message that is gone still is. `shown`: what messages of the window say, since a provider may keep the user's beside its block.
 */
export function keptWords(words: KeptWords, pinned: (message: KeptMessage) => boolean, shown: ReadonlySet<string>): Source<never> {
  const holds = (group: readonly KeptMessage[]): boolean => group.some(pinned) && !group.every(({ text }) => shown.has(text));
  const { question } = words;
  const kept = { pinned: words.pinned.filter(holds), ...(question === undefined || shown.has(question) ? {} : { question }) };
  return { id: "kept-words", kind: "announcement", channel: "user", speak: (asked) => speak(kept, asked) };
}

function speak({ pinned: groups, question }: KeptWords, { heard, wordings }: Asked): Utterance | undefined {
  const pinned = groups.map((group) => keptText(group, wordings));
  const known = standing(heard).length > 0 ? knownIn(heard.said.at(-1)?.value) : nothing;
  const gone = known.pinned.filter((text) => !pinned.includes(text));
  const added = [
    ...pinned.filter((text) => !known.pinned.includes(text)),
    ...(question === undefined || question === known.question ? [] : [question]),
  ];
  if (gone.length + added.length === 0) return undefined;
  const says = (wording: string, texts: readonly string[]): readonly string[] =>
    texts.length === 0 ? [] : [fill(wording, { text: texts.join("\n") })];
  return {
    text: [...says(wordings.noLongerHolds, gone), ...says(wordings.stillHolds, added)].join("\n\n"),
    value: { pinned, question: question ?? null },
    ...(known === nothing ? {} : { change: true }),
  };
}

/** A kept group as it is said: what is no message of the user alone says so. */
export function keptText(group: readonly KeptMessage[], { keptBatch }: Wordings): string {
  const text = group.map((message) => message.text).join("\n");
  return group.length === 1 && group[0]?.role === "user" ? text : fill(keptBatch, { text });
}

type Known = { readonly pinned: readonly string[]; readonly question: Value };
const nothing: Known = { pinned: [], question: null };

function knownIn(value: Value | undefined): Known {
  if (!isObject(value)) return nothing;
  const pinned = isArray(value.pinned) ? value.pinned.filter((text) => typeof text === "string") : [];
  return { pinned, question: value.question ?? null };
}
