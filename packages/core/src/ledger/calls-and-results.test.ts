import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, type Message, result, speakers, text } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { PendingCallsError } from "./admission.ts";
import { defaultWordings } from "./wordings.ts";

const user = (...content: readonly object[]): Message => ({ role: "user", content });
const calls = (...ids: readonly string[]): Message => ({ role: "assistant", content: ids.map((id) => call(id)) });

async function open(options: TalkOptions = {}, ...ids: readonly string[]): Promise<Talk> {
  const talk = new Talk(options);
  await talk.ask("read them");
  talk.answer({ calls: ids.map((id) => ({ id })) });
  return talk;
}

describe("a call without a result (rule 12)", () => {
  test.each(speakers)(
    "stops the request while nothing but results follow: the error names it, and nothing is changed ($name)",
    async (speaker) => {
      const talk = new Talk({}, speaker);
      await talk.ask("read both");
      talk.answer({ calls: [{ id: "c1" }, { id: "c2", name: "grep" }] });
      const before = JSON.stringify(talk.session.snapshot());
      const refused = await talk.results(["c1", "a"]).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(PendingCallsError);
      expect(refused).toMatchObject({
        code: "pending-calls",
        calls: [{ id: "c2", name: "grep" }],
        message: expect.stringContaining("c2 (grep)"),
      });
      expect(JSON.stringify(talk.session.snapshot())).toBe(before);
      talk.history.push(...speaker.results(["c2", "b"]));
      expect(breaks(await talk.send())).toEqual([]);
    },
  );

  test.each([
    ["cancelled", defaultWordings.reasons.cancelled],
    ["failed", defaultWordings.reasons.failed],
    ["unknown", defaultWordings.reasons.unknown],
  ] as const)("that the conversation moved past gets one result that says why: %s", async (reason, words) => {
    const talk = await open({ callReason: () => reason }, "c1", "c2");
    talk.history.push(user(result("c1"), text("never mind the other")));
    const turn = await talk.send();
    expect(sent(turn).at(-1)).toEqual(user(result("c1"), result("c2", `(no result: ${words})`), text("never mind the other")));
    expect(turn.repairs.resultsMadeUp).toEqual(["c2"]);
  });

  test("gets its made-up result once: the next request repeats it and makes up none", async () => {
    const talk = await open({}, "c1");
    const before = bytes(await talk.ask("never mind"));
    talk.answer({ text: "fine" });
    const turn = await talk.ask("and now?");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(turn.repairs.resultsMadeUp).toEqual([]);
  });

  test("that is deferred gets an interim result at once, whether or not anything follows", async () => {
    const talk = await open({ deferred: ({ id }) => id === "c1" }, "c1");
    expect(sent(await talk.send()).at(-1)).toEqual(user(result("c1", defaultWordings.deferredResult)));
    expect(talk.turn?.repairs.resultsMadeUp).toEqual([]);
  });

  test("that is deferred lets the others be pending", async () => {
    const talk = await open({ deferred: ({ id }) => id === "c1" }, "c1", "c2");
    await expect(talk.send()).rejects.toMatchObject({ calls: [{ id: "c2" }] });
  });
});

