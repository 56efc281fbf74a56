import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyReader } from "./body-reader.ts";

const messages = Array.from({ length: 40 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: [index, `${index} "\u2028 🙂 ],`],
}));
const textOf = (count: number, more: object = { stream: true }): string =>
  JSON.stringify({ model: "m", system: '"messages":[', messages: messages.slice(0, count), ...more });

type Body = { readonly messages: readonly object[] };

/** What a body is written with beside its messages, and how. */
const odd = fc.constantFrom<((text: string) => string)[]>(
  (text) => text,
  (text) => text.replace("[{", "[ {"),
  (text) => text.replace(/}\]/, "} ]"),
  (text) => text.replace(/,"stream"/, ',"messages":[1,2],"stream"'),
  (text) => text.replace(/,"stream"/, ',"model":"other","stream"'),
  (text) => text.replace(/,"stream"/, ',"__proto__":{"a":1},"stream"'),
  (text) => text.replace('"messages"', '"meta":{"messages":[1]},"messages"'),
  (text) => text.replace(/\]}\]/, "]},]"),
  (text) => text.replace(/\]}\]/, "]}"),
  (text) => `${text.slice(0, -1)}`,
  (text) => text.replaceAll("🙂", "\\ud83d\\ude42"),
  (text) => text.replace("[39,", "[39.0,"),
);

describe("a body that goes on from one read before", () => {
  it("is what JSON.parse reads, whatever was read before, however it is written", () => {
    const reader = new BodyReader("messages");
    const step = fc.tuple(fc.nat(40), fc.constantFrom({ stream: true }, { max_tokens: 3, stream: false }, {}), odd, fc.nat(60));
    fc.assert(
      fc.property(step, ([count, more, write, edited]) => {
        const text = write(textOf(count, more).replace(`"${edited} `, '"edited '));
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          // No JSON.
        }
        const read = reader.read(text);
        expect(read).toEqual(expected);
        expect(JSON.stringify(read)).toBe(JSON.stringify(expected));
      }),
      { numRuns: 1_500 },
    );
  });

  it("comes with the same frozen objects, those of an edited place anew", () => {
    const reader = new BodyReader("messages");
    const first = reader.read(textOf(20)) as Body;
    const longer = reader.read(textOf(30)) as Body;
    const edited = reader.read(textOf(30).replace('"12 ', '"edited ')) as Body;
    const other = reader.read(textOf(30).replace('"model":"m"', '"model":"n"')) as Body;
    const branch = reader.read(textOf(35)) as Body;
    const shared = (body: Body, with_: Body): number => body.messages.filter((message, index) => message === with_.messages[index]).length;
    expect([shared(longer, first), shared(edited, longer), shared(other, longer), shared(branch, longer)]).toEqual([20, 12, 0, 30]);
    expect(Object.isFrozen(branch.messages[3])).toBe(true);
    expect(() => Object.assign(branch.messages[33] as object, { role: "system" })).toThrow(TypeError);
  });

  it("parses only what is new of it", () => {
    const reader = new BodyReader("messages");
    reader.read(textOf(30));
    const parsed: number[] = [];
    const { parse } = JSON;
    JSON.parse = (text: string) => {
      parsed.push(text.length);
      return parse(text);
    };
    try {
      reader.read(textOf(32));
    } finally {
      JSON.parse = parse;
    }
    expect(parsed).toHaveLength(1);
    expect(parsed[0]).toBeLessThan(200);
  });

  it("that Tidemark cannot hold is refused with the place", () => {
    const reader = new BodyReader("messages");
    reader.read(textOf(20));
    expect(() => reader.read(textOf(20).replace("}],", '},{"role":"user","content":1e999}],'))).toThrow("$.messages[20].content");
  });
});

it("leaves short lists, bodies without one and what is no object to JSON.parse", () => {
  const reader = new BodyReader("messages");
  for (const text of [textOf(3), "{}", "[1]", "7", '{"messages":7}']) expect(reader.read(text)).toEqual(JSON.parse(text));
  expect(reader.read("{")).toBeUndefined();
});
