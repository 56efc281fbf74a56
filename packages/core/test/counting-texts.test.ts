import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { get_encoding } from "tiktoken";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import type { ObjectValue } from "../src/json/value.ts";
import { estimateNative } from "../src/wire/request-tokens.ts";
import { estimateText } from "../src/wire/tokens.ts";
import { countingFor } from "../src/wire/value-tokens.ts";
import type { Wire } from "../src/wire/wire.ts";

const folder = new URL("texts/", import.meta.url);
const counts = JSON.parse(readFileSync(new URL("counts.json", folder), "utf8")) as Readonly<Record<string, number>>;
const texts = Object.entries(counts).map(([name, tokens]) => ({
  name,
  tokens,
  text: readFileSync(new URL(`${name}.txt`, folder), "utf8"),
}));

describe("the estimate beside o200k, before any report (rule 30)", () => {
  test("there are 24 texts of at least 2,000 tokens", () => {
    expect(texts).toHaveLength(24);
    expect(Math.min(...texts.map(({ tokens }) => tokens))).toBeGreaterThanOrEqual(2_000);
  });

  test("the stored counts are o200k's", () => {
    const encoding = get_encoding("o200k_base");
    for (const { name, tokens, text } of texts) expect(encoding.encode_ordinary(text).length, name).toBe(tokens);
    encoding.free();
  });

  test.each(texts)("$name is within -10 % and +30 %", ({ tokens, text }) => {
    expect(estimateText(text) / tokens).toBeGreaterThan(0.9);
    expect(estimateText(text) / tokens).toBeLessThan(1.3);
  });

  test("all together are within -5 % and +25 %", () => {
    const sum = (of: (entry: (typeof texts)[number]) => number): number => texts.reduce((total, entry) => total + of(entry), 0);
    const ratio = sum(({ text }) => estimateText(text)) / sum(({ tokens }) => tokens);
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.25);
  });
});

type PiMessage = {
  readonly role: "user" | "assistant" | "toolResult";
  readonly content: readonly (ObjectValue & { readonly type: string })[];
  readonly model?: string;
  readonly stopReason?: string;
  readonly toolCallId?: string;
  readonly usage?: { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number };
};

const data = resolve(process.env["TIDEMARK_DATA"] ?? join(import.meta.dirname, "../../../../shared/data"));

// The recordings are beside the repository and never in it: without them these are skipped, with a notice in the report.
describe.skipIf(!existsSync(join(data, "INDEX.json")))("the estimate beside the recorded growth of Claude prompts", () => {
  test.each(["pi-large-session", "pi-before-compaction"])("%s: the sum of its steps is within -10 % and +25 %", (id) => {
    const { messages } = JSON.parse(readFileSync(join(data, `sessions/${id}.json`), "utf8")) as { readonly messages: readonly PiMessage[] };
    const steps = stepsOf(messages.filter(({ stopReason }) => stopReason !== "aborted"));
    const grown = steps.reduce((sum, step) => sum + step.growth, 0);
    const ratio = steps.reduce((sum, step) => sum + step.estimate, 0) / grown;
    expect(steps.length).toBeGreaterThan(50);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.25);
  });
});

/** Successive calls of a tool loop with nothing but text results in between, whose prompt grew by at least 500 tokens. */
function stepsOf(messages: readonly PiMessage[]): readonly { readonly growth: number; readonly estimate: number }[] {
  const replies = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  return replies.slice(1).flatMap((at, index) => {
    const from = replies[index] as number;
    const [call, next] = [messages[from] as PiMessage, messages[at] as PiMessage];
    const results = messages.slice(from + 1, at);
    const growth = promptOf(next) - promptOf(call);
    const isStep = results.length > 0 && call.model === next.model && [call, ...results].every(isPlain) && growth >= 500;
    return isStep ? [{ growth, estimate: estimateStep(call, results) }] : [];
  });
}

function promptOf({ usage }: PiMessage): number {
  return usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
}

function isPlain({ role, content, model = "claude" }: PiMessage): boolean {
  return role !== "user" && model.startsWith("claude") && content.every(({ type }) => type === "text" || type === "toolCall");
}

function estimateStep(call: PiMessage, results: readonly PiMessage[]): number {
  const wire = anthropic() as unknown as Wire;
  const counting = countingFor(wire.profile(call.model ?? ""));
  const blocks = call.content.map((block) =>
    block.type === "text" ? block : { type: "tool_use", id: block["id"], name: block["name"], input: block["arguments"] },
  );
  const replies = results.map(({ toolCallId, content }) => ({ type: "tool_result", tool_use_id: toolCallId, content }));
  const sides = [
    { role: "assistant", content: blocks },
    { role: "user", content: replies },
  ];
  return sides.reduce((sum, message) => sum + estimateNative(wire, message as unknown as ObjectValue, counting), 0);
}
