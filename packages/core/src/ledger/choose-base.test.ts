import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversation } from "../../test/random-talk.ts";
import { anthropicSpeaker, call, type Message, result, speakers, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, onlyCheckpoint, sent, Talk } from "../../test/talk.ts";

const reply = (...content: readonly object[]): Message => ({ role: "assistant", content });

/** A first exchange whose reply thinks. */
async function begun(options: ConstructorParameters<typeof Talk>[0] = {}): Promise<Talk> {
  const talk = new Talk(options);
  await talk.ask("one");
  talk.answer([thinking("first"), text("1")]);
  return talk;
}

describe("a history goes on from the window that it repeats most of (rule 5)", () => {
  test.each(speakers)("extending what was given is no break ($name)", async (speaker) => {
    const talk = new Talk({}, speaker);
    let before: readonly string[] = [];
    for (const words of ["one", "two", "three"]) {
      const turn = await talk.ask(words);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(turn.continuity).toMatchObject({
        kept: before.length,
        appended: turn.request.messages.length - before.length,
        checkpoints: [],
      });
      before = bytes(turn);
      talk.answer({ text: `to ${words}` });
    }
  });

  test("extending what was sent is no break: caps, made-up results and all become the host's own", async () => {
    const talk = new Talk({ toolResultCap: 64 });
    await talk.ask("read");
    talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
    talk.history.push({ role: "user", content: [result("c1", "long\n".repeat(500)), text("never mind the other")] });
    const before = bytes(await talk.send());
    talk.history = [...sent(talk.turn)];
    talk.answer({ text: "fine" });
    const turn = await talk.ask("next");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs).toMatchObject({ resultsCapped: [], resultsMadeUp: [] });
  });

  test("ending early is a removal at its end, and voids nothing", async () => {
    const talk = await begun();
    await talk.ask("two");
    talk.answer([thinking("second"), text("2")]);
    await talk.ask("three");
    talk.history = talk.history.slice(0, 2);
    const turn = await talk.ask("other");
    expect(breaks(turn)).toEqual(["history at 2"]);
    expect(allOf(turn)).toContain("first");
    expect(onlyCheckpoint(turn)).toMatchObject({ class: expect.stringMatching(/edit|removal/), hint: undefined });
  });

  test("an abandoned branch is taken up again with its reasoning", async () => {
    const talk = await begun();
    await talk.ask("two");
    talk.answer([thinking("second"), text("2")]);
    const branch = [...talk.history];
    talk.history = branch.slice(0, 2);
    await talk.ask("other");
    talk.answer([thinking("elsewhere"), text("3")]);
    talk.history = [...branch];
    const turn = await talk.ask("three");
    expect(allOf(turn)).toContain("second");
    expect(allOf(turn)).not.toMatch(/elsewhere|other/);
    // The words that the user took back were answered in another branch only: in this history nothing shows that they were.
    expect(breaks(turn)).toEqual([]);
  });
});

