type Range = readonly [from: number, to: number, run: number, unit: number];

/**
 * What is not ASCII and not Latin, by ranges of UTF-16 code units, in order. Letters are fitted to o200k on one text (about 1,000 words) in
 * each of 30 languages; where a range has several (Cyrillic, Arabic, Devanagari), the middle one or above. Signs are the mean of their range.
 */
const ranges: readonly Range[] = [
  [0x0080, 0x009f, 0, 2], // control
  [0x00a0, 0x00bf, 0, 1], // signs of Latin-1
  [0x00d7, 0x00d7, 0, 1],
  [0x00f7, 0x00f7, 0, 1],
  [0x0250, 0x036f, 0, 1.3], // phonetic letters, loose accents
  [0x0370, 0x03ff, 0.25, 0.37], // Greek
  [0x0400, 0x040f, 0, 0.3], // Cyrillic beside Russian
  [0x0410, 0x0451, 0.52, 0.21], // Cyrillic
  [0x0452, 0x052f, 0, 0.7], // Cyrillic beside Russian: it also ends the run
  [0x0530, 0x058f, 0.8, 0.18], // Armenian
  [0x0590, 0x05ff, 0.2, 0.42], // Hebrew
  [0x0600, 0x077f, 0.45, 0.26], // Arabic
  [0x0780, 0x08ff, 0.5, 1], // Thaana, N'Ko, Arabic extended
  [0x0900, 0x097f, 0.5, 0.25], // Devanagari
  [0x0980, 0x09ff, 0.47, 0.29], // Bengali
  [0x0a00, 0x0a7f, 0, 0.66], // Gurmukhi
  [0x0a80, 0x0aff, 0.12, 0.37], // Gujarati
  [0x0b00, 0x0b7f, 0.3, 1.2], // Oriya
  [0x0b80, 0x0bff, 0.25, 0.34], // Tamil
  [0x0c00, 0x0c7f, 0.1, 0.5], // Telugu
  [0x0c80, 0x0cff, 0.2, 0.41], // Kannada
  [0x0d00, 0x0d7f, 0.4, 0.32], // Malayalam
  [0x0d80, 0x0dff, 0.2, 0.61], // Sinhala
  [0x0e00, 0x0e7f, 0.3, 0.42], // Thai
  [0x0e80, 0x0eff, 1, 1.9], // Lao
  [0x0f00, 0x0fff, 0.3, 1.9], // Tibetan
  [0x1000, 0x109f, 1.2, 0.47], // Burmese
  [0x10a0, 0x10ff, 0.4, 0.26], // Georgian
  [0x1100, 0x11ff, 0, 1.5], // Korean letters
  [0x1200, 0x139f, 0, 2], // Ethiopic
  [0x13a0, 0x177f, 0, 1.9], // Cherokee, Canadian, runes
  [0x1780, 0x17ff, 0.4, 0.63], // Khmer
  [0x1800, 0x1dff, 0.3, 1.8], // Mongolian and smaller scripts
  [0x1f00, 0x1fff, 0.2, 1.3], // Greek with breathings
  [0x2000, 0x206f, 0, 1], // dashes, quotes, joiners
  [0x2070, 0x209f, 0, 2], // raised and lowered
  [0x20a0, 0x20ff, 0, 1.3], // currencies
  [0x2100, 0x218f, 0, 2], // letter-like, fractions
  [0x2190, 0x21ff, 0, 1.2], // arrows
  [0x2200, 0x24ff, 0, 1.9], // mathematics, technical, circled
  [0x2500, 0x259f, 0, 1.5], // frames and blocks
  [0x25a0, 0x27bf, 0, 1.7], // shapes, pictures
  [0x27c0, 0x27ff, 0, 2],
  [0x2800, 0x28ff, 0, 3], // Braille
  [0x2900, 0x2fff, 0, 2.2],
  [0x3000, 0x303f, 0, 1], // punctuation of East Asia
  [0x3040, 0x30ff, 0.1, 0.75], // Hiragana, Katakana
  [0x3100, 0x31ff, 0, 1.5], // Bopomofo
  [0x3400, 0x4dbf, 0, 2.5], // rare Han
  [0x4e00, 0x9fff, 0.1, 0.81], // Han
  [0xa000, 0xabff, 0.3, 1.9], // Yi and smaller scripts
  [0xac00, 0xd7ff, 0.1, 0.7], // Hangul
  [0xf900, 0xfaff, 0, 2], // Han, compatibility
  [0xfb50, 0xfdff, 0, 1.5], // Arabic, presentation
  [0xfe00, 0xfe0f, 0, 0.5], // which form of the sign before
  [0xfe10, 0xfeff, 0, 1.5], // Arabic, presentation
  [0xff00, 0xffff, 0, 1.2], // full-width letters and signs
];

const frames = { from: 0x2500, to: 0x259f, repeated: 0.1 } as const;

/** The range that a code unit is in, by its place in the table; -1 for ASCII, Latin and half pairs. */
export function scriptOf(code: number): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle] as Range;
    if (code < range[0]) high = middle - 1;
    else if (code > range[1]) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** Tokens of the code units in `[from, to)`, all of one range. Rows of one frame sign are few tokens. */
export function scriptTokens(text: string, from: number, to: number): number {
  const code = text.charCodeAt(from);
  const [, , run, unit] = ranges[scriptOf(code)] ?? [0, 0, 0, 1];
  if (code < frames.from || code > frames.to) return run + unit * (to - from);
  let tokens = 0;
  for (let at = from; at < to; at++) tokens += at > from && text.charCodeAt(at) === text.charCodeAt(at - 1) ? frames.repeated : unit;
  return tokens;
}

/** Tokens of a code point beyond the first plane: emoji, their letters of flags and skin tones, rare Han. */
export function astralTokens(code: number): number {
  if (code >= 0x1f600 && code <= 0x1f64f) return 1.3;
  if (code >= 0x1f3fb && code <= 0x1f3ff) return 2.5;
  return code >= 0x1f000 && code <= 0x1ffff ? 2 : 3;
}
