import { describe, expect, test } from "vitest";
import {
  anthropicSpeaker,
  type Block,
  type Body,
  bedrockSpeaker,
  call,
  chatSpeaker,
  type Message,
  result,
  type Speaker,
  text,
} from "../../test/speakers.ts";
import { type Change, changes, stories } from "../../test/stories.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent, Talk } from "../../test/talk.ts";
import type { Turn } from "../session/turn.ts";
import { estimateText } from "../wire/tokens.ts";

const read = { name: "read", description: "Reads a file.", input_schema: { type: "object", properties: { path: { type: "string" } } } };
const grep = { ...read, name: "grep" };
/** The same with its keys in another order. */
const moved = { input_schema: read.input_schema, description: read.description, name: read.name };

/** Two exchanges; the second reply is not stored yet. */
async function talked(head: object = {}, speaker: Speaker = anthropicSpeaker, thought?: string): Promise<Talk> {
  const talk = new Talk({ budget: { measure: "counter" } }, speaker);
  talk.head = { max_tokens: 1_000, ...head };
  await talk.ask("one");
  talk.answer({ text: "1", ...(thought === undefined ? {} : { thinking: thought }) });
  await talk.ask("two");
  talk.answer({ text: "2" });
  return talk;
}

describe("a checkpoint (rule 26)", () => {
  test("carries the window, the place, its path and class, what stands behind it and its price, and the reasoning that it voids", async () => {
    const talk = await talked({}, anthropicSpeaker, "first");
    talk.history[0] = anthropicSpeaker.user("one, edited");
    const turn = await talk.ask("three");
    const behind = turn.request.messages.map((message) => estimateText(JSON.stringify(message))).reduce((sum, tokens) => sum + tokens);
    const checkpoint = onlyCheckpoint(turn);
    expect(checkpoint).toEqual({
      ...{ reason: "history", window: 3, at: 0, path: "$.messages[0].content[0].text", class: "edit" },
      ...{ tokens: checkpoint.tokens, price: (checkpoint.tokens * 4) / 1_000_000 },
      ...{ voids: ["$.messages[1].content[0]"], signed: undefined, hint: undefined },
    });
    expect(checkpoint.tokens).toBeGreaterThan(0);
    expect(checkpoint.tokens).toBeLessThan(behind);
    expect(JSON.parse(JSON.stringify(checkpoint))).toMatchObject({ reason: "history", window: 3 });
  });

  test("counts what stands behind its place only", async () => {
    const long = "many words about nothing ".repeat(200);
    const [early, late] = [await talked(), await talked()];
    early.history[0] = anthropicSpeaker.user(long);
    late.history[2] = anthropicSpeaker.user(long);
    const [first, second] = [onlyCheckpoint(await early.ask("three")), onlyCheckpoint(await late.ask("three"))];
    expect(second.at).toBe(2);
    expect(second.tokens).toBeLessThan(first.tokens);
    expect(second.tokens).toBeGreaterThan(estimateText(long) - 1);
  });

  test("has no price where none is known", async () => {
    const talk = await talked({}, chatSpeaker);
    talk.history[0] = chatSpeaker.user("one, edited");
    expect(onlyCheckpoint(await talk.ask("three")).price).toBeUndefined();
  });

  test("is told to listeners, once a request that is sent", async () => {
    const talk = await talked();
    const heard: unknown[] = [];
    talk.session.on("checkpoint", (checkpoint) => heard.push(checkpoint));
    talk.history[0] = anthropicSpeaker.user("one, edited");
    talk.history.push(anthropicSpeaker.user("three"));
    talk.session.peek(talk.request());
    const turn = await talk.send();
    expect(heard).toEqual(turn.continuity.checkpoints);
  });
});

