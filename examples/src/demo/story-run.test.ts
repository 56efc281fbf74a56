import { createSession, restoreSession, type Session } from "@tidemark/core";
import type { AnthropicRequest } from "@tidemark/core/anthropic";
import { beforeAll, describe, expect, test } from "vitest";
import type { Request } from "./assistant.ts";
import { asToday, type Connect, sessionOptions, throughTidemark } from "./connections.ts";
import { faultsOf } from "./faults.ts";
import { throughStore } from "./key-sorting-store.ts";
import type { RequestRow } from "./request-row.ts";
import { editPositions, museumStory, requestLabels } from "./story.ts";
import { runStory } from "./story-run.ts";
import { totalsOf } from "./totals.ts";

describe.each(["lantern", "7"])("the demo's session, seed %s", (seed) => {
  const story = museumStory(seed);
  let today: readonly RequestRow[];
  let tidemark: readonly RequestRow[];

  beforeAll(async () => {
    [today, tidemark] = await Promise.all([runStory(story, asToday), runStory(story, throughTidemark)]);
  });

  test("both runs answer the same sixty and more requests", () => {
    expect(today.length).toBeGreaterThanOrEqual(60);
    expect(tidemark.map(({ label }) => label)).toEqual(today.map(({ label }) => label));
    expect(requestLabels(story)).toHaveLength(today.length);
  });

  test("as hosts run today, requests are rejected and the cache is lost with the thinking", () => {
    const rejected = today.filter(({ rejections }) => rejections.length > 0);
    expect(rejected.length).toBeGreaterThan(0);
    for (const { rejections } of rejected)
      expect(rejections).toEqual([expect.stringContaining("The block is bound to a different conversation.")]);
    expect(rejected.every(({ usage }) => usage?.cacheRead === 0)).toBe(true);
  });

  test("through Tidemark nothing is rejected, and the edit of an earlier question is the only checkpoint (rules 1 and 5)", () => {
    expect(tidemark.flatMap(({ rejections }) => rejections)).toEqual([]);
    const [edited = -1] = editPositions(story);
    const checkpoints = tidemark.flatMap((row, position) => row.checkpoints.map((checkpoint) => ({ position, checkpoint })));
    expect(checkpoints).toEqual([
      { position: edited, checkpoint: expect.objectContaining({ reason: "history", class: "edit", hint: undefined }) },
    ]);
    expect(faultsOf(tidemark, editPositions(story))).toEqual([]);
  });

  test("through Tidemark each request reads from the cache all that the one before left there, except behind the edit", () => {
    const [edited = -1] = editPositions(story);
    for (const [position, { usage }] of tidemark.entries()) {
      if (position === 0 || position === edited) continue;
      const before = tidemark[position - 1]?.usage;
      expect(usage?.cacheRead).toBe((before?.cacheRead ?? 0) + (before?.cacheWrite ?? 0));
    }
  });

  test("what befalls the host is seen in the repairs: tools in another order, sorted keys, a long result", () => {
    const repairs = tidemark.flatMap((row) => (row.repairs === undefined ? [] : [{ label: row.label, ...row.repairs }]));
    const at = (words: string) => repairs.filter(({ label }) => label.includes(words));
    expect(at("tool order").every(({ equivalent }) => equivalent > 0)).toBe(true);
    expect(at("keys sorted").every(({ equivalent }) => equivalent > 10)).toBe(true);
    expect(at("a long result").map(({ resultsCapped }) => resultsCapped.length)).toEqual([1]);
  });

  test("the same replies cost less", () => {
    const prices = sessionOptions.wire.profile(story.model).prices;
    const [before, after] = [totalsOf(today, prices), totalsOf(tidemark, prices)];
    expect(after.output).toBe(before.output);
    expect(after.price).toBeLessThan(before.price ?? 0);
  });
});

test("the same seed tells the same story, another one another", async () => {
  const rows = await Promise.all(["x", "x", "y"].map((seed) => runStory(museumStory(seed), throughTidemark)));
  const [first, again, other] = rows.map((run) => run.map(({ usage }) => usage));
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test("a restored session makes the same bytes from a history that a store changed, at every request of the demo (rule 48)", {
  timeout: 60_000,
}, async () => {
  const differences: string[] = [];
  let compared = 0;
  const connect: Connect = (client) => {
    const session: Session<AnthropicRequest> = createSession(sessionOptions);
    return async (request) => {
      const restored = restoreSession<AnthropicRequest>(JSON.parse(JSON.stringify(session.snapshot())), sessionOptions);
      const again = await restored.prepare({ ...request, messages: shuffled(request.messages) });
      const turn = await session.prepare(request);
      compared += 1;
      differences.push(...differenceOf(compared, bytesOf(turn.request), bytesOf(again.request)));
      const reply = await client.messages.create(turn.request);
      turn.settle(reply);
      return reply;
    };
  };
  const rows = await runStory(museumStory("restored"), connect);
  expect(differences).toEqual([]);
  expect(compared).toBe(rows.length);
});

/** In a few words, since the requests are long. */
function differenceOf(request: number, expected: string, found: string): readonly string[] {
  if (expected === found) return [];
  let at = 0;
  while (expected[at] === found[at]) at += 1;
  return [`request ${request} at ${at}: expected ${expected.slice(at - 60, at + 60)}, found ${found.slice(at - 60, at + 60)}`];
}

type Message = Request["messages"][number];
type Content = Message["content"];

/** Keys sorted, strings turned to blocks and back, results of a batch reversed. */
function shuffled(messages: readonly Message[]): Message[] {
  return throughStore(messages).map((message) => ({ ...message, content: reversedResults(otherShape(message.content)) }) as Message);
}

function otherShape(content: Content): Content {
  if (typeof content === "string") return [{ text: content, type: "text" }];
  const [first, ...others] = content;
  if (first?.type === "text" && others.length === 0) return first.text;
  return content.map((block) => {
    if (block.type !== "tool_result" || typeof block.content !== "string") return block;
    return { ...block, content: [{ text: block.content, type: "text" }] };
  });
}

function reversedResults(content: Content): Content {
  if (typeof content === "string") return content;
  return content.every(({ type }) => type === "tool_result") ? content.toReversed() : content;
}

function bytesOf(request: Request): string {
  return JSON.stringify(request, (name, member: unknown) => (name === "cache_control" ? undefined : member));
}
