import { beforeEach, describe, expect, test } from "vitest";
import { anthropicSpeaker, chatSpeaker, type Speaker, speakers, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, Talk, type TalkOptions } from "../../test/talk.ts";

/** Four exchanges; the replies think. */
async function longTalk(options: TalkOptions = {}, speaker: Speaker = anthropicSpeaker): Promise<Talk> {
  const talk = new Talk(options, speaker);
  for (const words of ["one", "two", "three", "four"]) {
    await talk.ask(words);
    talk.answer({ thinking: `about ${words}`, text: `to ${words}` });
  }
  return talk;
}

describe("a history that starts elsewhere (rule 5)", () => {
  test.each(speakers)("in the middle is the host's own trim: obeyed, a removal at 0 ($name)", async (speaker) => {
    const talk = await longTalk({}, speaker);
    talk.history = talk.history.slice(2);
    const turn = await talk.ask("five");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 0, hint: "trimmed" });
    expect(allOf(turn)).not.toContain("one");
    expect(allOf(turn)).toContain("to two");
  });

  test("in the middle voids all reasoning, where it is bound", async () => {
    const talk = await longTalk();
    talk.history = talk.history.slice(2);
    const turn = await talk.ask("five");
    expect(allOf(turn)).not.toContain("about");
    expect(onlyCheckpoint(turn).voids.length).toBeGreaterThan(0);
  });

  test("in the middle of what one message stands for is a trim, too", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer({ calls: [{ id: "c1" }] });
    await talk.results(["c1", "a"]);
    talk.answer({ text: "read it" });
    await talk.ask("two");
    talk.answer({ text: "to two" });
    talk.history = talk.history.slice(3);
    expect(onlyCheckpoint(await talk.ask("three"))).toMatchObject({ at: 0, hint: "trimmed" });
  });

  test('in the middle keeps what the host dropped with trims: "ignore"', async () => {
    const talk = await longTalk({ trims: "ignore" });
    const before = bytes(talk.turn);
    talk.history = talk.history.slice(2);
    const turn = await talk.ask("five");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(allOf(turn)).toContain("about four");
  });

  // Soak seed 40000068: models that think alike, and now and then say nothing.
  test('with trims: "ignore" a reply that is left at the start is told by all that it is and by what follows', async () => {
    const talk = new Talk({ trims: "ignore" }, chatSpeaker);
    for (const said of ["1", undefined, undefined, "4"]) {
      await talk.ask(`before ${said}`);
      talk.answer({ thinking: "let me see", ...(said === undefined ? {} : { text: said }) });
    }
    const before = bytes(talk.turn);
    talk.history = talk.history.slice(5);
    const turn = await talk.ask("on");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
  });

  test('in the middle keeps it with trims: "ignore", whatever the number of restores and further trims (rule 48)', async () => {
    const talk = await longTalk({ trims: "ignore" });
    let before = bytes(talk.turn);
    for (const words of ["five", "six", "seven"]) {
      talk.history = talk.history.slice(2);
      talk.restore();
      const turn = await talk.ask(words);
      expect(breaks(turn)).toEqual([]);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      before = bytes(turn);
      talk.answer({ thinking: `about ${words}`, text: `to ${words}` });
      talk.restore();
      expect(bytes(await talk.ask("and then?")).slice(0, before.length)).toEqual(before);
      before = bytes(talk.turn);
      talk.answer({ text: "then that" });
    }
  });

  test('in the middle is met by the window that its reply belongs to with trims: "ignore"', async () => {
    const talk = await longTalk({ trims: "ignore" });
    talk.history = talk.history.slice(2);
    const first = await talk.ask("five");
    const history = talk.history;
    await talk.ask("also this");
    first.settle(talk.speaker.replied(talk.message({ thinking: "about five", text: "to five" }), {}));
    talk.history = [...history, talk.message({ thinking: "about five", text: "to five" }), anthropicSpeaker.user("also this")];
    const turn = await talk.send();
    expect(breaks(turn)).toEqual([]);
    expect(allOf(turn)).toContain("about five");
  });

  test.each(["ignore", "obey"] as const)(
    'in the middle: the last words and the reply that they were settled with are a part of the window (trims: "%s")',
    async (trims) => {
      const talk = await longTalk({ trims });
      await talk.ask("five");
      const before = bytes(talk.turn);
      talk.answer({ thinking: "about five", text: "to five" });
      talk.history = talk.history.slice(8);
      expect(talk.history).toHaveLength(2);
      const turn = await talk.ask("six");
      if (trims === "obey") expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 0, hint: "trimmed" });
      else expect(breaks(turn)).toEqual([]);
      if (trims === "ignore") expect(bytes(turn).slice(0, before.length)).toEqual(before);
    },
  );

  test('in the middle, with an empty reply first, keeps what the host dropped with trims: "ignore"', async () => {
    const talk = new Talk({ trims: "ignore" });
    await talk.ask("one");
    talk.answer({ text: "to one" });
    await talk.ask("two");
    talk.history.push({ role: "assistant", content: [] });
    await talk.ask("also this");
    talk.answer({ thinking: "about both", text: "to both" });
    const before = bytes(await talk.ask("and?"));
    talk.answer({ text: "that" });
    talk.history = talk.history.slice(3);
    const turn = await talk.ask("three");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
  });

  test('in the middle is not met by an older window that started otherwise, with trims: "ignore"', async () => {
    const talk = new Talk({ trims: "ignore" });
    talk.head = { max_tokens: 1_000, tools: [] };
    await talk.ask("one");
    talk.answer({ thinking: "about one", text: "to one" });
    await talk.ask("two");
    talk.answer({ thinking: "about two", calls: [{ id: "c1" }] });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    expect((await talk.results(["c1", "a"])).repairs.held).toBe(1);
    talk.answer({ thinking: "about a", text: "read" });
    const before = bytes(await talk.ask("three"));
    expect(before[0]).toContain("edited");
    talk.answer({ text: "to three" });
    await talk.ask("four");
    talk.history = [...talk.history.slice(2, -1), anthropicSpeaker.user("instead")];
    const turn = await talk.send();
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
  });

  test("in the middle drops a reply that was nothing but reasoning as well", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([thinking("only")]);
    await talk.ask("two");
    talk.answer({ text: "to two" });
    talk.history = talk.history.slice(1);
    expect(allOf(await talk.ask("three"))).toContain("reasoning only");
    talk.answer({ text: "to three" });
    talk.history = talk.history.slice(2);
    const turn = await talk.ask("four");
    expect(onlyCheckpoint(turn)).toMatchObject({ hint: "trimmed" });
    expect(allOf(turn)).not.toContain("reasoning only");
  });

  test("with nothing but the words that were asked last is no trim: no reply shows that they stood there", async () => {
    const talk = await longTalk();
    await talk.ask("five");
    talk.history = talk.history.slice(-1);
    expect(onlyCheckpoint(await talk.send())).toMatchObject({ reason: "history", at: 0, hint: undefined });
  });

  test("with more messages of its own than it replaced is no summary", async () => {
    const talk = await longTalk();
    talk.history = [anthropicSpeaker.user("before"), anthropicSpeaker.user("and before"), ...talk.history.slice(1)];
    expect(onlyCheckpoint(await talk.ask("five"))).toMatchObject({ reason: "history", at: 0, hint: undefined });
  });

  test.each([1, 3, 4])("with %i messages of its own before known ones is a summary where these are three at most", async (own) => {
    const talk = await longTalk();
    const words = Array.from({ length: own }, (_, index) => anthropicSpeaker.user(`Summary, part ${index}`));
    talk.history = [...words, ...talk.history.slice(6)];
    expect(onlyCheckpoint(await talk.ask("five")).hint).toBe(own > 3 ? undefined : "host-compaction");
  });

  test("with a message of its own before known ones is the host's own summary", async () => {
    const talk = await longTalk();
    talk.history = [anthropicSpeaker.user("Summary: we counted."), ...talk.history.slice(3)];
    expect(onlyCheckpoint(await talk.ask("five"))).toMatchObject({ reason: "history", at: 0, hint: "host-compaction" });
  });

  test("that repeats nothing is another history", async () => {
    const talk = await longTalk();
    talk.history = [];
    const turn = await talk.ask("new subject");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 0, hint: "replaced" });
    expect(turn.continuity.kept).toBe(0);
  });

  test("and its like in turn are two histories on one session, which is said", async () => {
    const talk = await longTalk();
    const mine = [...talk.history];
    talk.history = [];
    for (const words of ["other host", "still the other"]) {
      await talk.ask(words);
      talk.answer({ text: `to ${words}` });
    }
    const theirs = [...talk.history];
    talk.history = [...mine];
    const back = await talk.ask("five");
    expect(onlyCheckpoint(back)).toMatchObject({ at: 0, hint: "shared-session" });
    talk.answer({ text: "to five" });
    talk.history = [...theirs];
    expect(onlyCheckpoint(await talk.ask("and you?"))).toMatchObject({ at: 0, hint: "shared-session" });
  });

  test("changed only in its first message is an edit and no trim", async () => {
    const talk = await longTalk();
    talk.history[0] = anthropicSpeaker.user("one, edited");
    expect(onlyCheckpoint(await talk.ask("five"))).toMatchObject({ at: 0, class: "edit", hint: undefined });
  });
});

