import { createHash } from "node:crypto";
import { type ReplayedRequest, type ReplayRecord, replay } from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { agentOf, anthropicSide, chatSide } from "./replay-agent.ts";

const stepCount = 30;
const seeds = Array.from({ length: 3 }, (_, index) => `replay ${index}`);
const stories = [
  { name: "Anthropic", side: anthropicSide, options: {} },
  { name: "Anthropic, with the beta header", side: anthropicSide, options: { headers: true } },
  { name: "Anthropic, system text appended", side: anthropicSide, options: { systemChanges: "append" } },
  { name: "Anthropic, redacted", side: anthropicSide, options: { redact: (text: string) => text.replaceAll("words", "[words]") } },
  { name: "Chat Completions", side: chatSide, options: {} },
] as const;

/** What the stories must have had for the suite to mean something. */
const wanted = ["tidemark:medium", "left out]", "[cleared]", '"type":"restore"', '"type":"restart"'];

describe.each(stories)("a log rebuilds every request that the provider received (rules 51, 52 and 60): $name", ({ side, options }) => {
  const met = new Set<string>();

  test.each(seeds)("%s", async (seed) => {
    const agent = agentOf(side, seed, options);
    for (let step = 0; step < stepCount; step++) await agent.step();
    const logged = JSON.stringify(agent.log.records);
    const records = JSON.parse(logged) as readonly ReplayRecord[];
    const { requests } = agent.simulator;
    expect(requests).toHaveLength(stepCount);
    for (const [n, { body }] of requests.entries()) expect(asReceived(replay(records, n)), `request ${n}`).toEqual(asLogged(body));
    expect(() => replay(records, stepCount)).toThrow(expect.objectContaining({ code: "replay-missing" }));
    expect(logged).not.toMatch(/"data":"|base64,/);
    for (const what of wanted) if (logged.includes(what) || logged.includes(JSON.stringify(what))) met.add(what);
  });

  test("pictures, capped results, edits, restores and restarts were among them", () => {
    expect([...met].sort()).toEqual([...wanted].sort());
  });
});

/** The parts of a replayed request where the body has them. */
function asReceived({ head, messages }: ReplayedRequest): object {
  const leading = head.system.filter((block) => "role" in block);
  const system = head.system.filter((block) => !("role" in block));
  return { model: head.model, system, tools: head.tools, messages: [...leading, ...messages] };
}

/** What a log holds of a body: no marks, no parameters outside the prefix, media as their digests. */
function asLogged(body: object): object {
  const { model, system = [], tools = [], messages } = withoutMarks(body) as Record<string, unknown>;
  return { model, system, tools, messages: withDigests(messages) };
}

function withoutMarks(body: object): unknown {
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === "cache_control" ? undefined : value)));
}

/** A base64 member and a data URL as digest, size and type (rule 14). */
function withDigests(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDigests);
  if (typeof value !== "object" || value === null) return value;
  const { media_type: type } = value as { media_type?: string };
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member !== "string") return [name, withDigests(member)];
      const url = /^data:([^;]+);/.exec(member);
      const kind = url?.[1] ?? (name === "data" ? type : undefined);
      return [name, kind === undefined ? member : digestOf(member, kind)];
    }),
  );
}

function digestOf(text: string, type: string): object {
  return { "tidemark:medium": createHash("sha256").update(text).digest("hex"), size: text.length, type };
}
