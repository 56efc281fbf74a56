import { describe, expect, test } from "vitest";
import { call, chatSpeaker, type Message, result, type Speaker, speakers, text } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { ollama } from "../adapters/ollama/index.ts";
import { createSession } from "../session/create-session.ts";
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
      if (speaker === chatSpeaker) talk.history = [{ role: "system", content: "be brief" }];
      await talk.ask("read both");
      talk.answer({ calls: [{ id: "c1" }, { id: "c2", name: "grep" }] });
      const before = JSON.stringify(talk.session.snapshot());
      const refused = await talk.results(["c1", "a"]).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(PendingCallsError);
      expect(refused).toMatchObject({
        code: "pending-calls",
        calls: [{ id: "c2", name: "grep" }],
        path: `$.messages[${talk.history.length}]`,
        message: expect.stringContaining("c2 (grep)"),
      });
      expect(JSON.stringify(talk.session.snapshot())).toBe(before);
      talk.history.push(...speaker.results(["c2", "b"]));
      expect(breaks(await talk.send())).toEqual([]);
    },
  );

  test("stops the request in front of a prefill, too; a deferred one gets its interim result there", async () => {
    const prefill = { role: "assistant", content: "{" };
    const talk = await open({}, "c1");
    talk.history.push(prefill);
    await expect(talk.send({ model: "claude-sonnet-4-5" })).rejects.toMatchObject({ code: "pending-calls", calls: [{ id: "c1" }] });
    const deferring = await open({ deferred: () => true }, "c1");
    deferring.history.push(prefill);
    const [interim, last] = sent(await deferring.send({ model: "claude-sonnet-4-5" })).slice(-2);
    expect(interim).toEqual(user(result("c1", defaultWordings.deferredResult)));
    expect(last).toEqual({ role: "assistant", content: [text("{")] });
  });

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

  describe.each([
    ["of a deferred call", { deferred: () => true }],
    ["of a call that was closed", {}],
  ] as const)("%s that the host puts where its call stands, far up in its history,", (_which, options) => {
    async function filledIn(place = 2): Promise<{ readonly talk: Talk; readonly before: readonly string[] }> {
      const talk = await open(options, "c1");
      await talk.ask("go on meanwhile");
      talk.answer({ text: "I do" });
      const before = bytes(await talk.ask("well?"));
      talk.answer({ text: "not yet" });
      talk.history = [...talk.history.slice(0, place), user(result("c1")), ...talk.history.slice(place)];
      return { talk, before };
    }

    test.each([
      [2, false],
      [2, true],
      [4, false],
      [4, true],
    ])("is said at the end and is no break: at %i, restored: %s", async (place, restores) => {
      const { talk, before } = await filledIn(place);
      if (restores) talk.restore();
      const turn = await talk.ask("and?");
      expect(breaks(turn)).toEqual([]);
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(bytes(turn).at(-1)).toContain("late result of call c1");
      expect(allOf(turn).match(/text of c1/g)).toHaveLength(1);
      expect(turn.said).toMatchObject([{ source: "result c1" }]);
    });

    test.each([false, true])("is said anew as long as nothing has answered it, and once: restored: %s", async (restores) => {
      const { talk } = await filledIn();
      await talk.ask("and?");
      for (const words of ["or?", "hello?"]) {
        if (restores) talk.restore();
        expect(allOf(await talk.ask(words)).match(/text of c1/g)).toHaveLength(1);
      }
      const before = bytes(talk.turn);
      talk.answer({ text: "thanks" });
      if (restores) talk.restore();
      const turn = await talk.ask("next");
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(allOf(turn).match(/text of c1/g)).toHaveLength(1);
      expect([breaks(turn), turn.said]).toEqual([[], []]);
    });

    test("stands behind its call where an edit further up shows the history anew", async () => {
      const { talk } = await filledIn();
      await talk.ask("and?");
      talk.answer({ text: "thanks" });
      talk.history[0] = user(text("hello, edited"));
      const turn = await talk.ask("next");
      expect(breaks(turn)).toEqual(["history at 0"]);
      expect(allOf(turn).match(/text of c1/g)).toHaveLength(1);
      expect(allOf(turn)).not.toContain("late result");
    });
  });

  // Soak seeds 510554, 510611, 510614.
  test("that was made up stands where a host that stores the window has it, after a restore too: it is not late", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("go on");
    talk.answer({ calls: [{ id: "c1" }] });
    const window = sent(await talk.ask("never mind"));
    talk.answer({ text: "fine" });
    talk.history = [...window, ...talk.history.slice(-1)];
    talk.restore();
    const turn = await talk.ask("next");
    expect(bytes(turn).slice(0, window.length)).toEqual(window.map((message) => JSON.stringify(message)));
    expect([breaks(turn), turn.said]).toEqual([[], []]);
  });

  // Soak seed 500315.
  test("that the host hands over twice wakes as the one that was sent, in whichever order the ids sort", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("go on");
    talk.answer({ calls: [{ id: "c9" }, { id: "c10" }] });
    const results = chatSpeaker.results(["c9", "nine"], ["c10", "ten"]);
    talk.history = [...talk.history, ...results, ...results];
    const before = bytes(await talk.send());
    talk.answer({ text: "found" });
    talk.restore();
    const turn = await talk.ask("next");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
  });

  test("keeps within the cap of its tool, and names the lines that are left out; all of it goes where there is no cap", async () => {
    const long = Array.from({ length: 400 }, (_, index) => `line ${index + 1}`).join("\n");
    for (const toolResultCap of [256, false] as const) {
      const talk = await open({ toolResultCap }, "c1");
      await talk.ask("go on meanwhile");
      talk.answer({ text: "I do" });
      talk.history.push(user(result("c1", long)));
      const turn = await talk.send();
      const [{ text: said }] = (sent(turn).at(-1) as Message)["content"] as [{ readonly text: string }];
      expect(said.includes(long), `cap: ${toolResultCap}`).toBe(toolResultCap === false);
      if (toolResultCap === false) continue;
      const [, from, to] = /lines (\d+)\D+(\d+)/.exec(said) ?? [];
      expect(said).toContain(`\nline ${Number(from) - 1}\n`);
      expect(said).toContain(`\nline ${Number(to) + 1}\n`);
      expect(said).not.toMatch(new RegExp(`line (${from}|${to})\n`));
      expect(turn.repairs.resultsCapped).toMatchObject([{ id: "c1", tool: "read" }]);
    }
  });

  test("of each of several calls names its own, also of one that was made since the first was said", async () => {
    const talk = await open({}, "c1");
    await talk.ask("go on meanwhile");
    talk.answer({ text: "I do" });
    talk.history.push(user(result("c1")), { role: "assistant", content: [call("c2", "grep")] }, user(text("never mind")));
    talk.history.push({ role: "assistant", content: [text("fine")] }, user(result("c2")));
    expect(allOf(await talk.send())).toMatch(/late result of call c1 to read.*late result of call c2 to grep/s);
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
  test("belong together at the very start of a history, too", async () => {
    const talk = new Talk({ strict: false }, chatSpeaker);
    talk.history = [chatSpeaker.reply({ calls: [{ id: "c1" }] }), ...chatSpeaker.results(["c1", "a"])];
    const turn = await talk.ask("thanks");
    expect(sent(turn).map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
    expect(turn.repairs.resultsOrphaned).toEqual([]);
  });

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

describe("a result that names its tool, or nothing, where the wire takes that (rule 12)", () => {
  const asked = { role: "user", content: "look" };
  const made = (...names: readonly string[]): object => ({
    ...{ role: "assistant", content: "" },
    tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
  });
  const found = (tool_name: string, content: string): object => ({ role: "tool", tool_name, content });

  async function resultsOf(calls: object, ...results: readonly object[]) {
    const session = createSession({ wire: ollama() as unknown as Speaker["wire"] });
    const turn = await session.prepare({ model: "qwen3:8b", messages: [asked, calls, ...results] as unknown as readonly Message[] });
    return { results: turn.request.messages.slice(2).map(({ content }) => content), repairs: turn.repairs };
  }

  test("answers the first call of that tool which has none yet, in the order of the calls", async () => {
    const { results, repairs } = await resultsOf(made("ls", "read", "ls"), found("read", "r"), found("ls", "a"), found("ls", "b"));
    expect(results).toEqual(["a", "r", "b"]);
    expect(repairs).toMatchObject({ resultsOrphaned: [], resultsLate: [] });
  });

  test("answers the first call of all which has none yet, where it names nothing", async () => {
    const { results } = await resultsOf(made("ls", "read"), { role: "tool", content: "a" }, found("read", "r"));
    expect(results).toEqual(["a", "r"]);
  });

  test("is said by the user where no call is of that tool", async () => {
    const { results, repairs } = await resultsOf(made("ls"), found("ls", "a"), found("rm", "gone"));
    expect(results).toEqual(["a", expect.stringMatching(/^\[result of call rm, .*\]\ngone$/)]);
    expect(repairs.resultsOrphaned).toEqual(["rm"]);
  });

  test("of a call that the conversation moved past is made up, though neither has an id", async () => {
    const { results, repairs } = await resultsOf(made("ls", "read"), found("read", "r"), { role: "user", content: "never mind" });
    expect(results).toEqual([expect.stringContaining("(no result"), "r", "never mind"]);
    expect(repairs.resultsMadeUp).toHaveLength(1);
  });
});
