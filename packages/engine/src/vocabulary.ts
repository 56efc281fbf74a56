/** Tokens of a byte-level BPE: every byte, then what was merged most often in a sample, then the marks of a chat template. */
export type Vocabulary = {
  readonly tokens: readonly string[];
  /** Pairs that become one token, earliest first, as the file wants them: `a b`. */
  readonly merges: readonly string[];
  /** Tokens that are no text. */
  readonly marks: readonly string[];
};

export const marks = { start: "<|im_start|>", end: "<|im_end|>", none: "<|none|>" } as const;

export function learnVocabulary(sample: string, mergeCount: number): Vocabulary {
  const characters = byteCharacters();
  const merges = learnMerges(sample, mergeCount, characters);
  const named = Object.values(marks);
  return { tokens: [...characters, ...merges.map((merge) => merge.replace(" ", "")), ...named], merges, marks: named };
}

/** A printable character for each byte: the map of GPT-2's encoder, which llama.cpp reads its vocabulary by. */
function byteCharacters(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}

/** What GPT-2 never merges across. */
const pieces = / ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+/gu;

type Word = { symbols: readonly string[]; readonly count: number };

function learnMerges(sample: string, mergeCount: number, characters: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const [piece] of sample.matchAll(pieces)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const encoder = new TextEncoder();
  const words = [...counts].map(
    ([piece, count]): Word => ({ symbols: [...encoder.encode(piece)].map((byte) => characters[byte] as string), count }),
  );
  const merges: string[] = [];
  while (merges.length < mergeCount) {
    const pair = commonestPair(words);
    if (pair === undefined) break;
    merges.push(pair);
    for (const word of words) word.symbols = merged(word.symbols, pair);
  }
  return merges;
}

function commonestPair(words: readonly Word[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { symbols, count } of words) {
    for (let at = 1; at < symbols.length; at++) {
      const pair = `${symbols[at - 1]} ${symbols[at]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  let best: string | undefined;
  for (const [pair, count] of counts) {
    const most = best === undefined ? 1 : (counts.get(best) as number);
    if (count > most || (count === most && best !== undefined && pair < best)) best = pair;
  }
  return best;
}

function merged(symbols: readonly string[], pair: string): readonly string[] {
  if (symbols.length < 2) return symbols;
  const out: string[] = [];
  for (const symbol of symbols) {
    const last = out.at(-1);
    if (last !== undefined && `${last} ${symbol}` === pair) out[out.length - 1] = last + symbol;
    else out.push(symbol);
  }
  return out;
}
