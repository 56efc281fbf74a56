import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { gemini } from "../src/adapters/gemini/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { createSession, restoreSession, type Session, SnapshotError, TidemarkError, type Turn } from "../src/index.ts";
import type { Wire } from "../src/wire/wire.ts";
import { type CaseRequest, readCases } from "./case-files.ts";
import { messagesOf, withoutMarks } from "./case-player.ts";

const cases = readCases();
const sides = [
  { name: "Anthropic", wire: anthropic() as unknown as Wire, conversations: conversationsOf("anthropic-messages", undefined) },
  { name: "Gemini", wire: gemini() as unknown as Wire, conversations: conversationsOf("gemini", undefined) },
  { name: "Chat Completions", wire: openaiChat() as unknown as Wire, conversations: conversationsOf("openai-chat", undefined) },
  {
    name: "OpenRouter",
    wire: openaiChat({ dialect: "openrouter" }) as unknown as Wire,
    conversations: conversationsOf("openai-chat", "openrouter"),
  },
];

/** One change of a JSON value, somewhere in it. `at` picks the place among all that there are. */
type Mutation = { readonly at: number; readonly kind: "set" | "remove" | "double" | "swap" | "rename"; readonly value: fc.JsonValue };

const wireWords = [
  "text",
  "tool_use",
  "tool_result",
  "thinking",
  "user",
  "assistant",
  "system",
  "tool",
  "role",
  "content",
  "type",
  "id",
  "tool_calls",
  "parts",
  "model",
  "functionCall",
  "functionResponse",
  "thoughtSignature",
  "",
  " ",
];
const value: fc.Arbitrary<fc.JsonValue> = fc.oneof(
  fc.constantFrom<fc.JsonValue>(...wireWords, null, true, 0, -1, 1e300, [], {}, "\ud800", "__proto__"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("set", "remove", "double", "swap", "rename"),
  value,
});

describe.each(sides)("$name", ({ wire, conversations }) => {
  /** The requests of one case, of which some were changed in one to three places. */
  const changed = fc
    .tuple(fc.constantFrom(...conversations), fc.array(fc.tuple(fc.nat(), mutation), { minLength: 1, maxLength: 3 }))
    .map(([requests, changes]) => {
      const copies = structuredClone(requests) as CaseRequest[];
      for (const [position, change] of changes) {
        const index = position % copies.length;
        copies[index] = mutated(copies[index], change) as CaseRequest;
      }
      return copies;
    });

  test("requests changed at random are prepared well, or refused by a typed error that changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(changed, async (requests) => {
        const session = createSession({ wire, selfCheck: true, toolResultCap: 256 });
        const unexplained: string[] = [];
        session.on("invariant", ({ path }) => unexplained.push(path));
        let last: Turn<CaseRequest> | undefined;
        for (const request of requests) {
          const given = structuredClone(request);
          const turn = await prepared(session, request);
          expect(request).toStrictEqual(given);
          if (turn === undefined) continue;
          expectSendable(turn);
          if (last !== undefined && turn.continuity.checkpoints.length === 0) expectRepeated(last, turn);
          last = turn;
        }
        expect(unexplained).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("a request prepared, and after a restore, is the same", async () => {
    await fc.assert(
      fc.asyncProperty(changed, async (requests) => {
        const session = createSession({ wire, toolResultCap: 256 });
        for (const request of requests) await prepared(session, request);
        const last = requests.at(-1) as CaseRequest;
        const restored = restoreSession(JSON.parse(JSON.stringify(session.snapshot())), { wire, toolResultCap: 256 });
        const [here, there] = [await prepared(session, last), await prepared(restored, last)];
        if (here !== undefined && here.repairs.underRecap > 0 && lacksMedium(there)) return expectBroken(there);
        expect(JSON.stringify(there?.request)).toBe(JSON.stringify(here?.request));
        expect(there?.continuity.checkpoints).toEqual(here?.continuity.checkpoints);
      }),
      { numRuns: 60 },
    );
  });

  test("a snapshot that was cut or altered is refused whole, or it was no alteration", async () => {
    const texts: string[] = [];
    for (const requests of conversations.slice(0, 8)) {
      const session = createSession({ wire });
      for (const request of requests) await prepared(session, request);
      texts.push(JSON.stringify(session.snapshot()));
    }
    const altered = fc.oneof(
      fc
        .tuple(fc.constantFrom(...texts), mutation)
        .map(([text, change]) => ({ text, snapshot: mutated(JSON.parse(text), change) as unknown })),
      fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(200)).map(([text, from, length]) => {
        const at = from % text.length;
        return { text, snapshot: parsed(text.slice(0, at) + text.slice(at + length)) };
      }),
    );
    fc.assert(
      fc.property(altered, ({ text, snapshot }) => {
        const intact = JSON.stringify(restoreSession(JSON.parse(text), { wire }).snapshot());
        try {
          expect(JSON.stringify(restoreSession(snapshot, { wire }).snapshot())).toBe(intact);
        } catch (error) {
          expect(error).toBeInstanceOf(SnapshotError);
        }
      }),
      { numRuns: 120 },
    );
  });
});

