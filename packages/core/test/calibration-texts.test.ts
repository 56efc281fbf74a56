import { readFileSync } from "node:fs";
import { get_encoding } from "tiktoken";
import { describe, expect, test } from "vitest";
import { chatSpeaker } from "./speakers.ts";
import { Talk } from "./talk.ts";

const folder = new URL("texts/", import.meta.url);
const names = Object.keys(JSON.parse(readFileSync(new URL("counts.json", folder), "utf8")) as object);
const encoding = get_encoding("o200k_base");

type Piece = { readonly text: string; readonly tokens: number };

/** Each text in four pieces, cut at line ends where there are some. */
const pieces: ReadonlyMap<string, readonly Piece[]> = new Map(names.map((name) => [name, quarters(name)]));

function quarters(name: string): readonly Piece[] {
  const text = readFileSync(new URL(`${name}.txt`, folder), "utf8");
  const ends = [1, 2, 3].map((part) => {
    const at = Math.floor((text.length * part) / 4);
    return text.indexOf("\n", at) > 0 && text.indexOf("\n", at) < at + text.length / 8 ? text.indexOf("\n", at) + 1 : at;
  });
  return [0, ...ends].map((from, index) => {
    const piece = text.slice(from, ends[index] ?? text.length).toWellFormed();
    return { text: piece, tokens: encoding.encode_ordinary(piece).length };
  });
}

/** A provider whose tokens are o200k's or a multiple of them. It adds a few for each message, and a hidden prompt of its own. */
async function errorBehind(reported: readonly Piece[], next: Piece, scale: number): Promise<number> {
  const talk = new Talk({ toolResultCap: false }, chatSpeaker);
  let prompt = 60;
  const asked = (piece: Piece): number => Math.round(piece.tokens * scale) + 4;
  for (const piece of reported) {
    await talk.ask(piece.text);
    prompt += asked(piece);
    talk.answer({ text: "Read." }, { usage: { prompt_tokens: prompt, completion_tokens: 2 } });
    prompt += 6;
  }
  const { budget } = await talk.ask(next.text);
  return budget.tokens / (prompt + asked(next)) - 1;
}

describe("after three reports the whole request is known (rule 31)", () => {
  test.each(names)("within five percent while the kind of what is new stays the same: %s", async (name) => {
    const [first, second, third, fourth] = pieces.get(name) as readonly [Piece, Piece, Piece, Piece];
    for (const scale of [1, 1.3, 1.7])
      expect(Math.abs(await errorBehind([first, second, third], fourth, scale)), `× ${scale}`).toBeLessThan(0.05);
  });

  test.each(names)("within ten percent when the kind changes from %s to any other", async (name) => {
    const [first, second, third] = pieces.get(name) as readonly [Piece, Piece, Piece];
    for (const other of names) {
      const [next] = pieces.get(other) as readonly [Piece];
      for (const scale of [1, 1.55])
        expect(Math.abs(await errorBehind([first, second, third], next, scale)), `to ${other} × ${scale}`).toBeLessThan(0.1);
    }
  });
});