describe("a late result (rule 12)", () => {
  const late = `[late result of call c1 to read]\ntext of c1`;

  test.each([
    ["of a deferred call", { deferred: () => true }],
    ["of a call that was closed", {}],
  ] as const)("%s is said by the user, names the call and is no break", async (_which, options) => {
    const talk = await open(options, "c1");
    await talk.ask("go on meanwhile");
    talk.answer({ text: "I do" });
    talk.history.push(user(result("c1")));
    const turn = await talk.send();
    expect(sent(turn).at(-1)).toEqual(user(text(late)));
    expect(turn.repairs.resultsLate).toEqual(["c1"]);
    expect(breaks(turn)).toEqual([]);
  });

  test.fails("that the host puts where its call stands, far up in its history, is said at the end and is no break", async () => {
    const talk = await open({ deferred: () => true }, "c1");
    await talk.ask("go on meanwhile");
    talk.answer({ text: "I do" });
    const [asked, reply, meanwhile, ...rest] = talk.history as [Message, Message, Message, ...Message[]];
    talk.history = [asked, reply, user(result("c1")), meanwhile, ...rest, anthropicSpeaker.user("and?")];
    const turn = await talk.send();
    expect(breaks(turn)).toEqual([]);
    expect(JSON.stringify(sent(turn).at(-1))).toContain("late result of call c1");
  });

  test("stays where it was said", async () => {
    const talk = await open({ deferred: () => true }, "c1");
    await talk.ask("go on meanwhile");
    talk.answer({ text: "I do" });
    talk.history.push(user(result("c1")));
    const before = bytes(await talk.send());
    talk.answer({ text: "thanks" });
    expect(bytes(await talk.ask("next")).slice(0, before.length)).toEqual(before);
  });
});

describe("a result and its call (rule 12)", () => {
  test("without a call goes out as user text that names it", async () => {
    const talk = new Talk();
    talk.history = [user(text("hello")), calls("c1"), user(result("c1"), result("gone", "lost words"))];
    const turn = await talk.send();
    expect(sent(turn).at(-1)).toEqual(
      user(result("c1"), text("[result of call gone, which is no longer part of this conversation]\nlost words")),
    );
    expect(turn.repairs.resultsOrphaned).toEqual(["gone"]);
  });

  test("that came twice goes out once; a different second one is said as a late result", async () => {
    const twice = await open({}, "c1");
    twice.history.push(user(result("c1"), result("c1")));
    expect((await twice.send()).repairs).toMatchObject({ resultsDropped: ["c1"], resultsLate: [] });
    expect(allOf(twice.turn).split("text of c1")).toHaveLength(2);
    const other = await open({}, "c1");
    other.history.push(user(result("c1"), result("c1", "other words")));
    expect((await other.send()).repairs).toMatchObject({ resultsDropped: [], resultsLate: ["c1"] });
    expect(allOf(other.turn)).toContain("other words");
  });

  test("belong together by the latest batch that has the id; repeated ids are mapped where they must be unique, call and result alike", async () => {
    const talk = await open({}, "c1");
    await talk.results(["c1", "first"]);
    talk.answer({ calls: [{ id: "c1" }] });
    const turn = await talk.results(["c1", "second"]);
    expect(turn.repairs.idsMapped).toEqual(["c1_2"]);
    expect(sent(turn).slice(3)).toEqual([
      { role: "assistant", content: [{ ...call("c1"), id: "c1_2" }] },
      user({ ...result("c1", "second"), tool_use_id: "c1_2" }),
    ]);
    talk.answer({ text: "done" });
    const next = await talk.ask("go on");
    expect(bytes(next).slice(0, 5)).toEqual(bytes(turn));
    expect(breaks(next)).toEqual([]);
  });

  test("keep a repeated id where the wire takes it", async () => {
    const [, chat] = speakers;
    const talk = new Talk({}, chat);
    await talk.ask("read");
    for (const said of ["first", "second"]) {
      talk.answer({ calls: [{ id: "c1" }] });
      await talk.results(["c1", said]);
    }
    expect(talk.turn?.repairs.idsMapped).toEqual([]);
    expect(sent(talk.turn).at(-1)).toMatchObject({ tool_call_id: "c1", content: "second" });
  });

  test("that a host stores under the mapped id is the same result", async () => {
    const talk = await open({}, "c1");
    await talk.results(["c1", "first"]);
    talk.answer({ calls: [{ id: "c1" }] });
    const before = await talk.results(["c1", "second"]);
    talk.history = [...sent(before)];
    const turn = await talk.send();
    expect(bytes(turn)).toEqual(bytes(before));
    expect(breaks(turn)).toEqual([]);
  });
});
