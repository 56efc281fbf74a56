import { describe, expect, test } from "vitest";
import { anthropic } from "../adapters/anthropic/index.ts";
import { ReplayLog } from "../ledger/replay-log.ts";
import { reset } from "../overflow/reset.ts";
import { newContext } from "../sources/new-context.ts";
import { OptionError } from "../wire/errors.ts";
import { createSession } from "./create-session.ts";
import { checkOptions, optionShapes, type SessionOptions } from "./options.ts";

const wire = anthropic();

function refusal(options: unknown): OptionError | undefined {
  try {
    checkOptions(options as SessionOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return error as OptionError;
  }
  return undefined;
}

test("options with everything in them are taken", () => {
  const options: SessionOptions<Parameters<typeof wire.open>[0]> = {
    wire,
    history: "new",
    systemChanges: "append",
    reasoning: "omit",
    trims: "ignore",
    ignore: ["id"],
    toolResultCap: 64,
    cache: "planned",
    ttl: "1h",
    headers: true,
    overflow: { strategy: reset(), tool: newContext(), minimumGain: 0, expectedTurns: 5, pauseMs: 1 },
    reasoningMismatch: "error",
    strict: true,
    selfCheck: true,
    redact: (text) => text,
    deferred: () => false,
    callReason: () => "unknown",
    lines: () => undefined,
    countText: (text) => text.length,
    endpoint: "eu",
    log: new ReplayLog(),
    now: () => 0,
  };
  expect(checkOptions(options)).toBe(options);
  expect(refusal({ wire, history: undefined, log: undefined, toolResultCap: false })).toBeUndefined();
  expect(refusal({ wire, toolResultCap: () => 100 })).toBeUndefined();
});

test("options that are undefined are those that are left out", async () => {
  const unset = Object.fromEntries(Object.keys(optionShapes).map((name) => [name, undefined]));
  const request = { model: "claude-opus-5-5", max_tokens: 100, system: "s", messages: [{ role: "user", content: "a" }] };
  const [plain, given] = await Promise.all([{ wire }, { wire, ...unset }].map((options) => createSession(options).prepare(request)));
  expect(given?.request).toEqual(plain?.request);
  expect(given?.budget).toEqual(plain?.budget);
});

describe("a wrong option is named by its path, with what is expected", () => {
  test.each([
    [undefined, "$", "expected an object"],
    [[wire], "$", "expected an object"],
    [{}, "$.wire", "expected a wire, such as anthropic()"],
    [{ wire: "anthropic" }, "$.wire", "expected a wire, such as anthropic()"],
    [{ wire: anthropic }, "$.wire", "expected a wire, such as anthropic()"],
    [{ wire, hsitory: "new" }, "$.hsitory", "there is no such option"],
    [{ wire, "over flow": 1 }, '$["over flow"]', "there is no such option"],
    [{ wire, overflow: {} }, "$.overflow", "expected a strategy, such as reset(), or { strategy }"],
    [{ wire, overflow: { strategy: reset } }, "$.overflow.strategy", "expected a strategy, such as reset()"],
    [{ wire, overflow: { strategy: reset(), minimumGian: 1 } }, "$.overflow.minimumGian", "there is no such option"],
    [{ wire, overflow: { strategy: reset(), pauseMs: -1 } }, "$.overflow.pauseMs", "expected a number of at least 0"],
    [{ wire, overflow: { strategy: reset(), tool: newContext } }, "$.overflow.tool", "expected an object"],
    [{ wire, history: "old" }, "$.history", 'expected one of "full", "new", "tail"'],
    [{ wire, cache: true }, "$.cache", 'expected one of "automatic", "planned", "off"'],
    [{ wire, ignore: ["id", 1] }, "$.ignore[1]", "expected a string"],
    [{ wire, toolResultCap: 63 }, "$.toolResultCap", "expected a whole number of at least 64, false or a function"],
    [{ wire, toolResultCap: 100.5 }, "$.toolResultCap", "expected a whole number of at least 64, false or a function"],
    [{ wire, ttl: "1 hour" }, "$.ttl", "expected minutes or hours, such as 5m or 1h"],
    [{ wire, strict: 1 }, "$.strict", "expected true or false"],
    [{ wire, redact: /x/ }, "$.redact", "expected a function"],
    [{ wire, endpoint: null }, "$.endpoint", "expected a string"],
    [{ wire, log: [] }, "$.log", "expected an object"],
    [{ wire, log: { request() {} } }, "$.log.begin", "expected a function"],
  ])("%o", (options, path, problem) => {
    expect(refusal(options)).toMatchObject({ code: "invalid-option", path, message: `${path}: ${problem}.` });
  });
});
