import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { anthropicSpeaker, type Block, call, chatSpeaker, type Message, result, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent } from "../../test/talk.ts";
import { anthropic } from "../adapters/anthropic/wire.ts";
import { elide } from "../overflow/elide.ts";
import { reset } from "../overflow/reset.ts";
import { summarize } from "../overflow/summarize.ts";
import { createSession } from "./create-session.ts";

/** A talk whose summary has landed and was answered. */
async function landed(options: ConstructorParameters<typeof Crowded>[1] = {}): Promise<Crowded> {
  const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }), options);
  await talk.exchange(4, 30);
  talk.session.compact();
  await talk.exchange(2, 30);
  expect(talk.landings).toHaveLength(1);
  return talk;
}

/** The text of a message, as one. */
function said({ content }: Message): string {
  return Array.isArray(content) ? content.map((block: Block) => block["text"]).join("\n") : String(content);
}

describe("what becomes of a history behind a landing (rules 5 and 7)", () => {
  test("the full old history continues", async () => {
    const talk = await landed();
    const before = bytes(talk.turn);
    const turn = await talk.ask("on");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
  });

  test("the exact replacement and what was kept continues, and is the host's own from then on", async () => {
    const talk = await landed();
    const { replaces, replacement } = talk.landings[0] as (typeof talk.landings)[0];
    talk.history.splice(replaces?.from ?? 0, (replaces?.to ?? 0) - (replaces?.from ?? 0), ...(structuredClone(replacement) as never[]));
    for (const words of ["on", "and on"]) {
      const turn = await talk.ask(words);
      expect(breaks(turn)).toEqual([]);
      expect(allOf(turn)).toMatch(/SUMMARY.*answer 6/s);
      talk.answer({ text: "yes" });
    }
  });

  // Soak seed 20002927: the range that a store was told to replace had one message of the kept ones in it.
  test.each<readonly [string, (talk: Crowded) => void]>([
    ["joined two messages", (talk) => talk.history.splice(0, 2, anthropicSpeaker.user("first"), anthropicSpeaker.user("question 0"))],
    ["dropped an empty reply", (talk) => talk.history.splice(1, 0, { role: "assistant", content: [] })],
  ])("the replacement of a history whose store %s stands for the messages that are there now (rules 4 and 43)", async (what, begin) => {
    const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }));
    talk.history.push(anthropicSpeaker.user("first"), anthropicSpeaker.user("question 0"));
    begin(talk);
    await talk.send();
    talk.answer({ text: "answer 0" });
    await talk.exchange(3, 30);
    const joined = { role: "user", content: [text("first"), text("question 0")] };
    talk.history = [...(what.startsWith("joined") ? [joined] : talk.history.slice(0, 1)), ...talk.history.slice(2)];
    talk.session.compact();
    const turn = await talk.ask("now");
    const { replaces, replacement } = talk.landings[0] as (typeof talk.landings)[0];
    talk.history.splice(replaces?.from ?? 0, (replaces?.to ?? 0) - (replaces?.from ?? 0), ...(structuredClone(replacement) as never[]));
    expect(talk.history.map(said)).toEqual(sent(turn).map(said));
    talk.answer({ text: "yes" });
    expect(breaks(await talk.ask("on"))).toEqual([]);
  });

  // Soak seeds 30002956 and 60000437: an edit of the words was one under the recap, and a store lost them.
  test("words that stood before a result go where it goes (rules 11 and 35)", async () => {
    const talk = new Crowded(undefined, {}, chatSpeaker);
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1" }] });
    talk.history.push(chatSpeaker.user("by the way"), ...chatSpeaker.results(["c1", "text of c1"]));
    await talk.send();
    talk.answer({ text: "done" });
    await talk.ask("on");
    talk.answer({ text: "yes" });
    talk.session.compact({ from: 0, to: 3, text: "They read it." });
    await expect(talk.ask("and on")).rejects.toMatchObject({ message: expect.stringContaining("Cut at one of 0, 1, 4,") });
    talk.session.compact({ from: 0, to: 4, text: "They read it." });
    const turn = await talk.send();
    expect(talk.landings[0]?.replaces).toEqual({ from: 0, to: 4 });
    expect(sent(turn).map(said).slice(1)).toEqual(talk.history.map(said).slice(4));
  });

  test("what was replaced has no place in a history that says something else there: an edit that the open loop holds (rules 43 and 62)", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(2, 20);
    await talk.ask("read it");
    talk.answer([thinking("which"), call("c1")]);
    talk.history[0] = anthropicSpeaker.user("question 1, edited");
    talk.session.compact();
    const turn = await talk.results(["c1", "text of c1"]);
    expect([turn.repairs.held, breaks(turn)]).toEqual([1, ["compaction at 0"]]);
    expect(talk.landings.map(({ replaces }) => replaces)).toEqual([undefined]);
  });

  test("what was kept alone continues, with a reply of it inside; with history: tail without one", async () => {
    for (const tail of [false, true]) {
      const talk = await landed(tail ? { history: "tail" } : {});
      talk.history.splice(0, talk.landings[0]?.replaces?.to ?? 0);
      for (const words of ["on", "and on"]) {
        const turn = await talk.ask(words);
        expect(breaks(turn)).toEqual([]);
        expect(allOf(turn)).toContain("SUMMARY");
        talk.answer({ text: "yes" });
      }
    }
  });

  // Soak seed 60000275.
  test.each([false, true])(
    "a recap that nobody hands over goes where the history starts behind what was kept with it: the host's own trim (rule 5; restored: %s)",
    async (restored) => {
      const talk = await landed();
      talk.history.splice(0, talk.landings[0]?.replaces?.to ?? 0);
      await talk.ask("on");
      talk.answer({ text: "yes" });
      await talk.ask("and on");
      talk.answer({ text: "yes, too" });
      if (restored) talk.restore();
      talk.history.splice(0, talk.history.length - 3);
      const turn = await talk.ask("go on");
      expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 0, hint: "trimmed" });
      expect(allOf(turn)).not.toContain("SUMMARY");
    },
  );

  // Soak seed 500053: on a wire whose replies vanish with their reasoning, the same under a fold.
  test.each(["as it was", "without the reply that was only reasoning"])(
    "a reply that was only reasoning is a turn of its own: %s",
    async (what) => {
      const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }));
      await talk.ask("question 0");
      talk.answer([thinking("nothing to say")]);
      await talk.exchange(3, 30);
      talk.session.compact();
      await talk.exchange(2, 30);
      const before = bytes(talk.turn);
      if (what !== "as it was") talk.history.splice(1, 1);
      talk.restore();
      const turn = await talk.ask("on");
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect([breaks(turn), turn.repairs.underRecap]).toEqual([[], 0]);
    },
  );

  test.each(["as it was", "with one more question"])(
    "the reply to a request from before it does not undo it: asked again %s",
    async (what) => {
      const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }));
      await talk.exchange(4, 30);
      const first = await talk.ask("Which?");
      const asked = [...talk.history];
      talk.session.compact();
      const second = what === "as it was" ? await talk.send() : await talk.ask("Or which?");
      expect(breaks(second)).toEqual(["compaction at 0"]);
      first.settle(anthropicSpeaker.replied(talk.message([thinking("over the source"), text("This.")])));
      second.settle(anthropicSpeaker.replied(talk.message([thinking("over the summary"), text("That.")])));
      talk.history = asked;
      talk.store([thinking("over the source"), text("This.")]);
      const turn = await talk.ask("on");
      expect(breaks(turn)).toEqual([]);
      expect(allOf(turn)).toContain("SUMMARY");
      expect(allOf(turn)).not.toMatch(/over the/);
    },
  );

  // Soak seed 51005.
  test("what was kept alone, and then the window as it was sent: both continue", async () => {
    const talk = await landed();
    talk.history.splice(0, talk.landings[0]?.replaces?.to ?? 0);
    const window = await talk.ask("on");
    expect(breaks(window)).toEqual([]);
    talk.answer({ text: "yes" });
    talk.history = [...(structuredClone(sent(window)) as typeof talk.history), ...talk.history.slice(-1)];
    for (const words of ["and on", "and on and on"]) {
      const turn = await talk.ask(words);
      expect(breaks(turn)).toEqual([]);
      expect(allOf(turn).match(/SUMMARY/g)).toHaveLength(1);
      talk.answer({ text: "yes" });
    }
  });

  test.each([false, true])(
    "an edit in place stands under the recap while the question behind it is unanswered (rule 7; restored: %s)",
    async (restored) => {
      const talk = new Crowded(reset());
      await talk.exchange(4, 20);
      talk.session.compact();
      const before = bytes(await talk.ask("go on"));
      if (restored) talk.restore();
      talk.history = talk.history.with(2, anthropicSpeaker.user("another question"));
      const turn = await talk.send();
      expect([breaks(turn), turn.repairs.underRecap]).toEqual([[], 1]);
      expect(bytes(turn)).toEqual(before);
    },
  );

  test.each([false, true])(
    "a history that goes another way under a recap shows the source, and that the window behind it was never answered (rules 1 and 7; restored: %s)",
    async (restored) => {
      const talk = new Crowded(reset());
      await talk.exchange(4, 20);
      talk.session.compact();
      await talk.ask("go on");
      if (restored) talk.restore();
      talk.history = [
        ...talk.history.slice(0, 2),
        anthropicSpeaker.user("another question"),
        ...talk.history.slice(3, 6),
        ...talk.history.slice(-1),
      ];
      const turn = await talk.send();
      expect(breaks(turn)).toEqual([]);
      expect(sent(turn)).toHaveLength(7);
    },
  );

  // Soak seed 9000278.
  test("a later reply that begins like the first one that was kept is not taken for it (restored, nothing settled since)", async () => {
    const talk = new Crowded(reset());
    const looks = (id: string) => [text("Let me look."), call(id)];
    await talk.exchange(2, 20);
    await talk.ask("read it");
    talk.answer(looks("c1"));
    talk.session.compact();
    expect(breaks(await talk.results(["c1", "text of c1"]))).toEqual(["compaction at 0"]);
    talk.answer({ text: "done" });
    const before = bytes(await talk.ask("and the other"));
    talk.restore();
    talk.store({ text: "which?" });
    talk.history.push(anthropicSpeaker.user("that one"));
    talk.store(looks("c2"));
    const turn = await talk.results(["c2", "text of c2"]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect([breaks(turn), turn.repairs.underRecap]).toEqual([[], 0]);
  });

  test.each([false, true])(
    "what shows again has not the reasoning that a changed head voided meanwhile (restored: %s)",
    async (restored) => {
      const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }));
      await talk.ask("question 0");
      talk.answer([thinking("over the old tools"), text("answer 0")]);
      await talk.exchange(3, 30);
      talk.session.compact();
      await talk.exchange(2, 30);
      const [landing] = talk.landings;
      if (restored) talk.restore();
      const tools = [{ name: "read", input_schema: { type: "object" } }];
      expect(allOf(await talk.ask("with tools", { tools }))).toContain("SUMMARY");
      talk.answer({ text: "yes" });
      talk.session.revoke(landing?.number ?? -1);
      const turn = await talk.ask("on", { tools });
      expect(allOf(turn)).toContain("question 0");
      expect(allOf(turn)).not.toContain("over the old tools");
    },
  );

  test("an edit under the recap changes nothing that was sent", async () => {
    const talk = await landed();
    talk.history[0] = talk.speaker.user("question 1, edited");
    const turn = await talk.ask("on");
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs.underRecap).toBe(1);
    expect(allOf(turn)).not.toContain("edited");
  });

  test("a history that ends inside what was replaced shows the source again", async () => {
    const talk = await landed();
    talk.history = talk.history.slice(0, 4);
    const turn = await talk.ask("back here");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 0, hint: "landing-dropped" });
    expect(allOf(turn)).toMatch(/question 1.*answer 2.*back here/s);
    expect(allOf(turn)).not.toContain("SUMMARY");
  });

  test("a revoked landing shows its source, with the host's edits; across a restore too", async () => {
    for (const restores of [false, true]) {
      const talk = await landed();
      if (restores) talk.restore();
      talk.session.revoke(1);
      const turn = await talk.ask("on");
      expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", hint: "landing-dropped" });
      expect(allOf(turn)).toMatch(/question 1.*answer 6/s);
      talk.answer({ text: "yes" });
      expect(breaks(await talk.ask("and on"))).toEqual([]);
    }
  });

  test("a restored session renders the same bytes (rule 48)", async () => {
    const talk = await landed();
    const before = bytes(talk.turn);
    talk.restore();
    talk.history = structuredClone(talk.history);
    const turn = await talk.ask("on");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
  });

  test("a newer landing over an older one: dropping it shows the source, never the superseded one", async () => {
    const talk = await landed();
    talk.session.compact();
    await talk.exchange(2, 30);
    expect(talk.landings).toHaveLength(2);
    expect(() => talk.session.revoke(1)).toThrow(expect.objectContaining({ code: "landing-unknown" }));
    talk.session.revoke(2);
    const turn = await talk.ask("on");
    expect(allOf(turn)).toMatch(/question 1.*answer 8/s);
    expect(allOf(turn)).not.toContain("SUMMARY");
  });
});