describe("three trims in a row (rule 5)", () => {
  let talk: Talk;
  beforeEach(async () => {
    talk = await longTalk();
    for (const words of ["five", "six", "seven"]) {
      talk.history = talk.history.slice(2);
      await talk.ask(words);
      talk.answer({ text: `to ${words}` });
    }
  });

  test("are a habit, which explain() names with the setting", () => {
    expect(talk.session.explain().advice).toContain('trims: "ignore"');
  });

  test("are forgotten by a request without one", async () => {
    await talk.ask("eight");
    talk.answer({ text: "to eight" });
    expect(talk.session.explain().advice ?? "").not.toContain("trims");
  });
});

describe('history: "new": the host hands over what is new (rule 5)', () => {
  test.each([anthropicSpeaker, chatSpeaker])(
    "the session goes on with its own history and takes replies from settle ($name)",
    async (speaker) => {
      const owned = new Talk({ history: "new" }, speaker);
      const full = new Talk({}, speaker);
      for (const words of ["one", "two", "three"]) {
        owned.history = [];
        const [mine, theirs] = [await owned.ask(words), await full.ask(words)];
        expect(bytes(mine)).toEqual(bytes(theirs));
        expect(breaks(mine)).toEqual([]);
        for (const one of [owned, full]) one.answer({ thinking: `about ${words}`, text: `to ${words}` });
      }
    },
  );

  test("and its snapshot holds that history", async () => {
    const owned = new Talk({ history: "new" });
    await owned.ask("one");
    owned.answer([thinking("first"), text("1")]);
    const before = bytes(owned.turn);
    owned.restore();
    owned.history = [];
    const turn = await owned.ask("two");
    expect(bytes(turn)[0]).toBe(before[0]);
    expect(turn.request.messages).toHaveLength(3);
    expect(allOf(turn)).toContain("first");
    expect(breaks(turn)).toEqual([]);
  });
});
