import { describe, expect, it } from "vitest";
import { gemini } from "./wire.ts";

const wire = gemini();
const chunk = (parts: readonly object[], more: object = {}, head: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  responseId: "r",
  ...head,
});
const put = (...chunks: readonly object[]) => {
  const accumulator = wire.accumulator();
  for (const each of chunks) accumulator.add(each);
  return accumulator.reply();
};
const partsOf = ({ reply }: { readonly reply: object }) =>
  (reply as { candidates: [{ content: { parts: object[] } }] }).candidates[0].content.parts;
const stop = { finishReason: "STOP" };

describe("a streamed reply", () => {
  it("is the reply that would have come whole", () => {
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2 };
    const made = put(
      chunk([{ text: "So", thought: true }]),
      chunk([{ text: ", then.", thought: true }]),
      chunk([{ text: "Fa" }], {}, { usageMetadata: { promptTokenCount: 5 } }),
      chunk([{ text: "r." }], stop, { usageMetadata, modelVersion: "m" }),
    );
    expect(made).toEqual({
      reply: {
        candidates: [
          { content: { role: "model", parts: [{ text: "So, then.", thought: true }, { text: "Far." }] }, index: 0, finishReason: "STOP" },
        ],
        responseId: "r",
        usageMetadata,
        modelVersion: "m",
      },
      finished: true,
    });
    expect(wire.readReply(made.reply)).toMatchObject({ finished: true, usage: { prompt: 5, output: 2 } });
  });

  it("never joins a signed part with another (facts 3.2)", () => {
    expect(
      partsOf(
        put(
          chunk([{ text: "Fa" }]),
          chunk([{ text: "r.", thoughtSignature: "a" }]),
          chunk([{ text: "So" }]),
          chunk([{ text: "", thoughtSignature: "b" }], stop),
        ),
      ),
    ).toEqual([{ text: "Fa" }, { text: "r.", thoughtSignature: "a" }, { text: "So" }, { text: "", thoughtSignature: "b" }]);
  });

  it("drops the empty text of a last chunk", () => {
    expect(partsOf(put(chunk([{ functionCall: { name: "look", args: {} } }]), chunk([{ text: "" }], stop)))).toEqual([
      { functionCall: { name: "look", args: {} } },
    ]);
  });

  it("is not finished without a finish reason, or once an error came", () => {
    expect(put(chunk([{ text: "Fa" }])).finished).toBe(false);
    expect(put(chunk([{ text: "Fa" }], stop), { error: { code: 500 } }).finished).toBe(false);
    expect(put().finished).toBe(false);
    expect(put({ promptFeedback: { blockReason: "SAFETY" } })).toMatchObject({ finished: true, reply: { promptFeedback: {} } });
  });

  it("is its first candidate", () => {
    expect(partsOf(put({ candidates: [{ index: 1, content: { parts: [{ text: "No." }] } }] }, chunk([{ text: "Yes." }], stop)))).toEqual([
      { text: "Yes." },
    ]);
  });
});

describe("arguments that come in pieces", () => {
  const begun = (name: string) => chunk([{ functionCall: { name, willContinue: true }, thoughtSignature: "c2ln" }]);
  const piece = (jsonPath: string, value: object, willContinue = true) =>
    chunk([{ functionCall: { partialArgs: [{ jsonPath, ...value }], ...(willContinue && { willContinue }) } }]);

  it("are put together along their paths, the last piece ending the call", () => {
    const made = put(
      begun("cook"),
      piece("$.steps[0]", { stringValue: "Bo", willContinue: true }),
      piece("$.steps[0]", { stringValue: "il." }),
      piece("$.steps[1].minutes", { numberValue: 3 }),
      piece("$['odd name'].hot", { boolValue: true }),
      piece("$.salt", { nullValue: "NULL_VALUE" }, false),
      chunk([{ text: "Done." }], stop),
    );
    const args = { steps: ["Boil.", { minutes: 3 }], "odd name": { hot: true }, salt: null };
    expect(partsOf(made)).toEqual([{ functionCall: { name: "cook", args }, thoughtSignature: "c2ln" }, { text: "Done." }]);
  });

  it("end where another call begins, and an empty call is their end", () => {
    const made = put(
      begun("a"),
      piece("$.x", { numberValue: 1 }),
      begun("b"),
      piece("$.x", { numberValue: 2 }),
      chunk([{ functionCall: {} }], stop),
    );
    expect(partsOf(made)).toMatchObject([{ functionCall: { name: "a", args: { x: 1 } } }, { functionCall: { name: "b", args: { x: 2 } } }]);
    expect(partsOf(made)).toHaveLength(2);
  });

  it("that lead nowhere, or into what is something else, are left out", () => {
    const made = put(
      begun("a"),
      piece("$.x", { numberValue: 1 }),
      piece("$.x.y", { numberValue: 2 }),
      piece("$[999999999]", { numberValue: 3 }),
      piece("", { numberValue: 4 }),
      piece("$.__proto__.z", { numberValue: 5 }),
    );
    const [{ functionCall }] = partsOf(made) as [{ functionCall: { args: object } }];
    expect(JSON.stringify(functionCall.args)).toBe('{"x":1,"__proto__":{"z":5}}');
    expect(({} as { z?: number }).z).toBeUndefined();
  });
});
