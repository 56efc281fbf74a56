import { describe, expect, test } from "vitest";
import { anthropicReshapings } from "../../test/reshapings.ts";
import { anthropicSpeaker, call, type Message, result, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk } from "../../test/talk.ts";

/** A session that met a loop of two rows whose making it did not see, and folded it (rule 62 c); the model has answered. */
async function folded(): Promise<{ readonly talk: Talk; readonly window: readonly Message[]; readonly before: readonly string[] }> {
  const talk = new Talk();
  talk.history = [
    anthropicSpeaker.user("read both"),
    { role: "assistant", content: [thinking("start"), call("c1"), call("c2")] },
    { role: "user", content: [result("c1"), result("c2")] },
    { role: "assistant", content: [thinking("go on"), call("c3")] },
    { role: "user", content: [result("c3")] },
  ];
  const window = sent(await talk.send());
  expect(window).toHaveLength(2);
  talk.answer([thinking("end"), text("read")]);
  return { talk, window, before: window.map((message) => JSON.stringify(message)) };
}

const whats = [
  ["live", false],
  ["restored", true],
] as const;

describe.each(whats)("a folded loop, in a session that is %s (rules 4, 5, 48 and 62 c)", (_what, restores) => {
  test.each(Object.keys(anthropicReshapings))("is met again in a history with %s", async (name) => {
    const { talk, before } = await folded();
    if (restores) talk.restore();
    talk.history = [...(anthropicReshapings[name]?.(talk.history) ?? [])];
    const turn = await talk.ask("thanks");
    expect(bytes(turn).slice(0, 2)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
    expect(allOf(turn)).toContain("end");
  });

  test("that the host stores as it was sent is a message of the host's own from then on", async () => {
    const { talk, window, before } = await folded();
    if (restores) talk.restore();
    talk.history = [...window, ...talk.history.slice(5)];
    for (const words of ["thanks", "bye"]) {
      const turn = await talk.ask(words);
      expect(bytes(turn).slice(0, 2)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
      talk.answer({ text: "ok" });
    }
  });

  // Soak seed 167.
  test("is stored along with what Tidemark said in front of it", async () => {
    const talk = new Talk();
    talk.history = [
      { role: "assistant", content: [thinking("go on"), call("c3")] },
      { role: "user", content: [result("c3")] },
    ];
    const window = sent(await talk.send());
    expect(window.map(({ role }) => role)).toEqual(["user", "user"]);
    if (restores) talk.restore();
    const reply = [thinking("next"), call("c4")];
    talk.answer(reply);
    if (!restores) await talk.results(["c4", "found"]);
    talk.history = [...window, { role: "assistant", content: reply }, { role: "user", content: [result("c4", "found")] }];
    const turn = await talk.send();
    expect(bytes(turn).slice(0, 2)).toEqual(window.map((message) => JSON.stringify(message)));
    expect([breaks(turn), turn.repairs.reasoningWithheld]).toEqual([[], restores ? 1 : 0]);
  });

  test("whose reply began another one stays when that reply is asked for again (rules 1 and 6)", async () => {
    const { talk, before } = await folded();
    talk.store([thinking("unseen"), call("c9")]);
    if (restores) talk.restore();
    const second = bytes(await talk.results(["c9", "i"]));
    expect(second.slice(0, 2)).toEqual(before);
    expect(second).toHaveLength(3);
    if (restores) talk.restore();
    const turn = await talk.send();
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn)).toEqual(second);
  });

  test("goes on through another restore", async () => {
    const { talk, before } = await folded();
    for (const words of ["thanks", "bye", "again"]) {
      if (restores) talk.restore();
      const turn = await talk.ask(words);
      expect(bytes(turn).slice(0, 2)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
      talk.answer([thinking(words), text("ok")]);
    }
    expect(allOf(talk.turn)).toMatch(/end.*thanks.*bye/s);
  });

  test("is dropped when the history ends inside of it or goes another way there (rule 7)", async () => {
    const { talk } = await folded();
    await talk.ask("thanks");
    talk.answer({ text: "welcome" });
    if (restores) talk.restore();
    talk.history = talk.history.slice(0, 3);
    const turn = await talk.ask("never mind");
    expect(breaks(turn)).toEqual(["history at 1"]);
    expect(allOf(turn)).not.toContain("c3");
  });
});

describe.each(whats)("an edit under a folded loop, in a session that is %s (rules 7 and 48)", (_what, restores) => {
  const cleared: Message = { role: "user", content: [result("c1", "[cleared]"), result("c2", "[cleared]")] };

  test.each(["as it was", ...Object.keys(anthropicReshapings)])("changes nothing that was sent, and is counted: %s", async (name) => {
    const { talk, before } = await folded();
    talk.history[2] = cleared;
    for (const words of ["thanks", "bye"]) {
      if (restores) talk.restore();
      talk.history = [...(anthropicReshapings[name]?.(talk.history) ?? talk.history)];
      const turn = await talk.ask(words);
      expect(bytes(turn).slice(0, 2)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
      expect(turn.repairs.underRecap).toBe(1);
      talk.answer([thinking(words), text("ok")]);
    }
    expect(allOf(await talk.ask("again"))).toMatch(/end.*thanks.*bye/s);
  });

  test("is none when it is taken back", async () => {
    const { talk, before } = await folded();
    const results = talk.history[2] as Message;
    talk.history[2] = cleared;
    if (restores) talk.restore();
    expect((await talk.ask("thanks")).repairs.underRecap).toBe(1);
    talk.answer({ text: "ok" });
    talk.history[2] = results;
    if (restores) talk.restore();
    const turn = await talk.ask("bye");
    expect(bytes(turn).slice(0, 2)).toEqual(before);
    expect([breaks(turn), turn.repairs.underRecap]).toEqual([[], 0]);
  });

  test("that brings other calls goes another way: the source shows", async () => {
    const { talk } = await folded();
    await talk.ask("thanks");
    talk.answer({ text: "welcome" });
    if (restores) talk.restore();
    talk.history[3] = { role: "assistant", content: [call("c4")] };
    talk.history[4] = { role: "user", content: [result("c4")] };
    const turn = await talk.ask("bye");
    expect(breaks(turn)).toEqual(["history at 1"]);
    expect(allOf(turn)).toContain("text of c4");
  });
});
