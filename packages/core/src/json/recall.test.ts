import { expect, it } from "vitest";
import { recalling } from "./recall.ts";

it("makes something anew only when the value is another one, whatever object it comes in", () => {
  const made: unknown[] = [];
  const recall = recalling((copy) => {
    made.push(copy);
    return { copy };
  });
  const given = { a: [1] };
  const first = recall(given, []);
  expect(recall({ a: [1] }, [])).toBe(first);
  given.a.push(2);
  expect(recall(given, [])).toEqual({ copy: { a: [1, 2] } });
  expect(recall({ a: [1] }, [])).not.toBe(first);
  expect(made).toHaveLength(3);
});

it("remembers nothing of a value that could not be made", () => {
  const recall = recalling((copy) => {
    if (copy === "bad") throw new Error("no");
    return [copy];
  });
  const first = recall("good", []);
  expect(() => recall("bad", [])).toThrow("no");
  expect(() => recall(1n, ["tools"])).toThrow("$.tools");
  expect(recall("good", [])).toBe(first);
});
