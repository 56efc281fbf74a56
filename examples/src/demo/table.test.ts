import { expect, test } from "vitest";
import { repeatedMessages } from "./repeated-messages.ts";
import { showStory } from "./show-story.ts";
import { paintFor } from "./terminal.ts";

test("the demo prints a line a request within 100 columns, no colour without a terminal, and exits with 0", {
  timeout: 30_000,
}, async () => {
  const lines: string[] = [];
  const code = await showStory("lantern", { print: (line) => lines.push(line), paint: paintFor({ isTTY: false }, {}) });
  expect(code).toBe(0);
  expect(lines.filter((line) => /^ *\d+ .*│.*│/.test(line)).length).toBeGreaterThanOrEqual(60);
  expect(lines.filter((line) => line.includes("checkpoint: "))).toHaveLength(1);
  for (const line of lines) {
    expect(line).not.toContain("\x1b");
    expect(line.length, line).toBeLessThanOrEqual(100);
  }
});

test("colour is for terminals, unless NO_COLOR is set", () => {
  expect(paintFor({ isTTY: true }, {}).red("x")).toBe("\x1b[31mx\x1b[39m");
  expect(paintFor({ isTTY: true }, { NO_COLOR: "1" }).red("x")).toBe("x");
  expect(paintFor({}, {}).red("x")).toBe("x");
});

test("what a request repeats of the one before is told from the bodies, cache marks and shapes aside", () => {
  const said = (content: string | readonly object[]) => ({ role: "user", content }) as never;
  const before = { model: "m", system: "s", messages: [said("one"), said("two")] };
  const marked = {
    model: "m",
    system: [{ text: "s", type: "text", cache_control: {} }],
    messages: [said([{ type: "text", text: "one" }]), said("2")],
  };
  expect(repeatedMessages(before, before)).toBe(2);
  expect(repeatedMessages(before, marked as never)).toBe(1);
  expect(repeatedMessages(before, { ...before, system: "t" })).toBe(0);
  expect(repeatedMessages(before, { ...before, model: "n" })).toBe(0);
});