describe("the place of a break in the messages (rules 1 and 26)", () => {
  test.each([
    ["an edited word", (talk: Talk) => talk.history.splice(2, 1, anthropicSpeaker.user("two!")), "history at 2", "edit"],
    ["a message put in", (talk: Talk) => talk.history.splice(1, 0, anthropicSpeaker.user("by the way")), "history at 1", "insertion"],
    ["a message taken out", (talk: Talk) => talk.history.splice(1, 2), "history at 1", "removal"],
    ["another reply", (talk: Talk) => talk.history.splice(1, 5, { role: "assistant", content: "uno" }), "history at 1", "edit"],
  ] as const)("%s", async (_what, change, place, kind) => {
    const talk = await talked();
    await talk.ask("three");
    talk.answer({ text: "3" });
    change(talk);
    const turn = await talk.ask("four");
    expect(breaks(turn)).toEqual([place]);
    expect(onlyCheckpoint(turn).class).toBe(kind);
  });

  test("is not before the last reply that the new history shows: what is not answered may change", async () => {
    const talk = await talked();
    const asked = bytes(await talk.ask("three"));
    for (const words of ["three, corrected", "another question"]) {
      talk.history[4] = anthropicSpeaker.user(words);
      const turn = await talk.send();
      expect(breaks(turn)).toEqual([]);
      expect(bytes(turn).slice(0, 4)).toEqual(asked.slice(0, 4));
    }
    talk.history = talk.history.slice(0, 4);
    talk.history.push({ role: "user", content: [text("shorter")] });
    expect(breaks(await talk.send())).toEqual([]);
  });

  test("is a changed unanswered turn once its reply is there", async () => {
    const talk = await talked();
    talk.history[2] = anthropicSpeaker.user("two, reworded");
    expect(breaks(await talk.ask("three"))).toEqual(["history at 2"]);
  });

  test("counts the messages of the request: on a wire without a system field the leading ones, too", async () => {
    const talk = new Talk({}, chatSpeaker);
    talk.history = [{ role: "system", content: "be brief" }];
    await talk.ask("one");
    talk.answer({ text: "1" });
    await talk.ask("two");
    talk.answer({ text: "2" });
    talk.history[1] = chatSpeaker.user("uno");
    const checkpoint = onlyCheckpoint(await talk.ask("three"));
    expect(checkpoint.at).toBe(1);
    expect(checkpoint.path).toMatch(/^\$\.messages\[1\]/);
  });

  test("is the same request again: nothing", async () => {
    const talk = await talked();
    const before = bytes(await talk.ask("three"));
    expect(bytes(await talk.send())).toEqual(before);
    expect(talk.turn?.continuity).toMatchObject({ kept: 5, appended: 0, checkpoints: [] });
  });
});

describe("the head (rules 1, 25 and 26)", () => {
  const head = { system: "be brief", tools: [read, grep], thinking: { type: "adaptive" }, output_config: { effort: "high" } };

  test.each([
    ["system", { system: "be long" }, "$.system[0].text", "edit"],
    ["tools", { tools: [read] }, "$.tools[1]", "removal"],
    ["tools", { tools: [read, { ...grep, description: "Greps." }] }, "$.tools[1].description", "edit"],
    ["tools", { tools: [read, grep, { ...read, name: "ls" }] }, "$.tools[2]", "insertion"],
    ["params", { output_config: { effort: "low" } }, "$.output_config", "parameter"],
  ])("a changed head is a %s checkpoint at 0: %j", async (reason, change, path, kind) => {
    const talk = await talked(head);
    talk.history.push(anthropicSpeaker.user("three"));
    const turn = await talk.send(change);
    expect(breaks(turn)).toEqual([`${reason} at 0`]);
    expect(onlyCheckpoint(turn)).toMatchObject({ path: expect.stringContaining(path), class: kind });
    expect(turn.continuity.kept).toBe(0);
  });

  test("another model is a model checkpoint, and no second one for the defaults that come with it", async () => {
    const talk = await talked({ thinking: { type: "adaptive" } });
    talk.history.push(anthropicSpeaker.user("three"));
    expect(breaks(await talk.send({ model: "claude-sonnet-4-6" }))).toEqual(["model at 0"]);
  });

  test("it explains reasoning that comes back where the unanswered words behind it are corrected, or more is said; not an edit (rules 2 and 15)", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer({ thinking: "so", text: "1" });
    const start = talk.history;
    const asks = async (history: readonly Message[], model: string): Promise<Turn<Body>> => {
      talk.history = [...history];
      return talk.send({ model });
    };
    const user = anthropicSpeaker.user;
    expect(breaks(await asks([...start, user("two")], "claude-haiku-4-5"))).toEqual(["model at 0"]);
    const corrected = await asks([...start, user("TWO")], anthropicSpeaker.model);
    expect(breaks(corrected)).toEqual(["model at 0"]);
    expect(allOf(corrected)).toContain("so");
    expect(breaks(await asks([...start, user("TWO"), user("too")], "claude-haiku-4-5"))).toEqual(["model at 0"]);
    const edited = await asks([user("ONE"), ...start.slice(1), user("TWO")], anthropicSpeaker.model);
    expect(breaks(edited)).toEqual(["model at 0", "history at 0"]);
  });

  test.each([
    ["max_tokens", { max_tokens: 50 }],
    ["metadata", { metadata: { user_id: "u" } }],
    ["stop_sequences", { stop_sequences: ["END"] }],
    ["the keys of a schema moved", { tools: [moved, grep] }],
    ["tools in another order", { tools: [grep, read] }],
    ["a system string as a block", { system: [text("be brief")] }],
    ["a schema with toJSON", { tools: [{ ...read, input_schema: { toJSON: () => read.input_schema } }, grep] }],
    ["marks in the head", { system: [{ ...text("be brief"), cache_control: { type: "ephemeral" } }] }],
  ])("what is not in the prefix, or reads alike, is none: %s", async (_what, change) => {
    const talk = await talked(head);
    const before = talk.turn?.request as unknown as { tools: unknown; system: readonly object[] };
    talk.history.push(anthropicSpeaker.user("three"));
    const turn = await talk.send(change);
    expect(breaks(turn)).toEqual([]);
    const now = turn.request as unknown as typeof before;
    expect(JSON.stringify(now.tools)).toBe(JSON.stringify(before.tools));
    expect(now.system[0]).toMatchObject(before.system[0] as object);
  });

  test("tools that stay keep their place and bytes, new ones stand behind them", async () => {
    const talk = await talked(head);
    talk.history.push(anthropicSpeaker.user("three"));
    const ls = { ...read, name: "ls" };
    const turn = await talk.send({ tools: [ls, grep, moved] });
    expect(JSON.stringify((turn.request as unknown as { tools: unknown }).tools)).toBe(JSON.stringify([read, grep, ls]));
  });

  test("is the leading system messages on a wire without a system field", async () => {
    const talk = await talked({}, chatSpeaker);
    const [first, ...rest] = talk.history;
    talk.history = [{ role: "system", content: "be brief" }, ...(first === undefined ? [] : [first]), ...rest];
    expect(breaks(await talk.ask("three"))).toEqual(["system at 0"]);
  });
});

