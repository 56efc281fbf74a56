import { byText } from "./by-text.ts";
import { blocksOf, isThinking } from "./history.ts";

/**
 * Everything that anybody says in a soak bears a word of its own, such as `#u12`, so that one can see where it went.
 * By its letter: `u` user text, `r` tool result, `a` reply text, `c` call arguments, `n` a host's system note, `s` a line of the system text, `e` what a source says.
 */
export type Word = string;

const wordForm = /#[a-z]\d+/g;

export function wordsIn(text: string): readonly Word[] {
  return text.match(wordForm) ?? [];
}

type AnyMessage = { readonly role: string; readonly content: unknown };

/** The words of messages in the order in which they stand; thinking is not looked at. */
export function wordsOf(messages: readonly AnyMessage[]): readonly Word[] {
  return messages.flatMap(wordsOfMessage);
}

const wordsOfMessage = byText((message: AnyMessage) => {
  const visible = blocksOf(message).filter((block) => !isThinking(block));
  return wordsIn(JSON.stringify(visible));
});

/** By word: how many different words of replies stand before it. What was said between two replies has one number, whatever its order. */
export function placesOf(words: readonly Word[]): ReadonlyMap<Word, number> {
  const places = new Map<Word, number>();
  let replied = 0;
  for (const word of words) {
    if (places.has(word)) continue;
    places.set(word, replied);
    if (isReplyWord(word)) replied += 1;
  }
  return places;
}

function isReplyWord(word: Word): boolean {
  return word[1] === "a" || word[1] === "c";
}

/** Whether a message is a tool loop that was folded into user text: a user says what a reply said. */
export function isFold(message: AnyMessage): boolean {
  return message.role === "user" && wordsOfMessage(message).some(isReplyWord);
}

/** What stands where a text was cut to a cap: the word before it is half a word. */
const cut = String.raw`(?!\d|\s*(?:\\n)?\[\d+ characters left out)`;
const wordRead = new RegExp(`[#~][a-z]\\d+${cut}`, "g");
const wordSummarised = new RegExp(`~[a-z]\\d+${cut}`, "g");

/** The words of a text and those of summaries in it, as a summary says them. */
export function wordsRead(text: string): readonly string[] {
  return [...new Set(text.match(wordRead) ?? [])].map((word) => `~${word.slice(1)}`);
}

/** Words that the summaries in some messages say they read. */
export function wordsSummarised(messages: readonly (AnyMessage | string)[]): readonly Word[] {
  return (JSON.stringify(messages).match(wordSummarised) ?? []).map((word) => `#${word.slice(1)}`);
}

/** What a reset or a summary begins with. */
export const recapForm: RegExp = /earlier messages of this conversation were left out|<summary>/;

const keptForm = /These words of the user, from the earlier part of this conversation, still hold:/;

/** Whether a message says again what a provider's block took, and what is to stay (rule 42). */
export function isKept(message: AnyMessage): boolean {
  return message.role === "user" && keptForm.test(JSON.stringify(message.content));
}

const eventForm = /<(?:state|announcement|skill|guardrail|retrieved|retrieval|documents?|memory|system)\b/;

/** Whether a source says something in a message. */
export function isEvent(message: AnyMessage): boolean {
  return message.role !== "assistant" && eventForm.test(JSON.stringify(message.content));
}

/** Counts up words for one session. */
export function wordMaker(): (letter: "u" | "r" | "a" | "c" | "n" | "s" | "e") => Word {
  let count = 0;
  return (letter) => `#${letter}${++count}`;
}
