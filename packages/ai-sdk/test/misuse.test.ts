import { OptionError, reset } from "@tidemark/core";
import { tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  clip,
  compactModelMessages,
  planCompaction,
  sender,
  summarizer,
  tidemarkMiddleware,
  tidemarkStep,
  withTidemark,
} from "../src/index.ts";

// What a host without types may write: each is told at once, by its path, with what is to be written instead.

// biome-ignore lint/suspicious/noExplicitAny: hosts without types
type Untyped = (...given: readonly any[]) => unknown;

const read = tool({ inputSchema: z.object({}), execute: () => "text" });
const noModel = 'expected a model, such as anthropic("claude-opus-5-5")';
const stray = "there is no such option";

const calls: readonly (readonly [name: string, call: Untyped, given: readonly unknown[], path: string, problem: string])[] = [
  ["withTidemark", withTidemark, ["anthropic/claude-opus-5-5"], "$.model", noModel],
  ["withTidemark", withTidemark, [], "$.model", noModel],
  ["tidemarkMiddleware", tidemarkMiddleware, [{ overflow: reset() }], "$.overflow", `${stray}; those of sessions stand in sessions`],
  ["sender", sender, [undefined], "$.model", noModel],
  ["summarizer", summarizer, [{}], "$.model", noModel],
  ["clip", clip, [read], "$", "expected { maxTokens }"],
  ["clip", clip, [undefined, { maxTokens: 100 }], "$.tool", "expected a tool, such as tool({ … }) makes"],
  ["clip", clip, [read, { maxtokens: 100 }], "$.maxtokens", stray],
  ["tidemarkStep", tidemarkStep, [], "$", "expected { sessionId }"],
  ["tidemarkStep", tidemarkStep, [{ sessionID: "a" }], "$.sessionID", stray],
  [
    "compactModelMessages",
    compactModelMessages,
    [[]],
    "$.compacting",
    "expected a landing of onLanding, or what planCompaction resolved to",
  ],
  [
    "compactModelMessages",
    compactModelMessages,
    [[], {}],
    "$.compacting",
    "expected a landing of onLanding, or what planCompaction resolved to",
  ],
];

describe("misuse without types", () => {
  for (const [name, call, given, path, problem] of calls)
    it(`${name}: ${path}: ${problem}`, () => {
      expect(() => call(...given)).toThrow(new OptionError(path, problem));
    });

  it("planCompaction: no options, no model, an option that there is not", async () => {
    const plan = planCompaction as Untyped;
    await expect(plan([])).rejects.toThrow(new OptionError("$", "expected { model }"));
    await expect(plan([], { model: "claude-opus-5-5" })).rejects.toThrow(new OptionError("$.model", noModel));
    await expect(plan([], { model: {}, keep: 1 })).rejects.toThrow(new OptionError("$.keep", stray));
  });
});
