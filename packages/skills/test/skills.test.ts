import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession, skill, TidemarkError } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSkill, loadSkills, parseSkill } from "../src/index.ts";

const file = `---
name: tide-tables
description: Reads and mends tide tables. Use when the user asks for high water.
allowed-tools: Read, Grep, Bash(git add:*, git commit:*)
license: MIT
metadata:
  version: "1.0"
---

# Tide tables

Look at the port first.
`;

describe("a SKILL.md", () => {
  test("is a skill: name, description, tools, and the instructions behind the frontmatter", () => {
    expect(parseSkill(file, "SKILL.md")).toEqual({
      name: "tide-tables",
      description: "Reads and mends tide tables. Use when the user asks for high water.",
      allowedTools: ["Read", "Grep", "Bash(git add:*, git commit:*)"],
      instructions: "# Tide tables\n\nLook at the port first.",
    });
  });

  test.each([
    ["a text with commas", "Read, Write", ["Read", "Write"]],
    ["a text with blanks", "Read Write Bash(npm run test:*)", ["Read", "Write", "Bash(npm run test:*)"]],
    ["a list in brackets", "[Read, Write]", ["Read", "Write"]],
    ["a list below", "\n  - Read\n  - Bash(git *)", ["Read", "Bash(git *)"]],
    ["names of servers", "mcp__files__read mcp__files__write", ["mcp__files__read", "mcp__files__write"]],
    ["nothing", "", undefined],
    ["an unclosed parenthesis", "Read, Bash(git add, git", ["Read", "Bash(git add, git"]],
  ])("names its tools by %s", (_form, tools, expected) => {
    expect(parseSkill(`---\nname: a\nallowed-tools: ${tools}\n---\nGo.`, "SKILL.md").allowedTools).toEqual(expected);
  });

  test("may have Windows line ends, a byte order mark, rules in its text, no frontmatter, and an unquoted colon", () => {
    expect(parseSkill(`\uFEFF${file.replaceAll("\n", "\r\n")}`, "SKILL.md")).toEqual(parseSkill(file, "SKILL.md"));
    expect(parseSkill("---\nname: a\n---\nOne\n\n---\n\nTwo", "SKILL.md").instructions).toBe("One\n\n---\n\nTwo");
    expect(parseSkill("Just do it.", "SKILL.md", "folder")).toEqual({ name: "folder", instructions: "Just do it." });
    const loose = parseSkill("---\nname: a\ndescription: Use when: the tide is out # low\n---\nGo.", "SKILL.md");
    expect(loose.description).toBe("Use when: the tide is out # low");
  });

  test.each([
    ["no name", "Just do it."],
    ["no YAML", "---\nname: [a\n---\nGo."],
    ["a list of fields", "---\n- name\n---\nGo."],
    ["a description that is no text", "---\nname: a\ndescription:\n  - x\n---\nGo."],
    ["tools that are no texts", "---\nname: a\nallowed-tools:\n  - x: 1\n---\nGo."],
    ["a bomb of aliases", `---\nname: a\na: &a [x]\n${Array.from({ length: 40 }, (_, at) => `b${at}: *a`).join("\n")}\n---\nGo.`],
  ])("is refused, typed and named by its file, with %s", (_what, text) => {
    expect(() => parseSkill(text, "some/SKILL.md")).toThrow(TidemarkError);
    expect(() => parseSkill(text, "some/SKILL.md")).toThrow(/^some\/SKILL\.md: /);
  });
});

describe("skills on disk", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "skills-"));
    for (const name of ["b", "a", "empty"]) await mkdir(join(folder, name));
    await writeFile(join(folder, "a", "SKILL.md"), file);
    await writeFile(join(folder, "b", "SKILL.md"), "Go.");
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("are loaded by file, by folder, and all of a folder in the order of their names", async () => {
    expect(await loadSkill(join(folder, "a", "SKILL.md"))).toEqual(await loadSkill(join(folder, "a")));
    expect((await loadSkills(folder)).map(({ name }) => name)).toEqual(["tide-tables", "b"]);
    await expect(loadSkill(join(folder, "empty"))).rejects.toMatchObject({ code: "skill-file" });
    await mkdir(join(folder, "c"));
    await writeFile(join(folder, "c", "SKILL.md"), file);
    await expect(loadSkills(folder)).rejects.toThrow(/another skill of the name "tide-tables"/);
  });

  test("are said by a session's skill source (rule 22)", async () => {
    const mode = skill();
    const session = createSession({ wire: anthropic(), sources: [mode] });
    session.set(mode, await loadSkill(join(folder, "a")));
    const turn = await session.prepare({ model: "claude-opus-5-5", max_tokens: 100, messages: [{ role: "user", content: "Go." }] });
    expect(JSON.stringify(turn.request.messages)).toContain("Look at the port first.");
    expect(turn.said).toMatchObject([{ source: "skill", revision: 1, channel: "system" }]);
  });
});
