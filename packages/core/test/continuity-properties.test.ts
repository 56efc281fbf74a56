import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { checkPrefixContinuity } from "../src/continuity/check-prefix-continuity.ts";
import { type Path, pathText } from "../src/json/path.ts";
import type { Wire } from "../src/wire/wire.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Message = { [name: string]: Json };

/** One turn of a conversation: what is said, and how many calls the reply makes. */
type Turn = { readonly question: string; readonly thought: string | undefined; readonly answer: string; readonly calls: number };

const words = fc.string({ unit: fc.constantFrom(..."abcdefghij klmnop"), minLength: 3, maxLength: 20 }).map((text) => `w${text}w`);
const turns = fc.array(
  fc.record({ question: words, thought: fc.option(words, { nil: undefined }), answer: words, calls: fc.integer({ min: 0, max: 3 }) }),
  { minLength: 1, maxLength: 6 },
);

type Style = {
  readonly name: string;
  readonly wire: Wire;
  readonly model: string;
  readonly messages: (turn: Turn, position: number) => Message[];
};

const arguments_ = (position: number, call: number): Message => ({ place: `p${position}.${call}`, depth: call, tags: ["a", "b"] });

const styles: readonly Style[] = [
  {
    name: "anthropic",
    wire: anthropic() as unknown as Wire,
    model: "claude-opus-5-5",
    messages: ({ question, thought, answer, calls }, position) => [
      { role: "user", content: `${position} ${question}` },
      {
        role: "assistant",
        content: [
          ...(thought === undefined ? [] : [{ type: "thinking", thinking: `${position} ${thought}`, signature: `sig${position}` }]),
          { type: "text", text: `${position} ${answer}` },
          ...numbers(calls).map((call) => ({
            type: "tool_use",
            id: `c${position}.${call}`,
            name: "look",
            input: arguments_(position, call),
          })),
        ],
      },
      ...(calls === 0
        ? []
        : [
            {
              role: "user",
              content: numbers(calls).map((call) => ({
                type: "tool_result",
                tool_use_id: `c${position}.${call}`,
                content: `found ${position}.${call}`,
              })),
            },
          ]),
    ],
  },
  {
    name: "openai-chat",
    wire: openaiChat() as unknown as Wire,
    model: "gpt-5.5",
    messages: ({ question, answer, calls }, position) => [
      { role: "user", content: `${position} ${question}` },
      {
        role: "assistant",
        content: `${position} ${answer}`,
        ...(calls > 0 && {
          tool_calls: numbers(calls).map((call) => ({
            id: `c${position}.${call}`,
            type: "function",
            function: { name: "look", arguments: JSON.stringify(arguments_(position, call)) },
          })),
        }),
      },
      ...numbers(calls).map((call) => ({ role: "tool", tool_call_id: `c${position}.${call}`, content: `found ${position}.${call}` })),
    ],
  },
];

describe.each(styles)("on the wire $name", ({ wire, model, messages }) => {
  const request = (conversation: readonly Turn[]) => ({ model, messages: conversation.flatMap(messages) });
  const check = (previous: object, next: object) => checkPrefixContinuity(previous, next, { wire });

  test("a request continues itself, and each of its beginnings is continued by it", () => {
    fc.assert(
      fc.property(turns, fc.nat(), (conversation, cut) => {
        const whole = request(conversation);
        const beginning = { ...whole, messages: whole.messages.slice(0, cut % (whole.messages.length + 1)) };
        expect(check(whole, structuredClone(whole)).verdict).toBe("continues");
        expect(check(beginning, structuredClone(whole)).verdict).toBe("continues");
      }),
    );
  });

  test("keys in another order are equivalent", () => {
    fc.assert(
      fc.property(turns, (conversation) => {
        const whole = request(conversation);
        const report = check(whole, keysReversed(whole as unknown as Json) as object);
        expect(report.verdict).toBe("equivalent");
        expect(report.class).toBe("order");
      }),
    );
  });

  test("one edit is found where it was made, or above it", () => {
    fc.assert(
      fc.property(turns, fc.nat(), (conversation, pick) => {
        const whole = request(conversation);
        const places = leaves(whole.messages as unknown as Json).filter((path) => !["type", "role"].includes(String(path.at(-1))));
        const place = places[pick % places.length] as Path;
        const edited = structuredClone(whole);
        edit(edited.messages as unknown as Json, place);
        const report = check(whole, edited);
        const made = pathText(["messages", ...place]);
        expect(report.verdict).toBe("breaks");
        expect(made.startsWith(report.path ?? "none"), `${report.path} for ${made}`).toBe(true);
        expect(report.at).toBe(place[0]);
      }),
    );
  });

  test("a message that is taken out or put in is found where it was", () => {
    fc.assert(
      fc.property(turns, fc.nat(), (conversation, pick) => {
        const whole = request(conversation);
        const at = pick % whole.messages.length;
        const shorter = { ...whole, messages: whole.messages.toSpliced(at, 1) };
        expect(check(whole, shorter)).toMatchObject({ verdict: "breaks", at });
        const longer = { ...whole, messages: whole.messages.toSpliced(at, 0, { role: "user", content: "put in" }) };
        const report = check(whole, longer);
        expect(report.verdict === "breaks" ? report.at : at).toBe(at);
      }),
    );
  });
});

describe("cache marks", () => {
  const [{ wire, model, messages }] = styles as [Style];

  test("marks that are set, moved or taken away are equivalent", () => {
    fc.assert(
      fc.property(
        turns,
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        (conversation, before, after) => {
          const list = conversation.flatMap(messages);
          const previous = { model, messages: marked(list, before) };
          const next = { model, messages: marked(list, after) };
          const { verdict, provider } = checkPrefixContinuity(previous, next, { wire });
          expect(provider).toBeUndefined();
          expect(verdict).toBe(JSON.stringify(previous) === JSON.stringify(next) ? "continues" : "equivalent");
        },
      ),
    );
  });
});

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function keysReversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(keysReversed);
  if (typeof value === "string" && value.startsWith("{")) return JSON.stringify(keysReversed(JSON.parse(value) as Json));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, keysReversed(member)]),
  );
}

function leaves(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, Array.isArray(value) ? Number(name) : name]));
}

/** Changes the leaf: a text gets another letter inside, a number grows. */
function edit(value: Json, path: Path): void {
  let holder = value as Record<string | number, Json>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, Json>;
  const name = path.at(-1) as string | number;
  const leaf = holder[name] as Json;
  holder[name] = typeof leaf === "number" ? leaf + 1 : String(leaf).replace(/[a-z]/, "Z");
}

/** A mark on the last block of some messages. */
function marked(list: readonly Message[], places: readonly number[]): Message[] {
  const at = new Set(places.map((place) => place % list.length));
  return list.map((message, index) => {
    if (!at.has(index)) return message;
    const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : [...(message.content as Message[])];
    blocks.push({ ...(blocks.pop() as Message), cache_control: { type: "ephemeral" } } as never);
    return { ...message, content: blocks };
  });
}