describe("where the reply to the last window stands behind something else than what was sent (rules 1 and 2)", () => {
  const [asks, adds] = [anthropicSpeaker.user("three"), anthropicSpeaker.user("by the way")];

  test.each<readonly [string, readonly Message[], readonly string[]]>([
    ["as it was sent", [asks], []],
    ["words put in between", [asks, adds], []],
    ["words put into the message, behind those that were sent", [{ role: "user", content: [text("three"), text("by the way")] }], []],
    [
      "words put into the message, before those that were sent",
      [{ role: "user", content: [text("by the way"), text("three")] }],
      ["history at 4"],
    ],
    ["a message put before it", [adds, asks], ["history at 4"]],
    ["other words", [anthropicSpeaker.user("three!")], ["history at 4"]],
    ["none of it", [], ["history at 4"]],
  ])("%s", async (_what, between, expected) => {
    for (const restores of [false, true]) {
      const talk = await talked();
      await talk.ask("three");
      const before = talk.history.slice(0, -1);
      const reply = talk.message({ text: "3" });
      talk.turn?.settle(talk.speaker.replied(reply));
      if (restores) talk.restore();
      talk.history = [...before, ...between, reply];
      const turn = await talk.ask("four");
      expect(breaks(turn), `restored: ${restores}`).toEqual(expected);
      expect(turn.continuity.kept).toBe(expected.length === 0 && between[0] === asks ? 5 : 4);
    }
  });
});

