import { describe, expect, test } from "vitest";
import type { Message } from "../soak/history.ts";
import { answeredTo, bytesOf, commonLength, givenChain, providerChain, repliesTo, untilLastReply } from "../soak/plain-model.ts";
import { drawForms, storeFormNames, throughStore } from "../soak/store-forms.ts";
import { placesOf, wordsOf } from "../soak/words.ts";
import { chanceOf } from "../src/simulator/chance.ts";

const history: readonly Message[] = [
  { role: "user", content: "#u1" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", signature: "s1" },
      { type: "text", text: "#a2", citations: null },
      { type: "tool_use", id: "c3", name: "read", input: { path: "#c3", all: true } },
      { type: "tool_use", id: "c4", name: "read", input: { path: "#c4", all: false } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "c4", content: "#r5" },
      { type: "tool_result", tool_use_id: "c3", content: [{ type: "text", text: "#r6" }], is_error: true },
    ],
  },
  { role: "assistant", content: "#a7" },
  { role: "user", content: [{ type: "text", text: "#u8", cache_control: { type: "ephemeral" } }] },
];

describe("what the host gave", () => {
  test.each(storeFormNames)("is the same chain after a store: %s (rule 4)", (form) => {
    expect(givenChain(throughStore(history, [form]))).toEqual(givenChain(history));
  });

  test("is the same chain after any mixture of stores (rule 4)", () => {
    for (let seed = 0; seed < 200; seed++) {
      expect(givenChain(throughStore(history, drawForms(chanceOf(seed))))).toEqual(givenChain(history));
    }
  });

  test("is another chain when a word, a role or the order of replies changes", () => {
    const chain = givenChain(history);
    const reworded = history.map((message) => (message.content === "#u1" ? { ...message, content: "#u9" } : message));
    expect(givenChain(reworded)).not.toEqual(chain);
    expect(givenChain([...history].reverse())).not.toEqual(chain);
    expect(givenChain([{ role: "system", content: "#u1" }, ...history.slice(1)])).not.toEqual(chain);
  });

  test("leaves thinking and blank text out, but for a reply that only thinks", () => {
    const thinking = { type: "thinking", thinking: "x", signature: "y" };
    const text = { type: "text", text: "#a1" };
    const spoken = givenChain([{ role: "assistant", content: [thinking, text] }]);
    expect(spoken).toEqual(givenChain([{ role: "assistant", content: [text] }]));
    const split = [thinking, text].map((block) => ({ role: "assistant", content: [block] }));
    expect(givenChain(split)).toEqual(spoken);
    expect(givenChain([{ role: "assistant", content: [thinking] }])).toHaveLength(1);
    expect(givenChain([{ role: "user", content: "  " }])).toEqual([]);
  });
});

describe("what the provider reads", () => {
  test("does not depend on key order, marks, or how one role's blocks are cut into messages", () => {
    const chain = providerChain(history);
    expect(providerChain(throughStore(history, ["keys sorted", "messages split"]))).toEqual(chain);
    expect(chain.join()).not.toContain("cache_control");
  });

  // Soak seed 9100631: a message that only sets the effort.
  test("depends on what a message says beside its content", () => {
    const effort = { role: "system", content: [], output_config: { effort: "low" } };
    expect(providerChain([...history, effort])).toHaveLength(providerChain(history).length + 1);
  });

  test("depends on thinking and on nulls", () => {
    const chain = providerChain(history);
    expect(chain.some((text) => text.includes("s1"))).toBe(true);
    expect(providerChain(throughStore(history, ["nulls dropped"]))).not.toEqual(chain);
  });
});

test("the bytes of a message are its JSON without cache marks", () => {
  expect(bytesOf(history[4] as Message)).toBe('{"role":"user","content":[{"type":"text","text":"#u8"}]}');
  expect(bytesOf(history[0] as Message)).toBe('{"role":"user","content":"#u1"}');
});

test("a window is answered up to its last reply", () => {
  expect(answeredTo(history)).toBe(4);
  expect(answeredTo(history.slice(0, 1))).toBe(0);
  const chain = givenChain(history);
  expect(untilLastReply(chain)).toEqual(chain.slice(0, -1));
});

test("a history replies to another one when it goes on with an assistant message", () => {
  expect(repliesTo(givenChain(history.slice(0, 3)), givenChain(history))).toBe(true);
  expect(repliesTo(givenChain(history.slice(0, 2)), givenChain(history))).toBe(false);
  expect(repliesTo(givenChain(history), givenChain(history))).toBe(false);
});

test("the common length ends at the first difference and at the shorter list", () => {
  expect(commonLength(["a", "b", "c"], ["a", "x", "c"])).toBe(1);
  expect(commonLength(["a", "b"], ["a"])).toBe(1);
});

test("words have their places between the replies, whatever their order there", () => {
  const places = placesOf(wordsOf(history));
  expect([...places]).toEqual([
    ["#u1", 0],
    ["#a2", 0],
    ["#c3", 1],
    ["#c4", 2],
    ["#r5", 3],
    ["#r6", 3],
    ["#a7", 3],
    ["#u8", 4],
  ]);
  expect(placesOf(wordsOf(throughStore(history, ["results reversed"])))).toEqual(places);
});
