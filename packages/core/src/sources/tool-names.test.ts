import { describe, expect, test } from "vitest";
import { meantBy } from "./tool-names.ts";

describe("which tool a call means", () => {
  test.each(["bash", "Bash", " bash ", "functions.bash", "mcp__shell__bash", "shell:bash", "shell/bash", "default_api.bash", "ｂａｓｈ"])(
    "%s means bash",
    (called) => {
      expect(meantBy(called, ["read", "bash"])).toBe("bash");
    },
  );

  test("a name that is declared means itself, also where its last part is another's", () => {
    expect(meantBy("mcp__docs__search", ["search", "mcp__docs__search"])).toBe("mcp__docs__search");
    expect(meantBy("search", ["mcp__docs__search"])).toBe("mcp__docs__search");
    expect(meantBy("read-file", ["read_file"])).toBe("read_file");
    expect(meantBy("rebash", ["bash"])).toBeUndefined();
    expect(meantBy("", ["bash"])).toBeUndefined();
  });
});
