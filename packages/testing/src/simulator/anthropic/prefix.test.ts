import type { ObjectValue } from "@tidemark/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortedJson } from "../json.ts";
import { settle } from "../settled.ts";
import { emptyPrefix, prefixReader } from "./prefix.ts";

type Block = { readonly type: string; readonly [name: string]: unknown };
type Message = { readonly role: string; readonly content: string | readonly Block[]; readonly clear_at?: string };

/** The canonical prefix as the check is written down: list by list, nothing remembered. */
function plainPrefix(messages: readonly Message[]): string {
  const turns: { role: string; blocks: unknown[] }[] = [];
  messages.forEach((message, index) => {
    if (message.clear_at === "next_user_message" && messages.slice(index + 1).some(({ role }) => role === "user")) return;
    const blocks: unknown[] = message.clear_at === undefined ? [] : [{ clear_at: message.clear_at }];
    for (const block of typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content) {
      const { cache_control: _mark, ...bare } = block as Record<string, unknown>;
      if (bare.type === "thinking") continue;
      if (bare.type === "text") bare.text = String(bare.text).trim();
      if (bare.text !== "") blocks.push(bare);
    }
    if (blocks.length === 0) return;
    const last = turns.at(-1);
    if (last?.role === message.role) last.blocks.push(...blocks);
    else turns.push({ role: message.role, blocks });
  });
  return sortedJson(turns);
}

const text = fc.record({ type: fc.constant("text"), text: fc.constantFrom("a", " a", "b", "ab", " ") }, { requiredKeys: ["type", "text"] });
const marked = text.map((block) => ({ cache_control: { type: "ephemeral" }, ...block }));
const call = fc.constantFrom<Block>(
  { type: "tool_use", id: "1", name: "x", input: { a: 1, b: 2 } },
  { input: { b: 2, a: 1 }, type: "tool_use", name: "x", id: "1" },
);
const thinking = fc.constant<Block>({ type: "thinking", thinking: "t", signature: "s" });
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constant("user"),
    content: fc.oneof(fc.constantFrom("a", "b"), fc.array(fc.oneof(text, marked), { minLength: 1, maxLength: 3 })),
  }),
  fc.record({ role: fc.constant("assistant"), content: fc.array(fc.oneof(text, call, thinking), { minLength: 1, maxLength: 3 }) }),
  fc.record({ role: fc.constant("system"), content: fc.constantFrom("a", "b"), clear_at: fc.constantFrom("next_user_message", "never") }),
);
const conversation = fc.array(message, { maxLength: 5 });

const fastPrefix = (reader: ReturnType<typeof prefixReader>, messages: readonly Message[]): string =>
  messages.reduce((state, item) => reader.after(state, item as unknown as ObjectValue), emptyPrefix).shown;

describe("the chain of prefixes", () => {
  it("tells two conversations apart exactly where the plain canonical form does", () => {
    const reader = prefixReader(() => undefined);
    fc.assert(
      fc.property(conversation, conversation, (one, two) => {
        expect(fastPrefix(reader, one) === fastPrefix(reader, two)).toBe(plainPrefix(one) === plainPrefix(two));
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives the same for messages that it remembers, wherever they stood before", () => {
    const reader = prefixReader(() => undefined);
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3), { maxLength: 8 }), (pool, order) => {
        const settled = pool.map((item) => settle(structuredClone(item)));
        const messages = order.flatMap((index) => settled[index] ?? []);
        fastPrefix(reader, settled);
        expect(fastPrefix(reader, messages)).toBe(
          fastPrefix(
            prefixReader(() => undefined),
            structuredClone(messages),
          ),
        );
      }),
    );
  });
});