describe.each([false, true])("on a wire that joins neighbours of one role (rules 1 and 17), restored: %s", (restores) => {
  /** Two exchanges, and a question without an answer. */
  async function asked(): Promise<Talk> {
    const talk = new Talk({}, bedrockSpeaker);
    const toolSpec = { name: "read", inputSchema: { json: { type: "object" } } };
    talk.head = { toolConfig: { tools: [{ toolSpec }] } };
    for (const words of ["one", "two"]) {
      await talk.ask(words);
      talk.answer({ thinking: `about ${words}`, text: `to ${words}` });
    }
    await talk.ask("three");
    return talk;
  }

  /** A reply with a call that another process got, and its result: the loop is folded into a user message (rule 62 c). */
  const strangeLoop = (talk: Talk): readonly Message[] => [
    bedrockSpeaker.reply({ thinking: "unseen", calls: [{ id: "c1" }] }),
    ...talk.speaker.results(["c1", "a"]),
  ];

  test("a folded loop goes into the message before it, and the whole of the last request goes out again", async () => {
    const talk = await asked();
    talk.answer({ thinking: "about three", text: "to three" });
    talk.history.pop();
    talk.history.push(...strangeLoop(talk));
    if (restores) talk.restore();
    const turn = await talk.send();
    expect(sent(turn)).toHaveLength(5);
    expect(turn.continuity).toMatchObject({ kept: 5, appended: 0, checkpoints: [] });
    expect(sent(turn)[4]?.content).toMatchObject([{ text: "three" }, { text: expect.stringContaining("what was done so far") }]);
  });

  test("where that message has other words it is a break", async () => {
    const talk = await asked();
    talk.answer({ thinking: "about three", text: "to three" });
    talk.history.splice(4, 2, bedrockSpeaker.user("instead"), ...strangeLoop(talk));
    if (restores) talk.restore();
    const turn = await talk.send();
    expect(sent(turn)).toHaveLength(5);
    expect(turn.continuity.kept).toBe(4);
  });

  test("the same request once more is the same", async () => {
    const talk = await asked();
    if (restores) talk.restore();
    expect((await talk.send()).continuity).toMatchObject({ kept: 5, appended: 0, checkpoints: [] });
  });

  test("a joined message of which an answered part changed is a break, with the reasoning behind it", async () => {
    const talk = await asked();
    await talk.ask("and more");
    if (restores) talk.restore();
    await talk.send();
    talk.answer({ thinking: "about both", text: "to both" });
    await talk.ask("four");
    talk.history[5] = bedrockSpeaker.user("and less");
    const turn = await talk.ask("five");
    expect(breaks(turn)).toEqual(["history at 4"]);
    expect(onlyCheckpoint(turn).voids).toEqual(["$.messages[5].content[0]"]);
  });
});

describe("selfCheck (rule 1)", () => {
  test("compares what was rendered, and says nothing where a checkpoint explains it", async () => {
    const talk = await talked();
    const heard: unknown[] = [];
    talk.session.on("invariant", (event) => heard.push(event));
    talk.history[0] = anthropicSpeaker.user("one, edited");
    await talk.ask("three");
    talk.answer([call("c1")]);
    talk.history.push({ role: "user", content: [result("c1")] });
    await talk.send();
    expect(heard).toEqual([]);
  });
});

const told: Readonly<Record<string, Change>> = { "nothing changed": (history) => history, ...changes };

describe.each(Object.entries(stories))(
  "of a history with %s, what became of the last request (rules 1 and 26)",
  (_what, { talk: story }) => {
    test.each(Object.entries(told))("is what the two requests show: %s", async (_how, change) => {
      const talk = await story();
      talk.history = [...change(talk.history, talk)];
      for (const words of ["go on", "and on"]) {
        const whole = sent(talk.turn);
        // What it ends in after the user's words is a prefill, which is no message of the history.
        const before = whole.at(-1)?.role === "assistant" ? whole.slice(0, -1) : whole;
        const turn = await talk.ask(words);
        const now = sent(turn);
        const same = before.findIndex((message, at) => JSON.stringify(message) !== JSON.stringify(now[at]));
        const kept = same < 0 ? before.length : same;
        const { checkpoints } = turn.continuity;
        if (checkpoints.length === 0) expect(before.slice(kept).filter(({ role }) => role === "assistant")).toEqual([]);
        if (checkpoints[0]?.reason === "history")
          expect(checkpoints[0]).toMatchObject({ at: kept, voids: missing(before, now), window: turn.number });
        if (checkpoints.every(({ reason }) => reason === "history"))
          expect(turn.continuity).toMatchObject({ kept, appended: now.length - kept });
        talk.answer({ text: "ok" });
      }
    });
  },
);

/** Paths of the signed thinking of a request that another one lacks. */
function missing(before: readonly Message[], now: readonly Message[]): readonly string[] {
  const stays = JSON.stringify(now);
  return before.flatMap(({ content }, at) =>
    (Array.isArray(content) ? (content as readonly Block[]) : []).flatMap((block, index) =>
      (block.type === "thinking" || "reasoningContent" in block) && !stays.includes(JSON.stringify(block))
        ? [`$.messages[${at}].content[${index}]`]
        : [],
    ),
  );
}
