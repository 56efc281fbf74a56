import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { gemini } from "../src/adapters/gemini/index.ts";
import { ollama } from "../src/adapters/ollama/index.ts";
import { type DialectName, openaiChat } from "../src/adapters/openai-chat/index.ts";
import { openaiResponses } from "../src/adapters/openai-responses/index.ts";
import { checkPrefixContinuity } from "../src/continuity/check-prefix-continuity.ts";
import type { Wire } from "../src/wire/wire.ts";

type Pair = {
  readonly previous: number;
  readonly next: number;
  readonly verdict: string;
  readonly path?: string;
  readonly class?: string;
  readonly at?: number;
};
type Case = {
  readonly id: string;
  readonly title: string;
  readonly wire: string;
  readonly dialect?: DialectName;
  readonly requests: readonly object[];
  readonly continuity?: readonly Pair[];
};

const folder = new URL("cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Case);

const wires: Readonly<Record<string, (dialect: DialectName | undefined) => Wire>> = {
  "anthropic-messages": () => anthropic() as unknown as Wire,
  gemini: () => gemini() as unknown as Wire,
  ollama: () => ollama() as unknown as Wire,
  "openai-chat": (dialect) => openaiChat(dialect === undefined ? {} : { dialect }) as unknown as Wire,
  "openai-responses": () => openaiResponses() as unknown as Wire,
};

const built = cases.filter(({ wire, continuity = [] }) => wires[wire] !== undefined && continuity.length > 0);

describe.each(built)("$id", ({ wire, dialect, requests, continuity = [] }) => {
  test.each(continuity)("from request $previous to request $next: $verdict", (pair) => {
    const [previous, next] = [requests[pair.previous], requests[pair.next]];
    if (previous === undefined || next === undefined) throw new Error("the case names a request that it does not have");
    const report = checkPrefixContinuity(previous, next, { wire: (wires[wire] as (typeof wires)[string])(dialect) });
    expect(report.verdict).toBe(pair.verdict);
    if (pair.verdict === "continues") expect(report).toMatchObject({ path: undefined, tokensBehind: 0, reasoningVoided: [] });
    else expect(report.tokensBehind).toBeGreaterThan(0);
    if (pair.path !== undefined) expect(isAtOrBeneath(report.path ?? "", pair.path), `${report.path} is not in ${pair.path}`).toBe(true);
    if (pair.class !== undefined) expect(report.class).toBe(pair.class);
    expect(report.at).toBe(pair.at);
  });
});

function isAtOrBeneath(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}
