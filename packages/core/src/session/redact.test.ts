import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, result, speakers, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk } from "../../test/talk.ts";

const key = "sk-12345";
const redact = (words: string): string => words.replaceAll(key, "[key]");

describe("redact (rule 57)", () => {
  test("runs at admission, so that request, snapshot and log agree", async () => {
    for (const speaker of speakers) {
      const talk = new Talk({ redact }, speaker);
      await talk.ask(`use ${key}`);
      talk.answer({ calls: [{ id: "c1", input: { [`with ${key}`]: [`${key}!`] } }] });
      const turn = await talk.results(["c1", `answer for ${key}`]);
      const stored = JSON.stringify(talk.session.snapshot());
      for (const words of [allOf(turn), stored]) expect(words, speaker.name).not.toContain(`for ${key}`);
      expect(allOf(turn)).toMatch(/use \[key\].*\[key\]!.*answer for \[key\]/s);
    }
  });

  test("may change the id of a call: a result that is made up for it bears the same", async () => {
    const talk = new Talk({ redact });
    await talk.ask("one");
    talk.answer([call(`c-${key}`)]);
    expect(sent(await talk.ask("never mind"))[2]?.content).toContainEqual(
      expect.objectContaining({ type: "tool_result", tool_use_id: "c-[key]" }),
    );
  });

  test("is not run again: the history may go on saying the words, or the redacted ones", async () => {
    const talk = new Talk({ redact });
    const before = bytes(await talk.ask(`use ${key}`));
    talk.answer({ text: "done" });
    expect(bytes(await talk.ask("next"))[0]).toBe(before[0]);
    expect(talk.turn?.repairs.equivalent).toBe(0);
    talk.history[0] = anthropicSpeaker.user("use [key]");
    const turn = await talk.send();
    expect(bytes(turn)[0]).toBe(before[0]);
    expect(breaks(turn)).toEqual([]);
  });

  test("leaves reasoning that it would change out, counts it, and never alters it; the visible text goes", async () => {
    const talk = new Talk({ redact });
    await talk.ask("one");
    talk.answer([thinking(`the key is ${key}`), text("1"), call("c1")]);
    const turn = await talk.results(["c1", "a"]);
    expect(turn.repairs.reasoningRedacted).toBe(1);
    expect(sent(turn)[1]?.content).toEqual([text("1"), call("c1")]);
    const untouched = new Talk({ redact });
    await untouched.ask("one");
    untouched.answer([thinking("nothing to hide"), text("1")]);
    expect(sent(await untouched.ask("two"))[1]?.content).toEqual([thinking("nothing to hide"), text("1")]);
  });

  test("is followed by the cap, so that no half of what it hides can be shown", async () => {
    const talk = new Talk({ redact, toolResultCap: 64 });
    await talk.ask("one");
    talk.answer({ calls: [{ id: "c1" }] });
    expect(allOf(await talk.results(["c1", `${key} `.repeat(500)]))).not.toMatch(/sk-|12345/);
  });
});

describe("text (rule 9)", () => {
  test.each(speakers)("is well-formed Unicode in what goes out, repaired once and then frozen ($name)", async (speaker) => {
    const talk = new Talk({}, speaker);
    await talk.ask("broken \ud83d here");
    talk.answer({ calls: [{ id: "c1" }] });
    const before = await talk.results(["c1", "also \udc00 here"]);
    expect(allOf(before)).toMatch(/broken \ufffd here.*also \ufffd here/s);
    talk.answer({ text: "fine" });
    const turn = await talk.ask("next");
    expect(bytes(turn).slice(0, 3)).toEqual(bytes(before));
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs.equivalent).toBe(0);
  });

  test.each(speakers)("that the host stores repaired is the same ($name)", async (speaker) => {
    const talk = new Talk({}, speaker);
    const before = bytes(await talk.ask("broken \ud83d here"));
    talk.answer({ text: "fine" });
    talk.history[0] = speaker.user("broken \ufffd here");
    const turn = await talk.ask("next");
    expect(bytes(turn)[0]).toBe(before[0]);
    expect(breaks(turn)).toEqual([]);
  });

  test("that is well-formed goes out to the letter", async () => {
    const words = "👨‍👩‍👧‍👦 e\u0301 \u0000 \u2028 \ufeff 漢";
    const talk = new Talk();
    expect(sent(await talk.ask(words))).toEqual([{ role: "user", content: [text(words)] }]);
  });

  test("in names of members is repaired, too", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([call("c1", "read", { "pa\ud800th": 1 })]);
    expect(allOf(await talk.results(["c1", "a"]))).toContain('"pa\ufffdth":1');
  });

  test("of results that a batch lacks or that lack their call is repaired", async () => {
    const talk = new Talk();
    talk.history = [anthropicSpeaker.user("one"), { role: "user", content: [result("gone\ud800", "words \ud800")] }];
    expect(allOf(await talk.send())).not.toMatch(/\\ud800/);
  });
});
