import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Message, result, speakers, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent, Talk } from "../../test/talk.ts";

const read = { name: "read", input_schema: { type: "object" } };

describe("the host's objects (rule 3)", () => {
  test.each(speakers)("are never written to, and what is handed out shares none of them ($name)", async (speaker) => {
    const talk = new Talk({}, speaker);
    const request = talk.request({ messages: [speaker.user("one")], metadata: { user_id: "u" } });
    const before = structuredClone(request);
    const turn = await talk.session.prepare(request);
    expect(request).toStrictEqual(before);
    expect(turn.request.messages).not.toBe(request.messages);
    expect(turn.request.messages[0]).not.toBe(request.messages[0]);
    expect(turn.request["metadata"]).toBe(request["metadata"]);
  });

  test("that come frozen are taken as well", async () => {
    const talk = new Talk();
    talk.history = [Object.freeze(anthropicSpeaker.user("one"))];
    expect(sent(await talk.send())).toEqual([{ role: "user", content: [text("one")] }]);
  });

  test("that are edited in place are edited, although they are the same objects", async () => {
    const talk = new Talk();
    const content = [{ type: "text", text: "one" }];
    talk.history = [{ role: "user", content }];
    await talk.send();
    talk.answer({ text: "1" });
    (content[0] as { text: string }).text = "one, edited";
    const turn = await talk.ask("two");
    expect(breaks(turn)).toEqual(["history at 0"]);
    expect(allOf(turn)).toContain("one, edited");
  });

  test("that are new each time are the same history", async () => {
    const talk = new Talk();
    let before: readonly string[] = [];
    for (const words of ["one", "two", "three"]) {
      talk.history = structuredClone(talk.history);
      const turn = await talk.ask(words);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(turn.repairs.equivalent).toBe(0);
      before = bytes(turn);
      talk.answer([thinking(words), text(words)]);
    }
  });

  test("cannot reach what was sent: a message of the prepared request throws when it is written to, and its list is a new one each time", async () => {
    const talk = new Talk();
    const turn = await talk.ask("one");
    const [message] = turn.request.messages as unknown as { content: { text: string }[] }[];
    expect(() => {
      (message?.content[0] as { text: string }).text = "x";
    }).toThrow(TypeError);
    (turn.request.messages as Message[]).push(anthropicSpeaker.user("smuggled in"));
    talk.answer({ text: "1" });
    expect(allOf(await talk.ask("two"))).not.toContain("smuggled");
  });
});

describe("a prepare that fails (rule 46)", () => {
  const failures: readonly (readonly [string, (talk: Talk) => void, string])[] = [
    ["for pending calls", (talk) => talk.history.push({ role: "assistant", content: [call("c9")] }), "pending-calls"],
    ["for its shape", (talk) => Object.assign(talk.head, { tools: [read, read] }), "shape"],
    ["for a message of no role", (talk) => talk.history.push({ role: "narrator", content: "x" }), "invalid-request"],
    [
      "for a value that is no JSON",
      (talk) => talk.history.push({ role: "user", content: [text("x"), { type: "text", text: 1n }] }),
      "value-type",
    ],
  ];

  test.each(failures)("%s leaves no trace, and the checkpoint that it met is met again", async (_why, spoil, code) => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    await talk.ask("two");
    talk.answer({ text: "2" });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    talk.history.push(anthropicSpeaker.user("three"));
    const [before, history, head] = [JSON.stringify(talk.session.snapshot()), [...talk.history], { ...talk.head }];
    spoil(talk);
    await expect(talk.send()).rejects.toMatchObject({ code });
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    [talk.history, talk.head] = [history, head];
    expect(onlyCheckpoint(await talk.send())).toMatchObject({ reason: "history", at: 0, window: 3 });
  });

  test("tells no listener anything", async () => {
    const talk = new Talk();
    talk.history = [anthropicSpeaker.user("one"), { role: "assistant", content: [thinking("x"), call("c1")] }];
    const heard: string[] = [];
    for (const event of ["checkpoint", "repair", "warning"] as const) talk.session.on(event, () => heard.push(event));
    await expect(talk.send()).rejects.toMatchObject({ code: "pending-calls" });
    expect(heard).toEqual([]);
    await talk.results(["c1", "a"]);
    expect(heard).toEqual(["checkpoint", "repair", "warning"]);
  });
});

describe("peek (rule 45)", () => {
  test("says what prepare would do and cost, and changes nothing", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer({ text: "1" });
    talk.history.push(anthropicSpeaker.user("two"));
    const before = JSON.stringify(talk.session.snapshot());
    const peeked = talk.session.peek(talk.request());
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    const turn = await talk.send();
    expect(JSON.stringify(peeked.request)).toBe(JSON.stringify(turn.request));
    expect(peeked.continuity).toEqual(turn.continuity);
    expect(peeked.budget.tokens).toBe(turn.budget.tokens);
  });
});

