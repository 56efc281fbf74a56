import fc from "fast-check";
import type { Message, Reply, Speaker, SpokenCall } from "./speakers.ts";

/** One exchange: what stands before a reply (a user's words, or results), and the reply. */
export type Exchange = { readonly before: readonly Message[]; readonly reply: Message };

type Round = {
  readonly thinking: string | undefined;
  readonly text: string | undefined;
  readonly calls: readonly { readonly input: object }[];
};
type Turn = { readonly said: string; readonly rounds: readonly Round[]; readonly last: string };

const words = fc.oneof(
  fc.constantFrom("list the files", "a.ts\nb.ts\n", "  indented", "ends in space ", "é 漢字 👩‍👩‍👦", "{}", '"quoted"', "0"),
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ""),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const input = fc
  .dictionary(fc.constantFrom("path", "limit", "all", "from-line", "9", "list"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((drawn) => JSON.parse(JSON.stringify(drawn)) as object);
const round: fc.Arbitrary<Round> = fc.record({
  thinking: maybe(words),
  text: maybe(words),
  calls: fc.array(fc.record({ input }), { minLength: 1, maxLength: 3 }),
});
const turn: fc.Arbitrary<Turn> = fc.record({ said: words, rounds: fc.array(round, { maxLength: 3 }), last: words });

/** An append-only conversation of a host with parallel tools, as one wire writes it. */
export function conversation(speaker: Speaker): fc.Arbitrary<readonly Exchange[]> {
  return fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => exchanges(speaker, turns));
}

function exchanges(speaker: Speaker, turns: readonly Turn[]): readonly Exchange[] {
  const made: Exchange[] = [];
  let callCount = 0;
  for (const { said, rounds, last } of turns) {
    let before: readonly Message[] = [speaker.user(said)];
    for (const { thinking, text, calls } of rounds) {
      const spoken = calls.map(({ input }): SpokenCall => ({ id: `c${++callCount}`, input }));
      made.push({ before, reply: speaker.reply(parts(thinking && `${thinking} ${callCount}`, text, spoken)) });
      before = speaker.results(...spoken.map(({ id }) => [id, `${said} of ${id}`] as const));
    }
    made.push({ before, reply: speaker.reply(parts(undefined, last, [])) });
  }
  return made;
}

function parts(thinking: string | undefined, text: string | undefined, calls: readonly SpokenCall[]): Reply {
  return { ...(thinking === undefined ? {} : { thinking }), ...(text === undefined ? {} : { text }), calls };
}
