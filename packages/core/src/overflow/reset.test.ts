import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { chatSpeaker, speakers } from "../../test/speakers.ts";
import { allOf, breaks, sent } from "../../test/talk.ts";
import { anchored } from "./anchored.ts";
import { chain } from "./chain.ts";
import { reset } from "./reset.ts";
import { summarize } from "./summarize.ts";

describe.each(speakers)("$name: reset (rule 39)", (speaker) => {
  test("keeps pinned messages, the question being asked and open calls, and leaves a notice with their number", async () => {
    const talk = new Crowded(reset(), {}, speaker);
    await talk.ask("my name is Ada");
    talk.session.pin(talk.history[0] as object);
    talk.answer({ text: "welcome" });
    await talk.exchange(3, 60);
    await talk.ask("read it");
    talk.answer({ calls: [{ id: "c1" }] });
    talk.session.compact();
    const turn = await talk.results(["c1", "the text"]);
    expect(breaks(turn)).toEqual(["compaction at 0"]);
    expect(allOf(turn)).toMatch(/9 earlier messages of this conversation were left out.*my name is Ada.*read it.*the text/s);
    expect(allOf(turn)).not.toMatch(/answer \d|welcome/);
  });

  test("keeps all that the user said and nobody has answered", async () => {
    const talk = new Crowded(reset(), {}, speaker);
    await talk.exchange(3, 60);
    await talk.ask("first of two");
    talk.session.compact();
    const turn = await talk.ask("second of two");
    expect(allOf(turn)).toMatch(/left out to make room.*first of two.*second of two/s);
    expect(allOf(turn)).not.toContain("answer 3");
    talk.answer({ text: "yes" });
    expect(breaks(await talk.ask("on"))).toEqual([]);
  });

  test("asks no model, and has nothing to do where only that is left", async () => {
    const talk = new Crowded(reset(), {}, speaker);
    await talk.exchange(2, 60);
    talk.session.compact();
    await talk.ask("on");
    const before = allOf(talk.turn);
    talk.session.compact();
    expect(breaks(await talk.send())).toEqual([]);
    expect(allOf(talk.turn)).toBe(before);
    expect(talk.reports.at(-1)).toMatchObject({ status: "unchanged" });
  });

  test("a summary gives way to the notice where the window does not fit with it, and only there; the notice counts what it stood for", async () => {
    const summarizer = scripted(prose("SUMMARY", 200));
    const strategy = chain(summarize({ summarizer, summaryTokens: 500 }), reset());
    const talk = new Crowded(strategy, {}, speaker);
    await talk.exchange(3, 180);
    talk.session.compact();
    await talk.ask(prose("on", 20));
    expect(allOf(talk.turn)).toContain("SUMMARY");
    const perWord = (talk.landings[0]?.tokensBefore ?? 0) / 565;
    talk.session.compact();
    await talk.send();
    expect(allOf(talk.turn)).toContain("SUMMARY");
    talk.history = [...talk.history.slice(0, -1), talk.speaker.user(prose("a long question", Math.floor(1_850 / perWord)))];
    const turn = await talk.send();
    expect(breaks(turn)).toEqual(["compaction at 0"]);
    expect(allOf(turn)).toMatch(/\[6 earlier messages of this conversation were left out.*a long question/s);
    expect(allOf(turn)).not.toContain("SUMMARY");
    talk.session.compact();
    expect(breaks(await talk.send())).toEqual([]);
  });

  test.each([summarize, anchored])("is what a strategy without a summariser falls back to, never an empty window", async (make) => {
    const talk = new Crowded(make({}), {}, speaker);
    await talk.exchange(3, 60);
    talk.session.compact();
    const turn = await talk.ask(prose("the question", 20));
    expect(allOf(turn)).toMatch(/left out to make room.*the question/s);
    expect(sent(turn).length).toBeGreaterThan(0);
  });
});

// Soak seed 136000010: results that came in another order than their calls were counted twice, and otherwise behind a restore.
test.each([false, true])(
  "a notice counts what the model saw as messages, in whatever order results came (rules 39 and 48; restored: %s)",
  async (restores) => {
    const talk = new Crowded(reset(), {}, chatSpeaker);
    await talk.ask("look at both");
    talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
    await talk.results(["c2", "b"], ["c1", "a"]);
    talk.answer({ text: "both are here" });
    talk.session.compact();
    expect(allOf(await talk.ask("go on"))).toContain("[5 earlier messages");
    talk.answer({ text: "done" });
    if (restores) talk.restore();
    talk.session.compact();
    expect(allOf(await talk.ask("and on"))).toContain("[7 earlier messages");
  },
);
