import fc from "fast-check";
import { expect, it } from "vitest";
import { freezeValue, type ObjectValue, type Value } from "../json/value.ts";
import { BodyText } from "./body-text.ts";

const messages: readonly Value[] = Array.from({ length: 60 }, (_, index) =>
  freezeValue({ role: "user", content: [`"${index}" \u2028 🙂`] }),
);

it("writes what JSON.stringify writes, whatever of a list was written before", () => {
  const body = new BodyText();
  const list = fc.tuple(fc.nat(1), fc.nat(59), fc.array(fc.nat(59), { maxLength: 3 }));
  fc.assert(
    fc.property(list, fc.boolean(), fc.jsonValue(), ([first, length, others], fixed, more) => {
      const items = [...messages.slice(first, length), ...others.map((index) => messages[index] as Value)];
      const request = { model: "m", 'a"b': more as Value, gone: undefined, messages: fixed ? items : structuredClone(items), stream: true };
      expect(body.of(request as unknown as ObjectValue)).toBe(JSON.stringify(request));
    }),
    { numRuns: 500 },
  );
});

it("sees that an item is another object in the middle of a list", () => {
  const body = new BodyText();
  const edited = [...messages.slice(0, 20), freezeValue({ role: "user", content: ["edited"] }), ...messages.slice(21)];
  for (const list of [messages, edited, messages.slice(0, 12), messages]) expect(body.of({ list })).toBe(JSON.stringify({ list }));
});