// Soak seed 1010.
test("a source that shows again vouches for no reasoning made behind an older landing inside it (rule 27)", async () => {
  const talk = await landed();
  await talk.ask("think");
  talk.answer({ thinking: "behind the summary", text: "thought about it" });
  await talk.exchange(3, 30);
  expect(allOf(talk.turn)).toContain("behind the summary");
  talk.session.compact();
  await talk.exchange(2, 30);
  expect(talk.landings).toHaveLength(2);
  const end = talk.history.findIndex((message) => JSON.stringify(message).includes("thought about it"));
  talk.history = talk.history.slice(0, end + 1);
  const turn = await talk.ask("back here");
  expect(allOf(turn)).toMatch(/question 1.*thought about it.*back here/s);
  expect(allOf(turn)).not.toContain("behind the summary");
});

// Soak seeds 900028 and 2006.
test.each([
  ["elide", elide({ protect: 1 })],
  ["summarize", summarize({ summarizer: scripted("SUMMARY"), keepRecentTurns: 1 })],
])("what a host stores as it was sent is its own: behind %s it is known by that (rules 5 and 7)", async (_name, strategy) => {
  const talk = new Crowded(strategy);
  await talk.ask("read both");
  talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
  talk.history.push({ role: "user", content: [result("c2", prose("second", 600)), text("never mind the other")] });
  const stores = await talk.send();
  expect(stores.repairs.resultsMadeUp).toHaveLength(1);
  talk.history = structuredClone(sent(stores)) as typeof talk.history;
  talk.answer({ text: "well" });
  await talk.exchange(3, 200);
  talk.session.compact();
  const landing = await talk.ask("on");
  expect(breaks(landing)).toHaveLength(1);
  talk.answer({ text: "yes" });
  const turn = await talk.ask("and on");
  expect(breaks(turn)).toEqual([]);
  expect(turn.said).toEqual([]);
  expect(bytes(turn).slice(0, -2)).toEqual(bytes(landing));
});

