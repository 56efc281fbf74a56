import { expect, it } from "vitest";
import { pathText } from "./path.ts";

it("writes a place the way JSONPath does", () => {
  expect(pathText([])).toBe("$");
  expect(pathText(["messages", 0, "content", 12, "$x_1"])).toBe("$.messages[0].content[12].$x_1");
  expect(pathText(["a b", "", '"', "1"])).toBe('$["a b"][""]["\\""]["1"]');
});
