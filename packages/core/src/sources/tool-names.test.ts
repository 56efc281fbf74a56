import { describe, expect, test } from "vitest";
import { meanings, refuses } from "./tool-names.ts";

describe("which tool a call means", () => {
  test.each(["bash", "Bash", " bash ", "functions.bash", "mcp__shell__bash", "shell:bash", "shell/bash", "default_api.bash", "ｂａｓｈ"])(
    "%s means bash",
    (called) => {
      expect(meanings(called, ["read", "mcp__docs__bash", "bash"])).toEqual(["bash"]);
    },
  );

  test("a name that is declared means itself, also where its last part is another's", () => {
    expect(meanings("mcp__docs__search", ["search", "mcp__docs__search"])).toEqual(["mcp__docs__search"]);
    expect(meanings("search", ["mcp__docs__search"])).toEqual(["mcp__docs__search"]);
    expect(meanings("read-file", ["read_file"])).toEqual(["read_file"]);
    expect(meanings("rebash", ["bash"])).toEqual([]);
    expect(meanings("", ["bash"])).toEqual([]);
  });

  test("what is called in a namespace means the namespace, too", () => {
    expect(meanings("crm.lookup", ["crm"])).toEqual(["crm"]);
    expect(meanings("mcp__crm__lookup", ["mcp__crm"])).toEqual(["mcp__crm"]);
    expect(meanings("crm.lookup", ["lookup", "crm"])).toEqual(["lookup", "crm"]);
    expect(meanings("lookup.crm", ["crm"])).toEqual(["crm"]);
  });
});

describe("a ban", () => {
  test.each([
    ["bash", "functions.bash", ["bash"], true],
    ["bash", "mcp__shell__bash", ["mcp__shell__bash"], true],
    ["bash", "mcp__docs__bash", ["bash", "mcp__docs__bash"], false],
    ["functions.bash", "bash", ["bash"], true],
    ["bash", "mcp__shell__bash", [], true],
    ["bash", "rebash", ["rebash"], false],
    ["crm", "crm.lookup", ["crm", "lookup"], true],
    ["crm", "mcp__crm__lookup", [], true],
    ["crm", "lookup", ["crm", "lookup"], false],
    ["mcp__docs__bash", "mcp__shell__bash", ["bash", "mcp__docs__bash"], false],
  ] as const)("of %s against a call of %s, where %j are known: %s", (ban, called, known, refused) => {
    expect(refuses(ban, called, known)).toBe(refused);
  });
});
