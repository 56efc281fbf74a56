import { expect, test } from "vitest";
import * as anthropic from "../src/adapters/anthropic/index.ts";
import * as openaiChat from "../src/adapters/openai-chat/index.ts";
import * as core from "../src/index.ts";
import manifest from "../package.json" with { type: "json" };

// The front door is this list: a name that is added or goes is a change that users see, and needs a changeset.
const doors = { ".": core, "./anthropic": anthropic, "./openai-chat": openaiChat };

test("the package has these doors", () => {
  expect(Object.keys(manifest.exports)).toEqual(Object.keys(doors));
});

test.each(Object.entries(doors))("%s exports these names", (_, door) => {
  expect(Object.keys(door).sort()).toMatchInlineSnapshot();
});
