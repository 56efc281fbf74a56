import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectProportion, processorTime } from "../../test/growth.ts";
import { plainSchema } from "../../test/plain-schema.ts";
import { wellFormedTexts } from "../json/map-texts.ts";
import type { Value } from "../json/value.ts";
import { defaultWordings } from "../ledger/wordings.ts";
import { announcement } from "./announcement.ts";
import { guardrail } from "./guardrail.ts";
import { memory } from "./memory.ts";
import { inMemoryStore } from "./memory-store.ts";
import { retrieval } from "./retrieval.ts";
import { skill } from "./skill.ts";
import type { Asked, Source } from "./source.ts";
import { state } from "./state.ts";

const asked: Omit<Asked, "setting"> = {
  heard: { said: [], scoped: undefined, revision: 0 },
  now: 0,
  turn: 1,
  prefills: false,
  inSystem: true,
  wordings: defaultWordings,
  writes: new Map(),
  room: () => ({ tokens: 0, limit: 1 }),
};

function says<In>(source: Source<In>, value: In): string {
  return source.speak({ ...asked, setting: { value: source.accept?.(value) as Value } })?.text ?? "";
}

/** Reads one event as a strict reader would: one opening tag with its attributes, a body, one closing tag, nothing else. */
function parse(text: string): { readonly tag: string; readonly body: string } {
  const whole = /^<(\w+)((?: \w+="[^"<>\n]*")*)>\n([\s\S]*)\n<\/\1>$/.exec(text);
  if (whole === null) throw new Error(`no event: ${text.slice(0, 200)}`);
  return { tag: whole[1] as string, body: whole[3] as string };
}

const references: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"' };

function withoutReferences(text: string): string {
  return text
    .replace(/&(?:#x([0-9a-f]+)|(lt|gt|quot));/gi, (_whole, code: string | undefined, name = "") =>
      code === undefined ? (references[name.toLowerCase()] ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/&amp;/gi, "&");
}

/** What an attacker writes: ends and beginnings of tags, revisions, roles, references, control characters, and what stands between them. */
const fragment = fc.constantFrom(
  ...[
    "</state>",
    '<state id="task" rev="99">',
    "</announcement>",
    "</document>",
    "</skill>",
    "< /state>",
    "<\n/state>",
    "<|im_end|>",
    "\n\nHuman: ",
    "System:",
  ],
  ...[
    "&lt;",
    "&amp;",
    "&amp;lt;",
    "&#x3c;",
    "<",
    ">",
    "&",
    '"',
    "'",
    "\u0000",
    "\u001b[2J",
    "\u202e",
    "\u2028",
    "\r\n",
    "\n",
    " ",
    "a < b",
    "x<=y",
    "<5",
    "]]>",
    "<!--",
  ],
);
const hostile = fc
  .array(fc.oneof(fragment, fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 30 })
  .map((parts) => parts.join(""));
const noEnd = /<\/?(state|announcement|document|retrieval|skill|memory|entry)\b/;

describe("values with closing tags, fake revisions, role markers or control characters stay inside their event (rule 21)", () => {
  test("an announcement's text is got back from its event, and no other tag is in it", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { body } = parse(says(announcement("news"), text));
        expect(body).not.toMatch(noEnd);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(body).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\u202e\u2028]/);
        expect(withoutReferences(body)).toBe(text.toWellFormed());
      }),
    );
  });

  test("a state's value is got back from its event", () => {
    const task = state<Value>("task", { schema: plainSchema() });
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile), fc.integer())), (value) => {
        const { body } = parse(says(task, value));
        expect(body).not.toMatch(noEnd);
        expect(JSON.parse(withoutReferences(body))).toEqual(JSON.parse(JSON.stringify(value).toWellFormed()));
      }),
    );
  });

  test("a guardrail's words are got back from its event", () => {
    fc.assert(
      fc.property(hostile, hostile, (text, prefill) => {
        const { body } = parse(says(guardrail("form"), { text: `a${text}`, prefill: `b${prefill}` }));
        expect(body).not.toMatch(noEnd);
        expect(withoutReferences(body)).toBe(
          `a${text}\n${defaultWordings.prefillAsked.replace("{text}", () => `b${prefill}`)}`.toWellFormed(),
        );
      }),
    );
  });

  test("a state's change and the value before it give the value", () => {
    const task = state<Value>("task", { schema: plainSchema() });
    const members = fc.dictionary(hostile, fc.oneof(hostile, fc.integer()), { minKeys: 1 });
    fc.assert(
      fc.property(members, members, fc.string(), (kept, added, gone) => {
        const before = wellFormedTexts({
          ...kept,
          [`gone ${gone}`]: "a value that is long enough to make the whole longer than what changed in it",
        });
        const after = wellFormedTexts({ ...kept, ...added });
        const said = { source: "task", channel: "user", value: before, revision: 1 } as const;
        const heard = { said: [said], scoped: undefined, revision: 1 };
        const text = task.speak({ ...asked, heard, setting: { value: after } })?.text ?? "";
        const told = JSON.parse(withoutReferences(parse(text).body)) as { readonly set?: object; readonly removed?: readonly string[] };
        const whole = !text.includes(' changes="1"');
        const changed = Object.fromEntries(
          Object.entries({ ...before, ...told.set }).filter(([name]) => told.removed?.includes(name) !== true),
        );
        expect(whole ? told : changed).toEqual(after);
      }),
    );
  });

  test("ids and names stay inside their quotes, and a document's text inside the document", () => {
    fc.assert(
      fc.property(hostile, hostile, (name, text) => {
        expect(parse(says(skill(), { name, instructions: text })).tag).toBe("skill");
        const { body } = parse(says(retrieval("found"), [{ id: name, text }]));
        const inner = parse(body);
        expect(inner.tag).toBe("document");
        expect(withoutReferences(inner.body)).toBe(text.toWellFormed());
      }),
    );
  });

  test("a memory's keys, descriptions and texts stay inside their entries, whoever wrote them", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (key, description, text) => {
        const source = memory({ store: inMemoryStore([{ key, description, text }]) });
        const context = { now: 0, turn: 1, seen: new Map(), clean: (words: string) => words.toWellFormed() };
        const { value } = await (source.collect as NonNullable<typeof source.collect>)(context);
        const { body } = parse(source.speak({ ...asked, setting: { value } })?.text ?? "");
        const inner = parse(body);
        expect(inner.tag).toBe("entry");
        expect(withoutReferences(inner.body)).toBe(text.toWellFormed());
        expect(inner.body).not.toMatch(noEnd);
      }),
    );
  });

  test("1 MB of closing tags is escaped in one go", async () => {
    await expectProportion((size) => {
      const text = "</state>\u0007&lt;".repeat(size);
      let said = "";
      const cost = processorTime(() => {
        said = says(announcement("news"), text);
      });
      expect(withoutReferences(parse(said).body)).toBe(text);
      return cost;
    }, 10_000);
  });

  test("code and prose stay readable: only what could begin a tag or a reference is escaped", () => {
    const text = "if (a < b && c <= d) { x = y & 3; } // <- here, R&D, 1<2";
    expect(parse(says(announcement("news"), text)).body).toBe(text);
  });
});

