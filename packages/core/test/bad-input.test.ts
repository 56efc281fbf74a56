import { types } from "node:util";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { gemini, geminiInteractions } from "../src/adapters/gemini/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { createSession, restoreSession, type Session, SnapshotError, TidemarkError, type Turn } from "../src/index.ts";
import type { Wire } from "../src/wire/wire.ts";
import { type BadValue, badValues } from "./bad-values.ts";
import {
  chatReply,
  chatRequest,
  claudeReply,
  claudeRequest,
  geminiReply,
  geminiRequest,
  interactionReply,
  interactionRequest,
  type Request,
} from "./sample-bodies.ts";

type Place = readonly (string | number)[];
type Side = {
  readonly name: string;
  readonly wire: Wire;
  readonly request: () => Request;
  readonly reply: () => object;
  /** Under which name the request has its messages. */
  readonly list: "messages" | "contents" | "input";
  readonly opening: number;
};

const sides: readonly Side[] = [
  { name: "Anthropic", wire: anthropic() as unknown as Wire, request: claudeRequest, reply: claudeReply, list: "messages", opening: 1 },
  { name: "Chat Completions", wire: openaiChat() as unknown as Wire, request: chatRequest, reply: chatReply, list: "messages", opening: 2 },
  { name: "Gemini", wire: gemini() as unknown as Wire, request: geminiRequest, reply: geminiReply, list: "contents", opening: 1 },
  {
    name: "Interactions",
    wire: geminiInteractions() as unknown as Wire,
    request: interactionRequest,
    reply: interactionReply,
    list: "input",
    opening: 1,
  },
];

describe.each(sides)("$name: whatever a host puts into a request", ({ wire, request, list, opening }) => {
  test.each(placesIn(request()).map((place, index) => [nameOf(place), place, index] as const))(
    "at %s is sent well or refused by a typed error, and a refused one changes nothing",
    async (_, place, index) => {
      const parent = createSession({ wire });
      const start = request();
      await parent.prepare(cutAt(start, list, opening));
      const before = JSON.stringify(parent.snapshot());
      const faults: string[] = [];
      for (const bad of inTurns(index, 3)) {
        const session = parent.fork();
        const fault = await faultOfRequest(session, () => frozen(withValue(request(), place, bad.make())) as Request, { place, list, bad });
        if (fault !== undefined) faults.push(`${bad.name}: ${fault}`);
      }
      expect(faults).toEqual([]);
      expect(JSON.stringify(parent.snapshot())).toBe(before);
    },
  );
});

describe.each(sides)("$name: whatever a provider's reply holds", ({ wire, request, reply, list, opening }) => {
  test.each(placesIn(reply()).map((place, index) => [nameOf(place), place, index] as const))(
    "at %s is settled or refused by a typed error, and a refused one changes nothing",
    async (_, place, index) => {
      const faults: string[] = [];
      let open: { readonly session: Session; readonly turn: Turn } | undefined;
      for (const bad of inTurns(index, 3)) {
        open ??= await openTurn(wire, cutAt(request(), list, opening));
        const { fault, settled } = faultOfSettle(open.session, wire, open.turn, frozen(withValue(reply(), place, bad.make())) as object);
        if (fault !== undefined) faults.push(`${bad.name}: ${fault}`);
        if (settled) open = undefined;
      }
      expect(faults).toEqual([]);
    },
  );
});

