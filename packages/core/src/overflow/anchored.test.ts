import { describe, expect, test } from "vitest";
import { Crowded, scripted } from "../../test/crowded.ts";
import { allOf } from "../../test/talk.ts";
import { anchored } from "./anchored.ts";

/** So many landings more, one for each text that the model writes. */
async function landings(talk: Crowded, count: number): Promise<void> {
  const before = talk.landings.length;
  for (let landing = 1; landing <= count; landing++) {
    await talk.exchange(2, 100);
    talk.session.compact();
    await talk.ask(`go on ${landing}`);
    talk.answer({ text: "yes" });
  }
  expect(talk.landings).toHaveLength(before + count);
}

/** The document as it stands in the window. */
function documentOf(talk: Crowded): string {
  return /## .*?(?=\\n<\/summary>)/s.exec(allOf(talk.turn))?.[0].replaceAll("\\n", "\n") ?? "";
}

describe("anchored (rule 38)", () => {
  test("merges what is new by section: older points stay as they were written, what is in progress is replaced", async () => {
    const summarizer = scripted(
      "## Requests\n- mend the clock\n## In progress\n- looks for the key\n## Facts\n- it stopped at noon",
      "Here is what is new:\n## Facts\n- it stopped at noon\n- the spring is broken\n## In progress:\n- orders a spring\n## Open\n- who pays",
      "## Open\n- none",
    );
    const talk = new Crowded(anchored({ summarizer }));
    await landings(talk, 2);
    expect(documentOf(talk)).toBe(
      [
        "## Requests\n- mend the clock",
        "## In progress\n- orders a spring",
        "## Open\n- who pays",
        "## Facts\n- it stopped at noon\n- the spring is broken",
      ].join("\n"),
    );
    await landings(talk, 1);
    expect(documentOf(talk)).not.toMatch(/who pays|none/);
    expect(documentOf(talk)).toContain("the spring is broken");
    const [first, second] = summarizer.asked;
    expect(first?.previous).toBeUndefined();
    expect(second?.previous).toContain("mend the clock");
    expect(second?.transcript).toContain("mend the clock");
    expect(second?.instructions).toContain("write only what the messages behind it add or change");
    expect(first?.instructions).not.toContain("write only what");
  });

  test("stays within its tokens however often it is merged: the oldest points go first", async () => {
    const answers = Array.from({ length: 6 }, (_, index) => {
      const points = Array.from({ length: 4 }, (__, at) => `- point ${index + 1}.${at + 1} of some length about copper and linen`);
      return ["## Done", ...points, "## Open", `- open ${index + 1}`].join("\n");
    });
    const talk = new Crowded(anchored({ summarizer: scripted(...answers), documentTokens: 150 }));
    for (let landing = 1; landing <= 6; landing++) {
      await landings(talk, 1);
      expect(documentOf(talk).length / 4).toBeLessThan(160);
      expect(documentOf(talk)).toContain(`point ${landing}.4`);
      expect(documentOf(talk)).toContain(`open ${landing}`);
    }
    expect(documentOf(talk)).not.toContain("point 1.1");
  });

  test("has the host's own sections", async () => {
    const sections = [
      { title: "Files", about: "files that were changed", keeps: "all" },
      { title: "Next", about: "the next step", keeps: "latest" },
    ] as const;
    const summarizer = scripted("## Files\na.ts\n## Next\nrun the tests");
    const talk = new Crowded(anchored({ summarizer, sections }));
    await landings(talk, 1);
    expect(documentOf(talk)).toBe("## Files\na.ts\n## Next\nrun the tests");
    expect(summarizer.asked[0]?.instructions).toContain("## Files: files that were changed.");
  });

  test.each<readonly [string, string | Error | object, string]>([
    ["has no heading", "They mended a clock.", "invalid"],
    ["is empty", " ", "empty"],
    ["is cut off", { text: "## Done\n- mended", complete: false }, "truncated"],
    ["is refused", { text: "I cannot", refused: true }, "refused"],
    ["does not come", new Error("529"), "overloaded"],
  ])("lands nothing of a text that %s (rule 36)", async (_what, answer, failure) => {
    const talk = new Crowded(anchored({ summarizer: scripted(answer) }));
    await talk.exchange(3, 100);
    talk.session.compact();
    await talk.ask("on");
    expect(talk.landings).toEqual([]);
    expect(talk.reports.at(-1)).toMatchObject({ status: "failed", error: { failure, strategy: "anchored" } });
  });
});