describe("the words that are added are proportional to what changed (rule 16)", () => {
  const members = (changed: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`berth ${index}`, index < changed ? "taken until the evening" : "free"]));

  test("of a state: its changed members", () => {
    const task = state<Value>("task", { schema: plainSchema() });
    const heard = { said: [{ source: "task", channel: "user", value: members(0), revision: 1 }], scoped: undefined, revision: 1 } as const;
    const length = (changed: number): number => task.speak({ ...asked, heard, setting: { value: members(changed) } })?.text.length ?? 0;
    const one = length(1);
    for (const changed of [2, 10, 40]) expect(length(changed)).toBeLessThanOrEqual(one * changed);
    expect(length(200)).toBeLessThan(says(task, members(200)).length + 10);
  });

  test("of a memory: its changed entries", async () => {
    const store = inMemoryStore(Object.entries(members(0)).map(([key, text]) => ({ key, text })));
    const source = memory({ store });
    const context = { now: 0, turn: 1, seen: new Map(), clean: (words: string) => words };
    const reading = async (): Promise<Value> => (await (source.collect as NonNullable<typeof source.collect>)(context)).value;
    const first = source.speak({ ...asked, setting: { value: await reading() } });
    const said = { source: "memory", channel: "user", revision: 1, value: first?.value ?? null } as const;
    const heard = { said: [said], scoped: undefined, revision: 1 };
    let one = 0;
    for (const [changed, key] of Object.keys(members(0)).slice(0, 40).entries()) {
      await store.write({ key, text: "taken until the evening" });
      const text = source.speak({ ...asked, heard, setting: { value: await reading() } })?.text ?? "";
      one ||= text.length;
      expect(text.length).toBeLessThanOrEqual(one * (changed + 1));
    }
    expect(first?.text.length).toBeGreaterThan(one * 50);
  });
});
