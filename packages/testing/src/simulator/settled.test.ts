import { describe, expect, it } from "vitest";
import { bodyReader, isSettled, rememberSettled } from "./settled.ts";

const deepFrozen = <T extends object>(value: T): T => {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) deepFrozen(member);
  return Object.freeze(value);
};

describe("settled values", () => {
  it("are frozen all the way down", () => {
    expect(isSettled("text")).toBe(true);
    expect(isSettled(deepFrozen({ a: [{ b: 1 }] }))).toBe(true);
    expect(isSettled(Object.freeze({ a: [{ b: 1 }] }))).toBe(false);
    expect(isSettled({ a: 1 })).toBe(false);
  });

  it("are computed once, others every time", () => {
    let count = 0;
    const size = rememberSettled((value: object) => {
      count += 1;
      return Object.keys(value).length;
    });
    const settled = deepFrozen({ a: { b: 1 } });
    expect([size(settled), size(settled)]).toEqual([1, 1]);
    expect(count).toBe(1);
    const loose: Record<string, number> = { a: 1 };
    size(loose);
    loose.b = 2;
    expect(size(loose)).toBe(2);
  });

  it("a body that was read shares what is settled and is safe from changes of the rest", () => {
    const settled = deepFrozen({ role: "user", content: "a" });
    const loose = { role: "user", content: "b", extra: undefined };
    const messages = [settled, loose];
    const read = bodyReader();
    const held = read({ messages, none: undefined }) as { messages: { content: string }[] };
    messages.push(settled);
    loose.content = "changed";
    expect(held).toEqual({ messages: [settled, { role: "user", content: "b" }] });
    expect(held.messages[0]).toBe(settled);
    expect(Object.keys(held)).toEqual(["messages"]);
    expect(isSettled(held)).toBe(true);
  });

  it("a message that was seen before is the same object again, in its own key order only", () => {
    const read = bodyReader();
    const first = (message: object) => (read({ messages: [message] }) as { messages: object[] }).messages[0];
    expect(first({ a: 1, b: 2 })).toBe(first({ a: 1, b: 2 }));
    expect(first({ b: 2, a: 1 })).not.toBe(first({ a: 1, b: 2 }));
  });
});
