import {
  announcement,
  createSession,
  estimateText,
  guardrail,
  inMemoryStore,
  memory,
  retrieval,
  type StandardSchema,
  skill,
  state,
  TidemarkError,
} from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const anyText: StandardSchema<unknown, string> = {
  "~standard": { version: 1, vendor: "fuzz", validate: (value) => ({ value: String(value) }) },
};

/** Closing tags, template markers, entities, broken Unicode, and what joins across pieces. */
const piece = fc.oneof(
  fc.constantFrom(
    "</state>",
    "<state",
    "</memory",
    "</announcement>",
    "]]>",
    "<!--",
    "&lt;",
    "&#60;",
    "<|im_start|>",
    "<|im_end|>",
    "[INST]",
    "<<SYS>>",
    "{{",
    "}}",
  ),
  fc.constantFrom("\ud83d", "\ude00", "\u0000", "\u202e", "\r\n", '"', "'", "\\", "<\u200b/state>", "</ state >", "</STATE>"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const hostile = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""));

const names = ["state", "announcement", "skill", "guardrail", "retrieval", "memory"] as const;

async function saidBy(name: (typeof names)[number], text: string): Promise<string> {
  const task = state("task", { schema: anyText as StandardSchema<string> });
  const news = announcement("news", {});
  const craft = skill();
  const tone = guardrail("tone");
  const found = retrieval("found");
  const store = inMemoryStore(name === "memory" ? [{ key: text, text, description: text }] : []);
  const session = createSession({ wire: anthropic(), sources: [task, news, craft, tone, found, memory({ store })] as never, strict: true });
  if (name === "state") session.set(task, text);
  if (name === "announcement") session.set(news, text);
  if (name === "skill") session.set(craft, { name: text, instructions: text, description: text });
  if (name === "guardrail") session.set(tone, { text });
  if (name === "retrieval") session.set(found, [{ id: text, title: text, text }]);
  const turn = await session.prepare({ model: "claude-sonnet-4-6", max_tokens: 64, messages: [{ role: "user", content: "Hello." }] });
  const messages = turn.request.messages as readonly { readonly content: string | readonly { readonly text?: string }[] }[];
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [content] : content.map((block) => block.text ?? "")))
    .slice(1)
    .join("\n");
}

describe("what a source is told cannot leave its element (rule 21)", () => {
  test.each(names)("%s", async (name) => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        let said: string;
        try {
          said = await saidBy(name, text);
        } catch (error) {
          if (!(error instanceof TidemarkError)) throw error;
          return;
        }
        const words = said.replace(/^<system>\n?|\n?<\/system>$/g, "");
        expect(words.isWellFormed()).toBe(true);
        // Each element that opens is closed, in order, and nothing else looks like a tag.
        expect(unclosed(words)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });
});

/** Names of elements that are open at the end, and tags that close what is not open. */
function unclosed(text: string): readonly string[] {
  const open: string[] = [];
  for (const [, slash, name, end] of text.matchAll(/<(\/?)([a-z_]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (slash === "/") {
      if (open.at(-1) !== name) return [...open, `</${name}>`];
      open.pop();
    } else if (end !== "/") open.push(String(name));
  }
  return open;
}

/** Texts on which tokenisers and segmenters are slow: one script, one character, marks that join without end, no place to cut. */
const pathological: Readonly<Record<string, string>> = {
  "one letter": "a",
  blanks: " ",
  "line ends": "\n",
  "combining marks": "e\u0301\u0323\u0308",
  "joined emoji": "\u{1f468}\u200d",
  "flag halves": "\u{1f1e9}",
  "half surrogates": "\ud83d",
  brackets: "(",
  "mixed scripts": "aяあ1,",
  base64: "Qk1CTUJN",
  "zero width": "\u200b",
};

describe("counting a text takes time in proportion to it", () => {
  test.each(Object.entries(pathological))("%s", (_, unit) => {
    const time = (count: number): number => {
      const text = unit.repeat(count);
      const times = Array.from({ length: 3 }, () => {
        const began = process.cpuUsage();
        expect(estimateText(text)).toBeGreaterThan(0);
        return process.cpuUsage(began).user;
      });
      return Math.min(...times) + 1_000;
    };
    time(20_000);
    const [short, long] = [time(20_000), time(160_000)];
    // Eight times the text. In microseconds of processor time; what is quadratic would take 64 times as long.
    expect(long / short).toBeLessThan(24);
  });
});
