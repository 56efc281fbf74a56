import { expect, it } from "vitest";
import { laidOut } from "./laid-out.ts";

it("names come in their order, others sorted behind them, what lies inside as received", () => {
  const inner = { z: 1, a: 2 };
  const laid = laidOut({ c: 1, b: inner, role: "user", a: 3, mark: 1 }, ["role", "content", "b"], ["mark"]);
  expect(JSON.stringify(laid)).toBe('{"role":"user","b":{"z":1,"a":2},"a":3,"c":1}');
  expect(laid.b).toBe(inner);
  expect(Object.isFrozen(laid)).toBe(true);
});

it("an object that is laid out already is handed back", () => {
  const object = { role: "user", content: "Hi.", a: 1 };
  expect(laidOut(object, ["role", "content"], ["mark"])).toBe(object);
});

it("a key named __proto__ is a member like others", () => {
  const object = JSON.parse('{"b":1,"__proto__":{"x":1}}');
  expect(JSON.stringify(laidOut(object, ["b"]))).toBe('{"b":1,"__proto__":{"x":1}}');
});
