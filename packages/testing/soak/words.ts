import { blocksOf, isThinking } from "./history.ts";

/**
 * Everything that anybody says in a soak bears a word of its own, such as `#u12`, so that one can see where it went.
 * By its letter: `u` user text, `r` tool result, `a` reply text, `c` call arguments, `n` a host's system note, `s` a line of the system text.
 */
export type Word = string;

const wordForm = /#[a-z]\d+/g;

export function wordsIn(text: string): readonly Word[] {
  return text.match(wordForm) ?? [];
}

/** The words of messages in the order in which they stand; thinking is not looked at. */
export function wordsOf(messages: readonly { readonly role: string; readonly content: unknown }[]): readonly Word[] {
  return messages.flatMap((message) => {
    const visible = blocksOf(message).filter((block) => !isThinking(block));
    return wordsIn(JSON.stringify(visible));
  });
}

/** By word: how many different words of replies stand before it. What was said between two replies has one number, whatever its order. */
export function placesOf(words: readonly Word[]): ReadonlyMap<Word, number> {
  const places = new Map<Word, number>();
  const replied = new Set<Word>();
  for (const word of words) {
    if (!places.has(word)) places.set(word, replied.size);
    if (isReplyWord(word)) replied.add(word);
  }
  return places;
}

export function isReplyWord(word: Word): boolean {
  return word[1] === "a" || word[1] === "c";
}

/** Counts up words for one session. */
export function wordMaker(): (letter: "u" | "r" | "a" | "c" | "n" | "s") => Word {
  let count = 0;
  return (letter) => `#${letter}${++count}`;
}