describe("verify (rule 5)", () => {
  test("says which stored messages would not repeat what was sent, and why; a request is not needed", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([call("c1", "read", { path: "a", all: true })]);
    await talk.results(["c1", "a"]);
    const before = JSON.stringify(talk.session.snapshot());
    expect(talk.session.verify(talk.history)).toEqual([]);
    const stored = [
      { role: "user", content: [text("one")] },
      { role: "assistant", content: [call("c1", "read", { all: true, path: "a" })] },
      { role: "user", content: [result("c1", "b")] },
    ];
    expect(talk.session.verify(stored)).toMatchObject([
      { at: 0, class: "shape", effect: "equivalent" },
      { at: 1, class: "order", effect: "equivalent" },
      { at: 2, class: "edit", effect: "breaks", path: "$.messages[2].content[0].content" },
    ]);
    expect(talk.session.verify(talk.history.slice(0, 1))).toMatchObject([{ at: 1, class: "removal", effect: "breaks" }]);
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
  });
});

describe("verify on a wire without a system field", () => {
  test("passes the leading system messages over, and names what is no message", async () => {
    const talk = new Talk({}, chatSpeaker);
    const system = { role: "system", content: "be brief" };
    talk.history = [system, chatSpeaker.user("one")];
    await talk.send();
    expect(talk.session.verify([system, chatSpeaker.user("one")])).toEqual([]);
    expect(talk.session.verify([system, chatSpeaker.user("uno")])).toMatchObject([{ at: 1, effect: "breaks", class: "edit" }]);
    expect(() => talk.session.verify([system, "one"])).toThrow(expect.objectContaining({ code: "invalid-request", path: "$.messages[1]" }));
  });
});

describe("a fork (rule 47)", () => {
  test("goes on from the parent's window, and neither sees what the other does", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    const before = bytes(await talk.ask("two"));
    const child = new Talk();
    Object.assign(child, { session: talk.session.fork(), history: [...talk.history] });
    const forked = await child.ask("for the child");
    expect(bytes(forked).slice(0, 3)).toEqual(before.slice(0, 3));
    expect(breaks(forked)).toEqual([]);
    child.answer({ text: "of the child" });
    talk.answer({ text: "2" });
    const turn = await talk.ask("three");
    expect(breaks(turn)).toEqual([]);
    expect(allOf(turn)).not.toContain("child");
    expect(breaks(await child.ask("more"))).toEqual([]);
  });
});

describe("restart (rule 8)", () => {
  test("starts over: the next request carries a ledger checkpoint at 0, across a snapshot too, and the one after goes on", async () => {
    for (const restores of [false, true]) {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("first"), text("1")]);
      talk.session.restart();
      if (restores) talk.restore();
      const turn = await talk.ask("two");
      expect(onlyCheckpoint(turn)).toMatchObject({ reason: "ledger", at: 0, hint: "restarted" });
      expect(allOf(turn)).not.toContain("first");
      talk.answer({ text: "2" });
      expect(breaks(await talk.ask("three"))).toEqual([]);
    }
  });

  test.each(speakers)("a history without a reply is a plain start; with one it reports ledger and warns once ($name)", async (speaker) => {
    const talk = new Talk({}, speaker);
    expect(breaks(await talk.ask("one"))).toEqual([]);
    const stranger = new Talk({}, speaker);
    const warned: string[] = [];
    stranger.session.on("warning", ({ code }) => warned.push(code));
    stranger.history = [speaker.user("one"), speaker.reply({ text: "1" })];
    expect(onlyCheckpoint(await stranger.ask("two"))).toMatchObject({ reason: "ledger", at: 0, hint: "no-record" });
    stranger.answer({ text: "2" });
    stranger.session.restart();
    await stranger.ask("three");
    expect(warned).toEqual(["no-record"]);
  });
});

describe("unlike wires (architecture)", () => {
  test("take the same path: the same story on Chat makes no break either", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("read");
    talk.answer({ thinking: "which", calls: [{ id: "c1" }, { id: "c2" }] });
    await talk.results(["c2", "b"], ["c1", "a"]);
    expect(sent(talk.turn).map(({ tool_call_id }) => tool_call_id)).toEqual([undefined, undefined, "c1", "c2"]);
    talk.answer({ text: "read both" });
    expect(breaks(await talk.ask("thanks"))).toEqual([]);
  });
});
