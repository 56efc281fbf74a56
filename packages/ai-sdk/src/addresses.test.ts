import { describe, expect, test } from "vitest";
import { withAddresses } from "./addresses.ts";

const address = { type: "url", url: "https://files.example/a.png" };
const messages: readonly object[] = [
  Object.freeze({ role: "user", content: Object.freeze([{ type: "text", text: "look" }]) }),
  Object.freeze({ role: "user", content: Object.freeze([{ type: "file", data: address, mediaType: "image/png" }]) }),
  Object.freeze({
    role: "tool",
    content: Object.freeze([
      { type: "tool-result", toolCallId: "c1", output: { type: "content", value: [{ type: "file", data: address }] } },
    ]),
  }),
  Object.freeze({ role: "assistant", content: Object.freeze([{ type: "text", text: "seen" }]) }),
  { role: "system", content: "not fixed" },
];
/** All prompts of up to three of them. */
const prompts = [1, 2, 3].reduce<readonly (readonly object[])[]>(
  (known) => [[], ...known.flatMap((prompt) => messages.map((message) => [...prompt, message]))],
  [[]],
);

function addressesIn(value: unknown): readonly URL[] {
  if (value instanceof URL) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}

describe("addresses of files", () => {
  test("are URL objects for the provider, in messages and in results", () => {
    expect(addressesIn(withAddresses(messages, undefined)).map(String)).toEqual([address.url, address.url]);
  });

  test("are the same whatever was looked through for the prompts before", () => {
    const session = {};
    const plain = new Map(prompts.map((prompt) => [prompt, withAddresses(prompt, undefined)]));
    for (const before of prompts)
      for (const prompt of prompts) {
        withAddresses(before, session);
        expect(withAddresses(prompt, session)).toEqual(plain.get(prompt));
      }
  });

  test("are objects of their own in each prompt: what a provider does to one stays there", () => {
    const session = {};
    const before = new Set(addressesIn(withAddresses(messages, session)));
    expect(addressesIn(withAddresses(messages, session)).some((url) => before.has(url))).toBe(false);
  });

  test("are no reason to copy a message that holds none", () => {
    expect(withAddresses(messages, {})[0]).toBe(messages[0]);
  });
});
