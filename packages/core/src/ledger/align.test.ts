import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversation, type Exchange } from "../../test/random-talk.ts";
import { anthropicReshapings, chatReshapings, type Reshapings } from "../../test/reshapings.ts";
import { anthropicSpeaker, call, chatSpeaker, type Message, type Speaker, text, thinking } from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";

const wires: readonly { readonly speaker: Speaker; readonly reshapings: Reshapings }[] = [
  { speaker: anthropicSpeaker, reshapings: anthropicReshapings },
  { speaker: chatSpeaker, reshapings: chatReshapings },
];

/** Plays a conversation to its end. `handed`: what the host makes of the part of its history that was sent before. */
async function play(
  speaker: Speaker,
  exchanges: readonly Exchange[],
  handed: (history: readonly Message[], index: number) => readonly Message[],
  options: TalkOptions & { readonly restores?: boolean } = {},
): Promise<readonly (readonly string[])[]> {
  const { restores = false, ...own } = options;
  const talk = new Talk({ strict: false, ...own }, speaker);
  const requests: (readonly string[])[] = [];
  let history: readonly Message[] = [];
  let known = 0;
  for (const [index, { before, reply }] of exchanges.entries()) {
    history = [...history, ...before];
    talk.history = [...handed(history.slice(0, known), index), ...history.slice(known)];
    const turn = await talk.send();
    expect(breaks(turn)).toEqual([]);
    requests.push(bytes(turn));
    turn.settle(speaker.replied(reply));
    known = history.length;
    history = [...history, reply];
    if (restores) talk.restore();
  }
  return requests;
}

describe.each(wires)("on $speaker.name, a history that says the same in another way (rules 3 and 4)", ({ speaker, reshapings }) => {
  const names = Object.keys(reshapings);
  const some = fc.infiniteStream(fc.subarray(names, { minLength: 1, maxLength: 3 }));
  const reshape = (history: readonly Message[], chosen: readonly string[]): readonly Message[] =>
    structuredClone(chosen.reduce((shaped, name) => reshapings[name]?.(shaped) ?? shaped, history));

  test.each(names)("is sent with the same bytes and is no break: %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), async (exchanges) => {
        const plain = await play(speaker, exchanges, (history) => history);
        expect(await play(speaker, exchanges, (history) => reshape(history, [name]))).toEqual(plain);
      }),
      { numRuns: 10 },
    );
  });

  test("is sent with the same bytes, whatever ways are mixed", async () => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), some, async (exchanges, chosen) => {
        const plain = await play(speaker, exchanges, (history) => history);
        expect(await play(speaker, exchanges, (history) => reshape(history, chosen.next().value))).toEqual(plain);
      }),
      { numRuns: 25 },
    );
  });

  test("is sent with the same bytes by a session that was restored before every request (rule 48)", async () => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), some, async (exchanges, chosen) => {
        const plain = await play(speaker, exchanges, (history) => history);
        expect(await play(speaker, exchanges, (history) => reshape(history, chosen.next().value), { restores: true })).toEqual(plain);
      }),
      { numRuns: 25 },
    );
  });

  test("leaves the host's objects as they were, and what is handed out is frozen (rule 3)", async () => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), async (exchanges) => {
        const talk = new Talk({ strict: false }, speaker);
        talk.history = exchanges.flatMap(({ before, reply }) => [...before, reply]).slice(0, -1);
        const before = structuredClone(talk.history);
        const turn = await talk.send();
        expect(talk.history).toStrictEqual(before);
        expect(turn.request.messages.every((message) => isDeeplyFrozen(message))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

function isDeeplyFrozen(value: unknown): boolean {
  return typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));
}

/** The plain twin of alignment: every prefix of one history against that of the other, by what it says. Quadratic, and with nothing to get wrong. */
function plainBreak(before: readonly Message[], after: readonly Message[]): number | undefined {
  for (let length = 1; length <= before.length; length++) {
    if (meaning(before.slice(0, length)) === meaning(after.slice(0, length))) continue;
    const answered = before.slice(length - 1).some(isReply) || after.slice(before.length).some(isReply);
    return answered ? length - 1 : undefined;
  }
  return undefined;
}

function meaning(history: readonly Message[]): string {
  return JSON.stringify(history, (_name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function isReply({ role }: Message): boolean {
  return role === "assistant";
}

/** The history with the words of one leaf of one message changed. */
function edited(history: readonly Message[], at: number, leaf: number): readonly Message[] {
  const copy = structuredClone(history) as Message[];
  const leaves = [...textsIn(copy[at])];
  if (leaves.length === 0) return copy.toSpliced(at, 1, { role: "assistant", content: "edited" });
  const [holder, name] = leaves[leaf % leaves.length] as [Record<string, unknown>, string];
  holder[name] = name === "arguments" ? '{"edited":true}' : `${String(holder[name])} edited`;
  return copy;
}

const spoken = new Set(["content", "text", "arguments", "path"]);

function* textsIn(value: unknown): Generator<[Record<string, unknown>, string]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "string" && spoken.has(name)) yield [value as Record<string, unknown>, name];
    else yield* textsIn(member);
  }
}