async function prepared(session: Session, request: CaseRequest): Promise<Turn<CaseRequest> | undefined> {
  const before = JSON.stringify(session.snapshot());
  try {
    return await session.prepare(request);
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
    expect(error.path, error.message).toMatch(/^\$/);
    expect(JSON.stringify(session.snapshot())).toBe(before);
    return undefined;
  }
}

function expectSendable({ request, continuity }: Turn<CaseRequest>): void {
  const text = JSON.stringify(
    withoutMarks([messagesOf(request), request.system ?? null, request.systemInstruction ?? null, request.tools ?? null]),
  );
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(continuity.kept + continuity.appended).toBeLessThanOrEqual(messagesOf(request).length);
}

/** What was sent stands there again, up to the last reply that was sent. What came behind it may not have been answered; a reply at the end was a prefill. */
function expectRepeated(last: Turn<CaseRequest>, next: Turn<CaseRequest>): void {
  const answered =
    messagesOf(last.request)
      .slice(0, -1)
      .findLastIndex(({ role }) => role === "assistant" || role === "model") + 1;
  const [before, now] = [last, next].map(({ request }) =>
    messagesOf(request)
      .slice(0, answered)
      .map((message) => JSON.stringify(withoutMarks(message))),
  );
  expect(now).toEqual(before);
}

/** A picture that stands in a folded loop and that the history has no more: a snapshot holds no bytes of media (rule 14). */
function lacksMedium(turn: Turn<CaseRequest> | undefined): boolean {
  return JSON.stringify(turn?.request.messages ?? []).includes("bytes left out: it is no longer kept]");
}

function expectBroken(turn: Turn<CaseRequest> | undefined): void {
  expect(turn?.continuity.checkpoints.map(({ reason }) => reason)).toContain("history");
}

/** Those of a dialect, or of the wire's own. */
function conversationsOf(wire: string, dialect: string | undefined): readonly (readonly CaseRequest[])[] {
  const ours = cases.filter((given) => given.wire === wire && given.dialect === dialect);
  return ours.filter((given) => JSON.stringify(given.requests).length < 40_000).map(({ requests }) => requests);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Holder = { [name: string]: unknown };

/** Changes a private copy of JSON in place, but for a change of the whole. */
function mutated(root: unknown, { at, kind, value: given }: Mutation): unknown {
  const places = placesIn(root);
  const [holder, name] = places[at % Math.max(places.length, 1)] ?? [];
  if (holder === undefined || name === undefined) return given;
  const names = Object.keys(holder);
  const other = names[(names.indexOf(name) + 1) % names.length] as string;
  if (kind === "swap") [holder[name], holder[other]] = [holder[other], holder[name]];
  else if (Array.isArray(holder)) changeList(holder, Number(name), kind, given);
  else changeObject(holder, name, kind, given);
  return root;
}

function changeList(list: unknown[], position: number, kind: Mutation["kind"], given: unknown): void {
  if (kind === "remove") list.splice(position, 1);
  else if (kind === "double") list.splice(position, 0, structuredClone(list[position]));
  else list[position] = given;
}

function changeObject(object: Holder, name: string, kind: Mutation["kind"], given: unknown): void {
  const { [name]: member } = object;
  if (kind === "set") object[name] = given;
  else if (kind === "double") object[`${name}2`] = member;
  else delete object[name];
  const renamed = typeof given === "string" ? given.toWellFormed() : "renamed";
  if (kind === "rename") Object.defineProperty(object, renamed, { value: member, enumerable: true, configurable: true, writable: true });
}

function placesIn(value: unknown): readonly (readonly [Holder, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [[value as Holder, name] as const, ...placesIn(member)]);
}
