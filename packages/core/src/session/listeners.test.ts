import { describe, expect, test } from "vitest";
import { InvariantError } from "./errors.ts";
import { Listeners } from "./listeners.ts";
import { unexplained } from "./self-check.ts";

describe("listeners", () => {
  test("hear what is told until they are taken off", () => {
    const listeners = new Listeners();
    const heard: string[] = [];
    const off = listeners.on("invariant", ({ path }) => heard.push(path));
    listeners.tell("invariant", { path: "$.a" });
    off();
    listeners.tell("invariant", { path: "$.b" });
    expect(heard).toEqual(["$.a"]);
  });

  test("that throw fail nothing: the others hear it, and the fault is an event of its own", () => {
    const listeners = new Listeners();
    const heard: unknown[] = [];
    listeners.on("invariant", () => {
      throw new Error("broken");
    });
    listeners.on("invariant", ({ path }) => heard.push(path));
    listeners.on("listener-error", ({ event, error }) => heard.push([event, String(error)]));
    listeners.on("listener-error", () => {
      throw new Error("broken, too");
    });
    listeners.tell("invariant", { path: "$.a" });
    expect(heard).toEqual([["invariant", "Error: broken"], "$.a"]);
  });
});

test("a listener that rejects later is reported, too, and what it sees is frozen", async () => {
  const listeners = new Listeners();
  const errors: unknown[] = [];
  let seen: object | undefined;
  listeners.on("listener-error", ({ error }) => errors.push(error));
  listeners.on("warning", async (warning) => {
    seen = warning;
    await Promise.resolve();
    throw new Error("later");
  });
  listeners.tell("warning", { code: "c", message: "m" });
  await new Promise((resolve) => setTimeout(resolve));
  expect(errors).toEqual([new Error("later")]);
  expect(Object.isFrozen(seen)).toBe(true);
});

describe("selfCheck: what was rendered against what was rendered before (rule 1)", () => {
  const before = { head: "h", messages: ["one", "two", "three"], answeredTo: 2 };
  const checkpoint = (reason: string, at: number): never => ({ reason, at }) as never;

  test.each([
    ["the same and more", { ...before, messages: [...before.messages, "four"] }, [], undefined],
    ["another end that was not answered", { ...before, messages: ["one", "two", "other"] }, [], undefined],
    ["another answered message", { ...before, messages: ["one", "other", "three"] }, [], "$.messages[1]"],
    ["an answered message less", { ...before, messages: ["one"] }, [], "$.messages[1]"],
    ["another one behind a checkpoint", { ...before, messages: ["one", "other", "three"] }, [checkpoint("history", 1)], undefined],
    ["another one before its checkpoint", { ...before, messages: ["other", "two", "three"] }, [checkpoint("history", 1)], "$.messages[0]"],
    ["another head", { ...before, head: "g" }, [], "$ (head fields)"],
    ["another head with a checkpoint", { ...before, head: "g", messages: [] }, [checkpoint("system", 0)], undefined],
    ["another head with a checkpoint of the history only", { ...before, head: "g" }, [checkpoint("history", 0)], "$ (head fields)"],
  ])("%s", (_what, now, checkpoints, place) => {
    expect(unexplained(before, now, checkpoints, ["messages"], 0)).toBe(place);
  });

  test("places count the messages of the request", () => {
    const now = { ...before, messages: ["other", "two", "three"] };
    expect(unexplained(before, now, [], ["messages"], 1)).toBe("$.messages[1]");
    expect(unexplained(before, now, [], ["contents"], 0)).toBe("$.contents[0]");
  });

  test("in strict mode it is an error that names the place", () => {
    expect(new InvariantError("$.messages[1]")).toMatchObject({
      code: "invariant",
      path: "$.messages[1]",
      message: expect.stringContaining("$.messages[1]"),
    });
  });
});
