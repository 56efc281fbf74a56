import { describe, expect, test } from "vitest";
import { gemini } from "../adapters/gemini/index.ts";
import { ollama } from "../adapters/ollama/index.ts";
import { createSession } from "../session/create-session.ts";
import { coversMedium } from "./media-left-out.ts";

const png = (name: string): string => `iVBORw0KGgo${btoa(name.repeat(12))}`;
const [first, second] = [png("first"), png("second")];

/** What a user and a tool show, of which only pictures of these sizes may be sent. */
async function shown(allowed: readonly number[]) {
  const session = createSession({ wire: ollama(), allowMedia: ({ size }) => size !== undefined && allowed.includes(size) });
  const turn = await session.prepare({
    model: "llava",
    messages: [
      { role: "user", content: "look", images: [first, second] },
      { role: "assistant", content: "", tool_calls: [{ function: { name: "shot", arguments: {} } }] },
      { role: "tool", tool_name: "shot", content: "two", images: [first, second] },
    ],
  });
  const [said, , result] = turn.request.messages;
  return { said, result, withheld: turn.repairs.mediaWithheld };
}

const line = (picture: string): string => `[image of ${picture.length} bytes left out: it may not be shown here]`;
const facts = (picture: string): object => ({
  ...{ type: "image", size: picture.length, reason: "not-allowed" },
  digest: expect.stringMatching(/^[0-9a-f]{64}$/),
});

describe("pictures in a list beside the words, where the host allows only some (rule 14)", () => {
  test("all of them go out as they are where all are allowed", async () => {
    const { said, result, withheld } = await shown([first.length, second.length]);
    expect(said).toEqual({ role: "user", content: "look", images: [first, second] });
    expect(result).toMatchObject({ content: "two", images: [first, second] });
    expect(withheld).toEqual([]);
  });

  test("each that is not allowed is a line behind the words, and is reported", async () => {
    const { said, result, withheld } = await shown([first.length]);
    expect(said).toEqual({ role: "user", content: `look\n${line(second)}`, images: [first] });
    expect(result).toMatchObject({ content: `two\n${line(second)}`, images: [first] });
    expect(withheld).toEqual([facts(second), facts(second)]);
  });

  test("no list is left where none is allowed", async () => {
    const { said, result, withheld } = await shown([]);
    expect(said).toEqual({ role: "user", content: ["look", line(first), line(second)].join("\n") });
    expect(result?.content).toBe(["two", line(first), line(second)].join("\n"));
    expect(result).not.toHaveProperty("images");
    expect(withheld).toEqual([first, second, first, second].map(facts));
  });
});

test("on Gemini, whose results have words and media apart, a result keeps the media that may go, and its words end with a line for each other (rule 14)", async () => {
  const inline = (data: string): object => ({ inlineData: { mimeType: "image/png", data } });
  const shot = { name: "shot", response: { output: "two" } };
  const session = createSession({ wire: gemini(), allowMedia: ({ size }) => size === first.length });
  const turn = await session.prepare({
    model: "gemini-3.8-flash",
    contents: [
      { role: "user", parts: [{ text: "look" }] },
      { role: "model", parts: [{ functionCall: { name: "shot", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { ...shot, parts: [inline(first), inline(second)] } }] },
    ],
  });
  expect(turn.request).toMatchObject({
    contents: [
      {},
      {},
      {
        parts: [
          {
            functionResponse: { response: { output: `two\n${line(second).replace("image of", "image/png of")}` }, parts: [inline(first)] },
          },
        ],
      },
    ],
  });
});

test.each<readonly [types: readonly string[], type: string | undefined, covers: boolean]>([
  [["image/"], "image/png", true],
  [["image/png"], "image/jpeg", false],
  [["application/pdf", "image/"], "image/png", true],
  [[], "image/png", false],
  // A link says of itself no more than its kind, if that: it is tried where some media go.
  [["image/png"], "image", true],
  [["application/pdf"], "image", false],
  [["application/pdf"], undefined, true],
  [[], undefined, false],
])("a model that takes %j is sent a medium of type %s: %s (rule 14)", (types, type, covers) => {
  expect(coversMedium(types, { type })).toBe(covers);
});
