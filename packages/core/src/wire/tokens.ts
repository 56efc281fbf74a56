import { astralTokens, scriptOf, scriptTokens } from "./script-tokens.ts";
import { type WordPrefix, wordTokens } from "./word-tokens.ts";

/**
 * An estimate of a text's tokens by class of text: no dictionary, one pass, linear whatever the text is. It cuts the text into the
 * pieces that byte-pair tokenizers cut it into before they look anything up, and knows what such a piece costs on average. Calibrated to
 * o200k with a little on top; other tokenizers are a factor of it, which reported usage shows.
 */
export function estimateText(text: string): number {
  return Math.ceil(textTokens(text));
}

/** The same, not rounded up: for sums of many short texts. */
export function textTokens(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const piece = nextPiece(text, at);
    tokens += piece.tokens;
    at = piece.to;
  }
  return tokens * margin;
}

/** On top of the fit, so that a text is taken for a little more rather than for less. */
const margin = 1.05;

type Piece = { readonly to: number; readonly tokens: number };

function nextPiece(text: string, at: number): Piece {
  switch (kindOf(text.charCodeAt(at))) {
    case "letter":
      return word(text, at, "none");
    case "digit":
      return digits(text, at);
    case "space":
      return space(text, at);
    case "mark":
      return marks(text, at);
    default:
      return script(text, at);
  }
}

type Kind = "letter" | "digit" | "space" | "mark" | "script";

const asciiKinds: readonly Kind[] = Array.from({ length: 128 }, (_, code) => asciiKind(String.fromCharCode(code)));

function asciiKind(char: string): Kind {
  if (/[A-Za-z]/.test(char)) return "letter";
  if (/[0-9]/.test(char)) return "digit";
  return /\s/.test(char) ? "space" : "mark";
}

function kindOf(code: number): Kind {
  if (code < 128) return asciiKinds[code] ?? "mark";
  return isLatin(code) ? "letter" : "script";
}

function isLatin(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xba;
  return (code < 0x250 && code !== 0xd7 && code !== 0xf7) || (code >= 0x1e00 && code < 0x1f00);
}

function isLetter(code: number): boolean {
  return kindOf(code) === "letter";
}

function isUpper(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde);
}

/** Capitals, then small letters: `readFile` is two pieces, `JSON` one. */
function word(text: string, from: number, prefix: WordPrefix): Piece {
  let to = from;
  while (to < text.length && isUpper(text.charCodeAt(to))) to += 1;
  while (to < text.length && isLetter(text.charCodeAt(to)) && !isUpper(text.charCodeAt(to))) to += 1;
  return { to, tokens: wordTokens(text, from, to, prefix) };
}

/** Three digits a token. */
function digits(text: string, from: number): Piece {
  let to = from + 1;
  while (to < text.length && kindOf(text.charCodeAt(to)) === "digit") to += 1;
  return { to, tokens: Math.ceil((to - from) / 3) };
}

const spacesAToken = 80;
const breaksAToken = 16;
const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;

/** A change between blanks and tabs inside a run: a pair of them is one token. */
const changeOfBlank = 0.45;

/** White space up to the last line break is one piece; of the blanks behind it the last one becomes part of what follows, if it can. */
function space(text: string, from: number): Piece {
  let to = from;
  let behindBreak = from;
  let tokens = 0;
  while (to < text.length && kindOf(text.charCodeAt(to)) === "space") {
    if (isBreak(text.charCodeAt(to))) {
      if (to === behindBreak && to > from) tokens += 1 / breaksAToken;
      else tokens += (behindBreak > from ? 1 : 0) + blankTokens(text, behindBreak, to + 1);
      behindBreak = to + 1;
    }
    to += 1;
  }
  return joined(text, behindBreak, to, tokens);
}

function isBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

