import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, result, text } from "../../test/speakers.ts";
import { breaks, sent, Talk } from "../../test/talk.ts";
import { estimateText } from "../wire/tokens.ts";
import { capText, tokensAbove } from "./result-cap.ts";
import { defaultWordings } from "./wordings.ts";

const lineMarker = /\[lines (\d+)-(\d+) of (\d+) left out\]/;
const characterMarker = /\n\[(\d+) characters left out\]\n/;

function capped(text: string, tokensMax: number, firstLine = 1): string {
  return capText(text, tokensMax, estimateText, defaultWordings, { firstLine });
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1} of the file\n`).join("");

/** Lines as tools print them, with the line ends that the last line may lack. */
const output = fc
  .tuple(
    fc.array(fc.string({ unit: "grapheme", maxLength: 60, size: "max" }), { minLength: 60, maxLength: 150, size: "max" }),
    fc.boolean(),
  )
  .map(([lines, ended]) => lines.map((line) => line.replaceAll("\n", " ")).join("\n") + (ended ? "\n" : ""));
const cap = fc.integer({ min: 64, max: 600 });

describe("a tool result above its cap (rule 13)", () => {
  test("is shown head and tail, and the marker names the lines between", () => {
    const text = capped(numbered(500), 200);
    const [, from, to, lines] = lineMarker.exec(text) ?? [];
    expect(text.startsWith("line 1 of the file\n")).toBe(true);
    expect(text.endsWith("line 500 of the file\n")).toBe(true);
    expect(text).toContain(
      `line ${Number(from) - 1} of the file\n[lines ${from}-${to} of 500 left out]\nline ${Number(to) + 1} of the file\n`,
    );
    expect(lines).toBe("500");
  });

  test("gives most of the room to the head, and some to the tail", () => {
    const [head = "", tail = ""] = capped(numbered(500), 200).split(lineMarker.exec(capped(numbered(500), 200))?.[0] ?? "-");
    expect(head.length).toBeGreaterThan(tail.length);
    expect(tail.length).toBeGreaterThan(head.length / 3);
  });

  test("names the file's own lines where a reader started further down", () => {
    const text = capped(numbered(500), 200, 1_001);
    const [, from, to, lines] = lineMarker.exec(text) ?? [];
    expect(Number(from)).toBeGreaterThan(1_001);
    expect(text).toContain(`line ${Number(from) - 1_001} of the file\n[`);
    expect(Number(to)).toBeLessThan(1_500);
    expect(lines).toBe("1500");
  });

  test("is cut between grapheme clusters where one line fills it", () => {
    const family = "👨‍👩‍👧‍👦";
    const text = capped(family.repeat(3_000), 200);
    const [head = "", , tail = ""] = text.split(characterMarker);
    expect(head).toBe(family.repeat(head.length / family.length));
    expect(tail).toBe(family.repeat(tail.length / family.length));
  });

  test("that is within its cap goes out as it is", () => {
    fc.assert(fc.property(output, (text) => capped(text, estimateText(text)) === text));
  });

  test("counts no more than its cap, whatever the text", () => {
    fc.assert(
      fc.property(output, cap, (text, tokensMax) => {
        expect(estimateText(capped(text, tokensMax))).toBeLessThanOrEqual(tokensMax);
      }),
      { numRuns: 100 },
    );
  });

  test("is what it was, head and tail, with nothing in between but what the marker counts", () => {
    fc.assert(
      fc.property(output, cap, fc.integer({ min: 1, max: 5_000 }), (text, tokensMax, firstLine) => {
        const shown = capped(text, tokensMax, firstLine);
        if (shown === text) return;
        const lines = lineMarker.exec(shown);
        if (lines === null) expectCharactersCut(text, shown);
        else expectLinesCut(text, shown, lines, firstLine);
      }),
      { numRuns: 100 },
    );
  });

  test("takes the room that it has, and less where the ends of the text are dense", () => {
    // Counts no marker, so that a first cut fits to the token.
    const count = (text: string): number => text.length - (characterMarker.exec(text)?.[0].length ?? 24) + 24;
    const text = capText("a".repeat(1_000), 100, count, defaultWordings);
    expect(text.replace(characterMarker, "")).toBe("a".repeat(76));
    const dense = (words: string): number => words.replaceAll(" ", "").length;
    const ends = "a".repeat(400) + " ".repeat(9_000) + "b".repeat(400);
    expect(dense(capText(ends, 200, dense, defaultWordings))).toBeLessThanOrEqual(200);
  });

  test.each([
    ["head", `${"a".repeat(4_000)}\n${numbered(200)}`],
    ["tail", `${numbered(200)}${"a".repeat(4_000)}`],
  ])("is cut between characters where a cut at line ends would leave little of its %s", (_which, text) => {
    const shown = capped(text, 200);
    expect(shown).toMatch(characterMarker);
    expectCharactersCut(text, shown);
    expect(estimateText(shown)).toBeGreaterThan(150);
  });

  test.each([
    ["head", `${"a".repeat(60)}\n${"b".repeat(300)}\n${"c\n".repeat(300)}`],
    ["tail", `${"c\n".repeat(300)}${"b".repeat(300)}\n${"a".repeat(40)}`],
  ])("is cut at a line end as long as that leaves more than half of its %s", (_which, text) => {
    const perCharacter = (words: string): number => words.length;
    expect(capText(text, 140, perCharacter, defaultWordings)).toMatch(lineMarker);
    expect(capText(text, 320, perCharacter, defaultWordings)).toMatch(characterMarker);
  });

  test("is nothing but the marker where the cap has no more room than that", () => {
    expect(capped(numbered(500), 4)).toMatch(/^\n\[\d+ characters left out\]\n$/);
    expect(capped(numbered(500), 1)).toMatch(/^\n\[\d+ characters left out\]\n$/);
  });

  test("says under which reference the whole is kept, and has room for that", () => {
    const shown = capText(numbered(500), 200, estimateText, defaultWordings, { reference: "result-1" });
    expect(shown).toContain(' left out; call recall with reference "result-1" to read them]\n');
    expect(estimateText(shown)).toBeLessThanOrEqual(200);
    expect(estimateText(shown)).toBeGreaterThan(130);
  });

  test("holds no half of a grapheme cluster where it was cut", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    const clusters = (text: string): readonly string[] => [...segmenter.segment(text)].map(({ segment }) => segment);
    const line = fc.array(fc.constantFrom("👨‍👩‍👧‍👦", "🇫🇷", "e\u0301", "각", "a", "\r"), { minLength: 400, maxLength: 900 });
    fc.assert(
      fc.property(line, (parts) => {
        const text = parts.join("");
        const [head = "", , tail = ""] = capped(text, 100).split(characterMarker);
        if (tail === "") return;
        const whole = clusters(text);
        expect(clusters(head)).toEqual(whole.slice(0, clusters(head).length));
        expect(clusters(tail)).toEqual(whole.slice(whole.length - clusters(tail).length));
      }),
    );
  });
});

function expectLinesCut(text: string, shown: string, marker: RegExpExecArray, firstLine: number): void {
  const [from = 0, to = 0, last = 0] = marker.slice(1).map(Number);
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  expect(last).toBe(firstLine + lines.length - 1);
  const head = lines.slice(0, from - firstLine).join("");
  const tail = lines.slice(to - firstLine + 1).join("");
  expect(shown).toBe(`${head}${marker[0]}\n${tail}`);
}

function expectCharactersCut(text: string, shown: string): void {
  const [head = "", count = "", tail = ""] = shown.split(characterMarker);
  expect(text.startsWith(head)).toBe(true);
  expect(text.endsWith(tail)).toBe(true);
  expect(head.length + Number(count) + tail.length).toBe(text.length);
}

describe("in a session, a cap (rule 13)", () => {
  const long = numbered(2_000);

  async function readsLong(options: ConstructorParameters<typeof Talk>[0] = {}, name = "read"): Promise<Talk> {
    const talk = new Talk({ toolResultCap: 256, ...options });
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1", name }] });
    await talk.results(["c1", long]);
    return talk;
  }

  test("is said in repairs, with the tool, what the result counted and the cap", async () => {
    const talk = await readsLong();
    expect(talk.turn?.repairs.resultsCapped).toEqual([{ id: "c1", tool: "read", tokens: estimateText(long), cap: 256 }]);
  });

  test("stays as it was decided, when the host hands over the whole text again and when it stores the capped one", async () => {
    const talk = await readsLong();
    const capped = sent(talk.turn);
    talk.answer({ text: "done" });
    expect(sent(await talk.ask("go on")).slice(0, 3)).toEqual(capped);
    talk.history = [...capped, ...talk.history.slice(3)];
    const turn = await talk.send();
    expect(sent(turn).slice(0, 3)).toEqual(capped);
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs.resultsCapped).toEqual([]);
  });

  test("is set a tool, may be none, and follows the window within 3,072 and 16,384 tokens where it is not set", async () => {
    const caps = { grep: 64, read: false } as const;
    const byTool = (tool: string): number | false | undefined => caps[tool as keyof typeof caps];
    expect((await readsLong({ toolResultCap: byTool })).turn?.repairs.resultsCapped).toEqual([]);
    expect((await readsLong({ toolResultCap: byTool }, "grep")).turn?.repairs.resultsCapped).toMatchObject([{ cap: 64 }]);
    const unset = await readsLong({ toolResultCap: () => undefined });
    // Opus 5.5: a window of a million, of which 1,000 are reserved for the answer; 1/48 of three quarters.
    expect(unset.turn?.repairs.resultsCapped).toMatchObject([{ cap: 15_609 }]);
  });

  test("asks the host where each text of a result starts that is more than text", async () => {
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
    const asked: string[] = [];
    const talk = new Talk({
      toolResultCap: 256,
      lines: (_call, said) => {
        asked.push(said.slice(0, 6));
        return said.startsWith("line 1") ? { from: 301 } : undefined;
      },
    });
    await talk.ask("read it");
    talk.answer([call("c1")]);
    talk.history.push({ role: "user", content: [result("c1", [text(long), picture, text(long.replace("line 1", "then 1"))])] });
    const said = JSON.stringify(sent(await talk.send()).at(-1));
    expect(asked).toEqual(["line 1", "then 1"]);
    expect(said).toMatch(/of 2300 left out\].*of 2000 left out\]/);
    expect(talk.turn?.repairs.resultsCapped).toHaveLength(2);
  });

  test("names the lines that the host says a reader started from", async () => {
    const talk = await readsLong({
      lines: ({ name, arguments: given }) => (name === "read" && given !== null ? { from: 301 } : undefined),
    });
    expect(JSON.stringify(sent(talk.turn).at(-1))).toMatch(/\[lines 3\d\d-2\d\d\d of 2300 left out\]/);
  });
});

describe("whether a text is above its cap (rule 13)", () => {
  test("is counted, whatever its length says", () => {
    expect(tokensAbove("𓀀𓁐𓂀".repeat(20), 100, estimateText)).toBe(estimateText("𓀀𓁐𓂀".repeat(20)));
    const plain = "word ".repeat(100);
    expect(tokensAbove(plain, estimateText(plain), estimateText)).toBeUndefined();
  });

  test("needs no count where not even its bytes could be so many tokens", () => {
    const counted: string[] = [];
    const count = (text: string): number => counted.push(text);
    expect(tokensAbove("x".repeat(1_000), 4_000, count)).toBeUndefined();
    expect(counted).toEqual([]);
    tokensAbove("x".repeat(1_000), 3_999, count);
    expect(counted).toHaveLength(1);
  });

  test("is the same as by counting alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.integer({ min: 0, max: 400 }), (text, tokensMax) => {
        const tokens = estimateText(text);
        expect(tokensAbove(text, tokensMax, estimateText)).toBe(tokens > tokensMax ? tokens : undefined);
      }),
      {
        examples: [
          ["\u0e80", 3],
          ["\u2800".repeat(50), 150],
        ],
      },
    );
  });
});
