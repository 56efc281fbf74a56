import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue, type Value } from "../../json/value.ts";
import { firstBreach } from "../../wire/rule.ts";
import type { HostMark, MarkPlan } from "../../wire/wire.ts";
import { mark } from "./cache.ts";
import { profiles } from "./models.ts";
import type { AnthropicRequest } from "./request.ts";
import { rules } from "./rules.ts";

const ephemeral = { type: "ephemeral" };
const hour = { type: "ephemeral", ttl: "1h" };
const text = (words: string): object => ({ type: "text", text: words });
const user = (...content: object[]): object => ({ role: "user", content });
const assistant = (...content: object[]): object => ({ role: "assistant", content });

function outgoing(messages: readonly object[], more: object = {}): AnthropicRequest {
  const made = copyValue({ messages, ...more }) as ObjectValue;
  return { model: "claude-opus-4-6", max_tokens: 10, ...made } as unknown as AnthropicRequest;
}

function plan(more: Partial<MarkPlan> = {}): MarkPlan {
  return { mode: "planned", ttl: undefined, hostMarks: [], repeatsTo: 99, lagging: undefined, ...more };
}

/** Where marks are: `system.0`, `messages.2.content.1`, `request`. */
function placesOf(request: object): readonly string[] {
  const places: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { cache_control } = value as { cache_control?: { ttl?: string } | null };
    if (cache_control != null) places.push((path.slice(1) || "request") + (cache_control.ttl === undefined ? "" : ` ${cache_control.ttl}`));
    for (const [name, member] of Object.entries(value)) walk(member, `${path}.${name}`);
  };
  walk(request, "");
  return places.sort();
}

const messageMark = (message: number, block: number, value: Value = ephemeral): HostMark => ({
  part: "messages",
  message,
  block,
  mark: value,
});
const request = outgoing([user(text("a")), assistant(text("b")), user(text("c"), text("d"))], { system: [text("s"), text("t")] });

describe("marks of our own (rule 54)", () => {
  it("asks for automatic caching where the host set no mark", () => {
    const marked = mark(request, plan({ mode: "automatic", ttl: "1h" }));
    expect(placesOf(marked)).toEqual(["request 1h"]);
    expect(marked.messages).toBe(request.messages);
    expect(placesOf(mark(request, plan({ mode: "automatic", hostMarks: [messageMark(0, 0)] })))).toEqual(["messages.0.content.0"]);
    expect(placesOf(mark({ ...request, cache_control: hour }, plan({ mode: "automatic" })))).toEqual(["request 1h"]);
  });

  it("does not ask where it would be refused, or where nothing could bear the mark", () => {
    expect(placesOf(mark(outgoing([user(text("a"))], { thread: { type: "create" } }), plan({ mode: "automatic" })))).toEqual([]);
    expect(placesOf(mark(outgoing([]), plan({ mode: "automatic" })))).toEqual([]);
  });

  it("plans a mark on the last block that is repeated, and one on the head", () => {
    expect(placesOf(mark(request, plan({ repeatsTo: 2 })))).toEqual(["messages.2.content.1", "system.1"]);
    expect(placesOf(mark(request, plan({ repeatsTo: 0, ttl: "5m" })))).toEqual(["messages.0.content.0 5m", "system.1 5m"]);
  });

  it("marks the last tool that is loaded at once where there is no system text", () => {
    const tools = [{ name: "a" }, { name: "b" }, { name: "c", defer_loading: true }];
    expect(placesOf(mark(outgoing([user(text("a"))], { tools }), plan()))).toEqual(["messages.0.content.0", "tools.1"]);
  });

  it("looks for a block that may bear a mark: not thinking, not empty or turn-scoped text, not a block that it does not know", () => {
    const thinking = { type: "thinking", thinking: "", signature: "s" };
    const scoped = { role: "system", content: [text("now")], clear_at: "next_user_message" };
    const messages = [user(text("a")), assistant(text("b"), thinking), user(text("c"), { type: "new_thing" }), scoped];
    expect(placesOf(mark(outgoing(messages), plan({ repeatsTo: 3 })))).toEqual(["messages.2.content.0"]);
    expect(placesOf(mark(outgoing(messages), plan({ repeatsTo: 1 })))).toEqual(["messages.1.content.0"]);
    expect(placesOf(mark(outgoing([assistant(thinking)]), plan()))).toEqual([]);
  });

  it("keeps the last request's end marked where look-back would not reach it, and only there", () => {
    const long = (blocks: number): AnthropicRequest =>
      outgoing([user(text("a")), assistant(...Array.from({ length: blocks }, () => text("b"))), user(text("c"))]);
    expect(placesOf(mark(long(19), plan({ repeatsTo: 2, lagging: 0 })))).toEqual(["messages.2.content.0"]);
    expect(placesOf(mark(long(20), plan({ repeatsTo: 2, lagging: 0 })))).toEqual(["messages.0.content.0", "messages.2.content.0"]);
  });

  it("sets none when it is off", () => {
    expect(mark(request, plan({ mode: "off" }))).toBe(request);
    expect(placesOf(mark(request, plan({ mode: "off", hostMarks: [messageMark(2, 0)] })))).toEqual(["messages.2.content.0"]);
  });
});

