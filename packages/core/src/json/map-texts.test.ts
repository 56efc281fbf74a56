import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapTexts, wellFormedTexts } from "./map-texts.ts";
import { copyValue, type ObjectValue } from "./value.ts";

describe("texts of a value", () => {
  test("a value without lone surrogates comes back as it is", () => {
    const value = copyValue({ name: "read", enum: ["a", "😀", null], inner: { bytes: new Uint8Array([1]) } });
    expect(wellFormedTexts(value)).toBe(value);
  });

  test("rule 9: lone surrogates are replaced at any depth, also in names, and what holds none is shared", () => {
    const value = copyValue({ first: 1, kept: { text: "whole" }, "cut \ud83d": ["\ude00", "b"] }) as ObjectValue;
    const mended = wellFormedTexts(value);
    expect(mended).toStrictEqual({ first: 1, kept: { text: "whole" }, "cut \ufffd": ["\ufffd", "b"] });
    expect(mended["kept"]).toBe(value["kept"]);
    expect(Object.isFrozen(mended)).toBe(true);
  });

  test("a member called __proto__ stays a member", () => {
    const value = copyValue(JSON.parse('{"__proto__":{"a":"b"},"c":"d"}'));
    expect(JSON.stringify(mapTexts(value, (text) => text.toUpperCase()))).toBe('{"__proto__":{"a":"B"},"c":"D"}');
  });

  test("mending is what JSON says of the mended text, whatever the value", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\ud83d", "\ude00", "😀"), maxLength: 4 });
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.array(text), (json, texts) => {
        const value = copyValue([json, texts]);
        expect(JSON.stringify(wellFormedTexts(value))).not.toMatch(/\\ud[89a-f]/i);
        expect(wellFormedTexts(wellFormedTexts(value))).toStrictEqual(wellFormedTexts(value));
      }),
    );
  });
});