// A model that binds no reasoning: where it is bound, an edit in an open loop waits (rule 62), which fold-loop.test.ts looks at.
const editable: readonly Speaker[] = [{ ...anthropicSpeaker, model: "claude-sonnet-4-6" }, chatSpeaker];

describe.each(editable)("on $name, one edit of a history", (speaker) => {
  const place = fc.record({ message: fc.nat(), leaf: fc.nat(), goesOn: fc.boolean(), restores: fc.boolean() });

  test("is one history checkpoint at the edited message, or none if nothing was answered behind it (rules 1 and 26)", async () => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), place, async (exchanges, { message, leaf, goesOn, restores }) => {
        const talk = new Talk({ strict: false }, speaker);
        for (const { before, reply } of exchanges.slice(0, -1)) {
          talk.history = [...talk.history, ...before];
          (await talk.send()).settle(speaker.replied(reply));
          talk.history = [...talk.history, reply];
        }
        const last = exchanges.at(-1) as Exchange;
        talk.history = [...talk.history, ...last.before];
        const first = await talk.send();
        const before = talk.history;
        first.settle(speaker.replied(last.reply));
        if (goesOn) talk.history = [...before, last.reply, speaker.user("go on")];
        talk.history = [...edited(talk.history, message % before.length, leaf)];
        const expected = plainBreak(before, talk.history);
        if (restores) talk.restore();
        const turn = await talk.send();
        const places = expected === undefined ? [] : [expected];
        expect(breaks(turn)).toEqual(places.map((at) => `history at ${at}`));
        expect(sent(turn).slice(0, expected ?? 0)).toEqual(sent(first).slice(0, expected ?? 0));
      }),
      { numRuns: 100 },
    );
  });
});

test.each([false, true])(
  "a reply that repeats the user's words is told from them: these are edited before it (rule 1), restored: %s",
  async (restores) => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("tide");
    talk.answer([text("tide")]);
    talk.history = talk.history.with(0, chatSpeaker.user("tides"));
    if (restores) talk.restore();
    expect(breaks(await talk.ask("go on"))).toEqual(["history at 0"]);
  },
);

describe.each([false, true])("a host that stores the window as it was sent (rules 4 and 5), restored: %s", (restores) => {
  test("is met by its words and by the reasoning that was taken out of them since", async () => {
    const talk = new Talk();
    await talk.ask("zero");
    talk.answer([thinking("0"), text("0")]);
    await talk.ask("one");
    talk.answer([text("reads"), call("c1")]);
    await talk.results(["c1", ""]);
    talk.answer([thinking("again"), call("c1")]);
    await talk.results(["c1", "b"]);
    talk.history = [...sent(talk.turn)];
    talk.answer([thinking("on"), call("c2")]);
    await talk.results(["c2", "c"]);
    talk.answer([thinking("done"), text("done")]);
    talk.history = talk.history.slice(2);
    const before = bytes(await talk.ask("go"));
    talk.answer([thinking("gone"), text("gone")]);
    if (restores) talk.restore();
    const turn = await talk.ask("and?");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(JSON.stringify(sent(turn))).toContain("gone");
  });

  test("may store what stood for a reply that was nothing but reasoning of another model", async () => {
    const talk = new Talk({}, { ...anthropicSpeaker, model: "claude-haiku-5-5" });
    await talk.ask("zero");
    talk.answer([thinking("only")]);
    const opus = { model: "claude-opus-5-5" };
    await talk.ask("one", opus);
    talk.answer([thinking("of opus"), text("1")]);
    const before = bytes(await talk.ask("two", opus));
    talk.history = [...sent(talk.turn)];
    talk.answer([thinking("of opus too"), text("2")]);
    if (restores) talk.restore();
    const turn = await talk.ask("three", opus);
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
  });
});

test("behind a restore a message that was mended at admission is no edit where its reply is met (rules 1, 9 and 48)", async () => {
  const talk = new Talk();
  await talk.ask("one");
  talk.answer({ text: "1" });
  await talk.ask("half \ud83d");
  talk.turn?.settle(talk.speaker.replied(talk.message({ text: "2" })));
  talk.history = [...talk.history, anthropicSpeaker.user("also this"), talk.message({ text: "2" })];
  talk.restore();
  expect(breaks(await talk.ask("three"))).toEqual([]);
});