describe("whatever a host gives as options or snapshot", () => {
  const names =
    "wire history systemChanges reasoning trims ignore toolResultCap cache ttl headers reasoningMismatch strict selfCheck redact deferred callReason lines countText endpoint now";

  test("is taken or refused by an error that names the option", () => {
    const faults: string[] = [];
    const wire = anthropic();
    for (const bad of badValues) {
      for (const name of [undefined, ...names.split(" ")]) {
        const error = thrownBy(() =>
          createSession((name === undefined ? bad.make() : { wire, [name]: bad.make() }) as { wire: typeof wire }),
        );
        if (error === undefined) continue;
        const typed =
          error instanceof TidemarkError &&
          error.code === "invalid-option" &&
          error.path?.startsWith(name === undefined ? "$" : `$.${name}`);
        if (!typed) faults.push(`${name ?? "all"}, ${bad.name}: ${describeError(error)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test.each(sides)("is no snapshot of $name and is refused whole", async ({ wire, request, reply, list, opening }) => {
    const session = createSession({ wire });
    (await session.prepare(cutAt(request(), list, opening))).settle(reply());
    const snapshot = JSON.stringify(session.snapshot());
    const intact = JSON.stringify(restoreSession(JSON.parse(snapshot), { wire }).snapshot());
    const faults: string[] = [];
    for (const [index, place] of [[], ...placesIn(JSON.parse(snapshot) as object)].entries()) {
      for (const bad of inTurns(index, 7)) {
        const altered = withValue(JSON.parse(snapshot), place, bad.make());
        let again: string | undefined;
        const error = thrownBy(() => {
          again = JSON.stringify(restoreSession(altered, { wire }).snapshot());
        });
        if (!(error instanceof SnapshotError) && again !== intact) faults.push(`${nameOf(place)}, ${bad.name}: ${describeError(error)}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

test("a request with 50 MB in one string is sent as it is, and repeated without a copy", async () => {
  const session = createSession({ wire: anthropic() });
  const long = "0123456789".repeat(5_000_000);
  const messages = [{ role: "user", content: long }];
  const first = await session.prepare({ ...claudeRequest(), messages });
  const later = [...messages, { role: "assistant", content: "oh" }, { role: "user", content: "go on" }];
  const next = await session.prepare({ ...claudeRequest(), messages: later });
  expect(next.continuity.checkpoints).toEqual([]);
  expect(next.request.messages[0]).toBe(first.request.messages[0]);
  expect(first.request.messages[0]?.content).toEqual([{ type: "text", text: long }]);
});

/** One in so many of the bad values, others at each place: a place is read like those beside it. */
function inTurns(index: number, share: number): readonly BadValue[] {
  return badValues.filter((_, number) => number % share === index % share);
}

/** The request with its first messages only. */
function cutAt(request: Request, list: Side["list"], to: number): Request {
  return { ...request, [list]: (request[list] as readonly object[]).slice(0, to) };
}

/** What Tidemark answers for: messages, system text and tools, under whichever names. What the host has beside them is its own. */
function answeredFor(request: Request): readonly unknown[] {
  return ["messages", "contents", "input", "system", "systemInstruction", "system_instruction", "tools"].map((name) => request[name]);
}

type Altered = { readonly place: Place; readonly list: Side["list"]; readonly bad: BadValue };

async function faultOfRequest(session: Session, make: () => Request, { place, list, bad }: Altered): Promise<string | undefined> {
  const before = JSON.stringify(session.snapshot());
  let turn: Turn<Request>;
  try {
    turn = await session.prepare(make());
  } catch (error) {
    if (!(error instanceof TidemarkError)) return describeError(error);
    if (JSON.stringify(session.snapshot()) !== before) return `refused (${error.code}), but the session changed`;
    return isNear(error, place, list) ? undefined : `${error.code} names ${error.path}`;
  }
  return faultOfSent(turn) ?? (await faultOfRepeat(session, make, turn, bad));
}

/** What was prepared can be sent: it is JSON, of well-formed text. */
function faultOfSent({ request }: Turn<Request>): string | undefined {
  const error = thrownBy(() => JSON.stringify(answeredFor(request)));
  if (error !== undefined) return `prepared what cannot be sent: ${describeError(error)}`;
  return /\\ud[89a-f]/i.test(JSON.stringify(answeredFor(request))) ? "prepared broken Unicode" : undefined;
}

/** The same history again is the same request. */
async function faultOfRepeat(session: Session, make: () => Request, turn: Turn<Request>, bad: BadValue): Promise<string | undefined> {
  if (bad.changes === true) return undefined;
  const again = await session.prepare(make()).catch((error: unknown) => describeError(error));
  if (typeof again === "string") return `the second time: ${again}`;
  if (again.continuity.checkpoints.length > 0) return `the second time a checkpoint: ${JSON.stringify(again.continuity.checkpoints)}`;
  const [first, second] = [turn, again].map(({ request }) => JSON.stringify(answeredFor(request)));
  return first === second ? undefined : "the second time another request";
}

/** A turn that waits for its reply. A reply that is refused leaves it as it was, for the next one. */
async function openTurn(wire: Wire, request: Request): Promise<{ readonly session: Session; readonly turn: Turn }> {
  const session = createSession({ wire });
  return { session, turn: await session.prepare(request) };
}

type SettleFault = { readonly fault: string | undefined; readonly settled: boolean };

function faultOfSettle(session: Session, wire: Wire, turn: Turn, reply: object): SettleFault {
  const before = JSON.stringify(session.snapshot());
  const error = thrownBy(() => turn.settle(reply));
  if (error === undefined) {
    const restored = thrownBy(() => restoreSession(JSON.parse(JSON.stringify(session.snapshot())), { wire }));
    const fault = restored === undefined ? undefined : `settled, but the snapshot is bad: ${describeError(restored)}`;
    return { fault, settled: true };
  }
  if (!(error instanceof TidemarkError) || error.path === undefined) return { fault: describeError(error), settled: false };
  const changed = JSON.stringify(session.snapshot()) !== before;
  return { fault: changed ? `refused (${error.code}), but the session changed` : undefined, settled: changed };
}

/** An error about a place names its message, or another where the value makes that one wrong: a result without its call. What throws when it is read has no place. */
function isNear({ code, path }: TidemarkError, place: Place, list: Side["list"]): boolean {
  if (path === undefined) return false;
  if (code === "value-unreadable") return path.startsWith("$");
  return place[0] !== list || typeof place[1] !== "number" ? path.startsWith("$") : path.startsWith(`$.${list}[`);
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

function describeError(error: unknown): string {
  if (error instanceof TidemarkError) return `${error.name} ${error.code} at ${error.path}`;
  return error instanceof Error ? `untyped ${error.name}: ${error.message}` : String(error);
}

function placesIn(value: object): readonly Place[] {
  return Object.entries(value).flatMap(([name, member]): readonly Place[] => {
    const step = Array.isArray(value) ? Number(name) : name;
    const inner = typeof member === "object" && member !== null ? placesIn(member) : [];
    return [[step], ...inner.map((place): Place => [step, ...place])];
  });
}

function nameOf(place: Place): string {
  return place.length === 0 ? "$" : place.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}

function withValue(root: unknown, place: Place, value: unknown): unknown {
  const last = place.at(-1);
  if (last === undefined) return value;
  let holder = root as Record<string | number, unknown>;
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  holder[last] = value;
  return root;
}

/** Frozen as far as it is plain data, so that whoever writes to the host's objects is caught by a TypeError. */
function frozen(value: unknown, seen: Set<object> = new Set()): unknown {
  if (typeof value !== "object" || value === null || types.isProxy(value) || seen.has(value) || seen.size > 2_000) return value;
  if (![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))) return value;
  seen.add(value);
  Object.freeze(value);
  for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value))) frozen(descriptor.value, seen);
  return value;
}