describe("marks of the host", () => {
  it("stay, and ours go into the free slots", () => {
    const hostMarks: HostMark[] = [{ part: "system", index: 0, mark: ephemeral }, messageMark(0, 0), messageMark(2, 0)];
    expect(placesOf(mark(request, plan({ hostMarks, repeatsTo: 2 })))).toEqual([
      "messages.0.content.0",
      "messages.2.content.0",
      "messages.2.content.1",
      "system.0",
    ]);
    expect(placesOf(mark({ ...request, cache_control: ephemeral }, plan({ hostMarks })))).toEqual([
      "messages.0.content.0",
      "messages.2.content.0",
      "request",
      "system.0",
    ]);
  });

  it("are never doubled by ours", () => {
    expect(placesOf(mark(request, plan({ hostMarks: [messageMark(2, 1, hour)], repeatsTo: 2 })))).toEqual(["messages.2.content.1 1h"]);
  });

  it("move from a block that may not bear one to the nearest before it, else to the last that may", () => {
    const thinking = { type: "thinking", thinking: "x", signature: "s" };
    const move = (content: object[], block: number): readonly string[] =>
      placesOf(mark(outgoing([assistant(...content)]), plan({ mode: "off", hostMarks: [messageMark(0, block)] })));
    expect(move([text("a"), thinking, text("b")], 1)).toEqual(["messages.0.content.0"]);
    expect(move([thinking, text("a"), text("b")], 0)).toEqual(["messages.0.content.2"]);
    expect(move([thinking, { type: "redacted_thinking", data: "d" }], 1)).toEqual([]);
    expect(move([text("a"), { type: "new_thing" }], 1)).toEqual(["messages.0.content.1"]);
    const scoped = { role: "system", content: [text("now")], clear_at: "next_user_message" };
    expect(placesOf(mark(outgoing([user(text("a")), scoped]), plan({ mode: "off", hostMarks: [messageMark(1, 0)] })))).toEqual([]);
  });

  it("that moved onto a marked block are dropped", () => {
    const thinking = { type: "thinking", thinking: "x", signature: "s" };
    const hostMarks = [messageMark(0, 0, hour), messageMark(0, 1)];
    expect(placesOf(mark(outgoing([assistant(text("a"), thinking)]), plan({ mode: "off", hostMarks })))).toEqual([
      "messages.0.content.0 1h",
    ]);
  });
});

describe("lifetimes", () => {
  it("shorten ours behind a shorter mark of the host", () => {
    const hostMarks: HostMark[] = [{ part: "system", index: 0, mark: ephemeral }];
    expect(placesOf(mark(request, plan({ ttl: "1h", hostMarks, repeatsTo: 2 })))).toEqual(["messages.2.content.1", "system.0", "system.1"]);
  });

  it("leave ours out before a longer one", () => {
    expect(placesOf(mark(request, plan({ hostMarks: [messageMark(2, 0, hour)], repeatsTo: 2 })))).toEqual([
      "messages.2.content.0 1h",
      "messages.2.content.1",
    ]);
    expect(placesOf(mark({ ...request, cache_control: hour }, plan()))).toEqual(["request 1h"]);
  });
});

describe("marking", () => {
  it("copies only what is marked, and freezes the copies", () => {
    const marked = mark(request, plan({ repeatsTo: 2 }));
    expect(marked.messages[0]).toBe(request.messages[0]);
    expect(marked.messages[2]).not.toBe(request.messages[2]);
    expect(Object.isFrozen((marked.messages[2] as { content: object[] }).content[1])).toBe(true);
    expect(placesOf(request)).toEqual([]);
  });

  it("never breaks a rule about marks and changes nothing else", () => {
    const block = fc.constantFrom(
      text("a"),
      { type: "thinking", thinking: "t", signature: "s" },
      { type: "redacted_thinking", data: "d" },
      { type: "image", source: {} },
    );
    const turn = fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.array(block, { minLength: 1, maxLength: 12 }) });
    const hostMark = fc.record({
      part: fc.constant("messages" as const),
      message: fc.nat(8),
      block: fc.nat(12),
      mark: fc.constant(ephemeral),
    });
    const cases = fc.record({
      messages: fc.array(turn, { minLength: 1, maxLength: 8 }),
      system: fc.constantFrom([], [text("s")]),
      hostMarks: fc.array(hostMark, { maxLength: 4 }),
      mode: fc.constantFrom("automatic" as const, "planned" as const, "off" as const),
      ttl: fc.constantFrom(undefined, "5m", "1h"),
      repeatsTo: fc.nat(8),
      lagging: fc.option(fc.nat(8), { nil: undefined }),
    });
    const context = { profile: profiles()("claude-opus-4-6"), betas: [], version: undefined };
    const cacheRules = rules.filter(({ id }) => ["AN-09", "AN-10", "AN-11"].includes(id));
    fc.assert(
      fc.property(cases, ({ messages, system, hostMarks, ...asked }) => {
        const given = outgoing(messages, { system });
        const marked = mark(given, { ...asked, hostMarks: hostMarks.filter((one) => one.message < messages.length) });
        expect(firstBreach(cacheRules, marked as unknown as ObjectValue, context, ["sure"])).toBeUndefined();
        expect(JSON.parse(JSON.stringify(marked, (name, value) => (name === "cache_control" ? undefined : value)))).toEqual(
          JSON.parse(JSON.stringify(given)),
        );
      }),
    );
  });
});