describe("a reply is vouched for by the window that made it (rule 6)", () => {
  test("a retried request is no break, and the reply to either attempt may be kept", async () => {
    for (const kept of [0, 1]) {
      const talk = new Talk();
      const turns = [await talk.ask("one"), await talk.send()];
      expect(breaks(turns[1] as (typeof turns)[0])).toEqual([]);
      turns[kept]?.settle(anthropicSpeaker.replied(talk.message([thinking("first"), text("1")])));
      talk.store([thinking("first"), text("1")]);
      const turn = await talk.ask("two");
      expect(allOf(turn), `attempt ${kept}`).toContain("first");
      expect(breaks(turn)).toEqual([]);
    }
  });

  test("a regenerated reply is no break, and the new one is vouched for", async () => {
    const talk = await begun();
    talk.history.pop();
    const again = await talk.send();
    expect(breaks(again)).toEqual([]);
    talk.answer([thinking("another"), text("uno")]);
    const turn = await talk.ask("two");
    expect(breaks(turn)).toEqual([]);
    expect(allOf(turn)).toContain("another");
  });

  test("of two requests in flight, the one whose reply is kept is gone on from", async () => {
    const talk = await begun();
    const first = await talk.ask("two");
    const second = await talk.ask("no, three");
    second.settle(anthropicSpeaker.replied(talk.message([thinking("to both"), text("23")])));
    first.settle(anthropicSpeaker.replied(talk.message([thinking("to two"), text("2")])));
    talk.history = [...talk.history.slice(0, 3), reply(thinking("to two"), text("2"))];
    const turn = await talk.ask("four");
    expect(allOf(turn)).toContain("to two");
    expect(bytes(turn).slice(0, 3)).toEqual(bytes(first));
  });

  test("behind a message that its window did not hold, a reply goes without its reasoning, and nothing that was sent changes", async () => {
    const talk = await begun();
    await talk.ask("two");
    talk.turn?.settle(anthropicSpeaker.replied(talk.message([thinking("second"), text("2")])));
    talk.history.push(anthropicSpeaker.user("queued in flight"));
    talk.store([thinking("second"), text("2")]);
    const turn = await talk.ask("three");
    expect(allOf(turn)).not.toContain("second");
    expect(turn.repairs.reasoningWithheld).toBe(1);
    expect(allOf(turn)).toContain("first");
    expect(breaks(turn)).toEqual([]);
  });

  test("made outside the session, a reply goes without its reasoning", async () => {
    const talk = await begun();
    talk.history.push(anthropicSpeaker.user("outside"), reply(thinking("strange"), text("?")));
    const turn = await talk.ask("two");
    expect(allOf(turn)).not.toContain("strange");
    expect(turn.repairs.reasoningWithheld).toBe(1);
    expect(breaks(turn)).toEqual([]);
  });

  test("without settle, only the reply right behind the last window is taken on trust, and only in the process that prepared it", async () => {
    for (const restores of [false, true]) {
      const talk = new Talk();
      await talk.ask("one");
      talk.store([thinking("first"), text("1")]);
      if (restores) talk.restore();
      const turn = await talk.ask("two");
      expect(allOf(turn).includes("first"), `restored: ${restores}`).toBe(!restores);
      expect(turn.repairs.reasoningWithheld).toBe(restores ? 1 : 0);
      expect(breaks(turn)).toEqual([]);
    }
  });

  test("a host that settles is not taken on trust: an unsettled reply may be another one's", async () => {
    const talk = await begun();
    await talk.ask("two");
    talk.store([thinking("unsettled"), text("2")]);
    const turn = await talk.ask("three");
    expect(allOf(turn)).not.toContain("unsettled");
    expect(breaks(turn)).toEqual([]);
  });

  test("is found by value: another reply in its place is not vouched for", async () => {
    const talk = await begun();
    talk.history[1] = reply(thinking("forged"), text("1"));
    const turn = await talk.ask("two");
    expect(allOf(turn)).not.toMatch(/forged|first/);
    expect(turn.repairs.reasoningWithheld).toBe(1);
  });

  test("a settled turn keeps the reasoning of a reply with calls through its whole loop", async () => {
    const talk = new Talk();
    await talk.ask("read");
    talk.answer([thinking("which"), call("c1")]);
    await talk.results(["c1", "a"]);
    talk.answer([thinking("done"), text("read it")]);
    const turn = await talk.ask("thanks");
    expect(sent(turn)[1]?.content).toEqual([thinking("which"), call("c1")]);
    expect(sent(turn)[3]?.content).toEqual([thinking("done"), text("read it")]);
  });
});

describe.each(speakers)("a session that owns its history, on $name (rule 5)", (speaker) => {
  test("sends what one sends that is handed the whole of it, restored or not", async () => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), fc.boolean(), async (exchanges, restores) => {
        const [owned, whole] = [new Talk({ history: "new", strict: false }, speaker), new Talk({ strict: false }, speaker)];
        for (const { before, reply } of exchanges) {
          owned.history = [...before];
          whole.history = [...whole.history, ...before];
          const [mine, theirs] = [await owned.send(), await whole.send()];
          expect(bytes(mine)).toEqual(bytes(theirs));
          expect(breaks(mine)).toEqual([]);
          for (const turn of [mine, theirs]) turn.settle(speaker.replied(reply));
          whole.history = [...whole.history, reply];
          if (restores) owned.restore();
        }
      }),
      { numRuns: 20 },
    );
  });
});
