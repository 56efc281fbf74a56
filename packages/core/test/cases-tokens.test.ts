import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { gemini } from "../src/adapters/gemini/index.ts";
import { ollama } from "../src/adapters/ollama/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { openaiResponses } from "../src/adapters/openai-responses/index.ts";
import { estimateRequest } from "../src/wire/request-tokens.ts";
import type { Wire } from "../src/wire/wire.ts";

type Case = {
  readonly id: string;
  readonly title: string;
  readonly wire: string;
  readonly requests: readonly object[];
  readonly tokens?: { readonly min: number; readonly max: number; readonly request?: number };
};

const folder = new URL("cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Case)
  // This one is about the measure of a report, which a session has and a request has not.
  .filter(({ tokens, id }) => tokens !== undefined && id !== "counting-cached-once");

const wires: Readonly<Record<string, Wire | undefined>> = {
  "anthropic-messages": anthropic() as unknown as Wire,
  gemini: gemini() as unknown as Wire,
  ollama: ollama() as unknown as Wire,
  "openai-chat": openaiChat() as unknown as Wire,
  "openai-responses": openaiResponses() as unknown as Wire,
};

describe("the local count of a request (rule 30)", () => {
  test.each(cases.filter(({ wire }) => wires[wire] !== undefined))("$id: $title", ({ wire, requests, tokens }) => {
    const { total } = estimateRequest(wires[wire] as Wire, requests[tokens?.request ?? 0] as object);
    expect(total).toBeGreaterThanOrEqual(tokens?.min ?? 0);
    expect(total).toBeLessThanOrEqual(tokens?.max ?? 0);
  });

  test.skip.each(cases.filter(({ wire }) => wires[wire] === undefined))("$id ($wire is not built yet): $title", () => {});
});