/** The blanks in `[from, to)` and what the last of them becomes a part of: a word, or the marks behind a blank. */
function joined(text: string, from: number, to: number, tokens: number): Piece {
  const next = to < text.length ? kindOf(text.charCodeAt(to)) : undefined;
  if (from === to || next === undefined) return { to, tokens: tokens + blankTokens(text, from, to) };
  const last = text.charCodeAt(to - 1);
  const before = tokens + blankTokens(text, from, to - 1);
  if (next === "letter") return plus(before, word(text, to, last === blank ? "space" : "mark"));
  if (next === "mark" && last === blank) return plus(before, markRun(text, to));
  return { to, tokens: next === "script" && last === blank ? before : before + 1 };
}

function plus(tokens: number, piece: Piece): Piece {
  return { to: piece.to, tokens: piece.tokens + tokens };
}

/** Blanks in a row are one token up to eighty, tabs up to sixteen. */
function blankTokens(text: string, from: number, to: number): number {
  if (from >= to) return 0;
  let changes = 0;
  for (let at = from + 1; at < to; at++) if (isChange(text.charCodeAt(at - 1), text.charCodeAt(at))) changes += 1;
  return 1 + changes * changeOfBlank + Math.floor((to - from - 1) / (text.charCodeAt(from) === blank ? spacesAToken : breaksAToken));
}

function isChange(before: number, code: number): boolean {
  return before !== code && !isBreak(code);
}

/** One mark before a word becomes part of the word. */
function marks(text: string, from: number): Piece {
  const isLone = from + 1 < text.length && isLetter(text.charCodeAt(from + 1));
  return isLone ? markedWord(text, from + 1) : markRun(text, from);
}

/** `'s` and `'t` behind a word are hardly more than a part of it. */
function markedWord(text: string, at: number): Piece {
  if (!isContraction(text, at)) return word(text, at, "mark");
  return { to: word(text, at, "none").to, tokens: 0.3 };
}

function isContraction(text: string, at: number): boolean {
  if (text[at - 1] !== "'" || at < 2 || !isLetter(text.charCodeAt(at - 2))) return false;
  return /^(?:[stmd]|ll|re|ve)(?![a-z])/.test(text.slice(at, at + 3));
}

/** Marks of which rules are drawn: a long row is few tokens. */
const ruleMarks = "=-.*#_~";
const ruleTokens = 1 / 64;
const otherRowTokens = 1 / 4;

/** Punctuation in a row, with the line break behind it: a pair is one token, a motley row about one for two marks. */
function markRun(text: string, from: number): Piece {
  let to = from + 1;
  let changes = 0;
  let row = 1;
  let tokens = 1;
  while (to < text.length && kindOf(text.charCodeAt(to)) === "mark") {
    if (text.charCodeAt(to) === text.charCodeAt(to - 1)) {
      row += 1;
      if (row > 3) tokens += ruleMarks.includes(text[to] as string) ? ruleTokens : otherRowTokens;
    } else {
      tokens += endsToken(text.charCodeAt(to - 1), row) ? 1 : changeTokens(changes);
      changes += 1;
      row = 1;
    }
    to += 1;
  }
  return { to: text.charCodeAt(to) === lineFeed ? to + 1 : to, tokens };
}

/** Control characters and rows stay by themselves. */
function endsToken(code: number, row: number): boolean {
  return code < blank || row > 2;
}

function changeTokens(changesBefore: number): number {
  if (changesBefore === 0) return 0.05;
  return changesBefore < 4 ? 0.25 : 0.5;
}

function script(text: string, from: number): Piece {
  const kind = scriptOf(text.charCodeAt(from));
  if (kind < 0) return astral(text, from);
  let to = from + 1;
  while (to < text.length && scriptOf(text.charCodeAt(to)) === kind) to += 1;
  return { to, tokens: scriptTokens(text, from, to) };
}

function astral(text: string, at: number): Piece {
  const code = text.codePointAt(at) ?? 0;
  return { to: code > 0xffff ? at + 2 : at + 1, tokens: astralTokens(code) };
}