// Soak seed 3600010.
test("a reply to the window before a landing answers that window: what the landed one added was not answered (rules 1 and 6)", async () => {
  const talk = new Crowded(elide({ protect: 1 }));
  await talk.ask("read it");
  talk.answer({ calls: [{ id: "c1" }] });
  await talk.results(["c1", prose("text", 60)]);
  talk.answer({ text: "done" });
  await talk.exchange(2, 250);
  const first = await talk.ask("one");
  talk.session.compact();
  expect(breaks(await talk.ask("two"))).toHaveLength(1);
  const reply = talk.message({ text: "to the first" });
  first.settle(talk.speaker.replied(reply));
  talk.history = talk.history.toSpliced(-1, 0, reply);
  const turn = await talk.send();
  expect(breaks(turn)).toEqual([]);
  expect(allOf(turn)).toMatch(/elided entry.*one.*to the first.*two/s);
});

describe("what the host asks for", () => {
  // Soak seed 100000544.
  test("a batch that was elided shows whole where its row of replies is trimmed: its calls and its results (rules 7 and 12)", async () => {
    const talk = new Crowded(elide());
    talk.history.push(
      anthropicSpeaker.user("read both"),
      ...[text("I look."), call("c1"), call("c2")].map((block) => talk.message([block])),
    );
    talk.history.push(...anthropicSpeaker.results(["c1", prose("first", 200)], ["c2", prose("second", 200)]));
    talk.store({ text: "done" });
    await talk.exchange(6, 100);
    talk.session.compact();
    expect(allOf(await talk.ask("on"))).not.toMatch(/tool_use|first|second/);
    talk.answer({ text: "yes" });
    talk.history = talk.history.slice(2, 6);
    expect(allOf(await talk.ask("instead"))).toMatch(/"tool_use","id":"c1".*"tool_use","id":"c2".*first: copper.*second: copper/s);
  });

  test("compact lands in the next request, once, also over a snapshot (rule 34)", async () => {
    const talk = new Crowded(reset());
    await talk.exchange(3, 20);
    talk.session.compact();
    talk.restore();
    expect(breaks(await talk.ask("now"))).toEqual(["compaction at 0"]);
    talk.answer({ text: "yes" });
    expect(breaks(await talk.ask("and now"))).toEqual([]);
  });

  test("its own summary lands over a range of messages, at the borders of groups (rule 43)", async () => {
    const talk = new Crowded(undefined);
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1" }] });
    await talk.results(["c1", "text of c1"]);
    talk.answer({ text: "done" });
    await talk.exchange(1, 20);
    expect(() => talk.session.compact({ from: 3, to: 1, text: "x" })).toThrow(expect.objectContaining({ code: "landing-range" }));
    talk.session.compact({ from: 1, to: 2, text: "they read it" });
    await expect(talk.ask("cut in two")).rejects.toMatchObject({
      code: "landing-range",
      message: expect.stringContaining("Cut at one of 0, 1, 3"),
    });
    talk.session.compact({ from: 1, to: 3, text: "they read it" });
    const turn = await talk.send();
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "compaction", at: 1, signed: false });
    expect(allOf(turn)).toMatch(/read it.*they read it.*done/s);
    expect(allOf(turn)).not.toContain("text of c1");
  });

  test("one result is folded to a shorter text (rule 37)", async () => {
    const talk = new Crowded(undefined);
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1" }] });
    await talk.results(["c1", prose("result", 200)]);
    talk.answer({ text: "done" });
    talk.session.fold("c1", "200 words about copper");
    const turn = await talk.ask("thanks");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "elision", at: 2 });
    expect(allOf(turn)).toContain("200 words about copper");
    talk.answer({ text: "welcome" });
    expect(breaks(await talk.ask("bye"))).toEqual([]);
  });
});

test("a provider's block in the host's history stands first, nothing before it (rule 38)", async () => {
  const session = createSession({ wire: anthropic() });
  const block = { type: "compaction", content: "So far.", encrypted_content: null, tool_changes: [], signature: "c2ln" };
  const messages = [
    { role: "assistant", content: [block] },
    { role: "user", content: "Go on." },
  ];
  const { request } = await session.prepare({ model: "claude-opus-5-5", max_tokens: 9, messages });
  expect(request.messages.map(({ role }) => role)).toEqual(["assistant", "user"]);
});
