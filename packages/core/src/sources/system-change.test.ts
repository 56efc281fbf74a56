import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultWordings } from "../ledger/wordings.ts";
import { systemChangeText } from "./system-change.ts";

const change = (before: string, after: string): string => systemChangeText(before, after, defaultWordings);

const base = "You help with files.\nBe brief.\nToday is Monday.\nNever delete.";

describe("a changed system text is said (rule 25)", () => {
  test("by its changed lines", () => {
    expect(change(base, base.replace("Monday", "Tuesday"))).toBe(
      [
        "The system instructions have changed.",
        "These lines no longer hold:",
        "Today is Monday.",
        "These lines hold from now on:",
        "Today is Tuesday.",
        "Everything else in them still holds.",
      ].join("\n"),
    );
  });

  test("by what was added or removed alone", () => {
    expect(change(base, `${base}\nAsk first.`)).not.toContain("no longer hold");
    expect(change(`${base}\nAsk first.`, base)).not.toContain("from now on");
  });

  test("as a whole when most of it changed, or only its order", () => {
    const whole = "You write poems.\nIn French.";
    expect(change(base, whole)).toBe(`The system instructions are replaced by these:\n${whole}`);
    const moved = base.split("\n").reverse().join("\n");
    expect(change(base, moved)).toBe(`The system instructions are replaced by these:\n${moved}`);
  });

  test("with a line that stands twice counted twice", () => {
    expect(change(`${base}\nBe brief.`, base)).toContain("These lines no longer hold:\nBe brief.");
  });

  test("so that nothing of the new text is missing and nothing that still holds is taken back", () => {
    const lines = fc.array(fc.constantFrom("alpha", "beta", "gamma", "delta", "{text}", "$1"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const said = change(before.join("\n"), after.join("\n"));
        if (said.startsWith("The system instructions are replaced")) {
          expect(said.endsWith(after.join("\n"))).toBe(true);
          return;
        }
        const [removed = "", added = ""] = said.split("hold from now on:");
        const count = (list: readonly string[], line: string): number => list.filter((other) => other === line).length;
        for (const line of new Set([...before, ...after])) {
          const more = count(after, line) - count(before, line);
          if (more > 0) expect(count(added.split("\n"), line)).toBe(more);
          if (more < 0) expect(count(removed.split("\n"), line)).toBe(-more);
        }
      }),
    );
  });
});
