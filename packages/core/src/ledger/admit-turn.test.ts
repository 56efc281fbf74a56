import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Message, result, speakers, text } from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { defaultWordings } from "./wordings.ts";

const user = (...content: readonly object[]): Message => ({ role: "user", content });
const system = (content: unknown): Message => ({ role: "system", content });

/** The last message that a history makes, as it is sent. */
async function lastOf(history: readonly Message[], speaker = anthropicSpeaker): Promise<Message | undefined> {
  const talk = new Talk({}, speaker);
  talk.history = [...history];
  return sent(await talk.send()).at(-1);
}

describe("empty text (rule 10)", () => {
  test.each(["", " ", "\n\t "])("%j is left out beside another block", async (blank) => {
    expect(await lastOf([user(text(blank), text("hello"), text(blank))])).toEqual(user(text("hello")));
  });

  test("alone it leaves its whole message out, where the wire takes none", async () => {
    for (const speaker of speakers) {
      const talk = new Talk({}, speaker);
      await talk.ask("hello");
      talk.answer({ text: "yes?" });
      talk.history.push(speaker.user("  "));
      expect(
        sent(await talk.ask("read it")).map(({ role }) => role),
        speaker.name,
      ).toEqual(["user", "assistant", "user"]);
    }
  });

  test("that bears something is no empty text", async () => {
    const cited = { type: "text", text: " ", citations: [{ type: "char_location", cited_text: "a" }] };
    const talk = new Talk({ strict: false });
    await talk.ask("hello");
    talk.answer([text("yes?"), cited]);
    expect(sent(await talk.ask("read it"))[1]).toEqual({ role: "assistant", content: [text("yes?"), cited] });
  });

  test("is not made by cutting white space around other text", async () => {
    expect(await lastOf([user(text("  hello \n"))])).toEqual(user(text("  hello \n")));
    expect(await lastOf([chatSpeaker.user(" hello\n")], chatSpeaker)).toMatchObject({ content: " hello\n" });
  });

  test.each(["", "  \n", [], null, [text("")]])("as a tool result (%j) goes out as a placeholder", async (content) => {
    const history = [user(text("ls")), { role: "assistant", content: [call("c1")] }, user(result("c1", content))];
    expect(await lastOf(history)).toEqual(user(result("c1", defaultWordings.emptyResult)));
  });
});

describe("results (rule 11)", () => {
  const asked = [user(text("read both")), { role: "assistant", content: [call("c1"), call("c2")] }];

  test("go out in the order of their calls, in one message with the user text that followed", async () => {
    const history = [...asked, user(result("c2")), user(text("and hurry")), user(result("c1")), user(text("please"))];
    expect(await lastOf(history)).toEqual(user(result("c1"), result("c2"), text("and hurry"), text("please")));
  });

  test("go out in the order of their calls, each a message of its own, where the wire wants that", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("read both");
    talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
    talk.history.push(...chatSpeaker.results(["c2", "b"]), chatSpeaker.user("and hurry"), ...chatSpeaker.results(["c1", "a"]));
    expect(sent(await talk.send()).slice(2)).toEqual([...chatSpeaker.results(["c1", "a"], ["c2", "b"]), chatSpeaker.user("and hurry")]);
  });

  test.each(speakers)(
    "have nothing between them and their calls: what is said there waits, and stays behind them ($name)",
    async (speaker) => {
      const talk = new Talk({}, speaker);
      await talk.ask("read both");
      talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
      talk.history.push(...speaker.results(["c1", "a"]), speaker.user("stop after this one"), ...speaker.results(["c2", "b"]));
      const before = bytes(await talk.send());
      expect(before.at(-1)).toContain("stop after this one");
      talk.answer({ text: "stopped" });
      const turn = await talk.ask("good");
      expect(bytes(turn).slice(0, before.length)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
    },
  );
});

describe("a positional system message (rule 20)", () => {
  const note = "the build is red";
  const asUser = "<system>\nthe build is red\n</system>";

  async function withNote(model: string, history: readonly Message[], speaker = anthropicSpeaker): Promise<readonly Message[]> {
    const talk = new Talk({}, speaker);
    talk.history = [...history];
    return sent(await talk.send({ model }));
  }

  test("stays one behind a user turn of a model that takes one", async () => {
    const [, last] = await withNote("claude-opus-5-5", [user(text("hello")), system(note)]);
    expect(last).toEqual(system([text(note)]));
  });

  test("is said by the user where the model takes none", async () => {
    const [, last] = await withNote("claude-sonnet-4-6", [user(text("hello")), system(note)]);
    expect(last).toEqual(user(text(asUser)));
  });

  test("is said by the user at the front and right behind a reply", async () => {
    const [first] = await withNote("claude-opus-5-5", [system(note), user(text("hello"))]);
    expect(first).toEqual(user(text(asUser)));
    const reply = { role: "assistant", content: [text("yes?")] };
    const behindReply = await withNote("claude-opus-5-5", [user(text("hello")), reply, system(note), user(text("go on"))]);
    expect(behindReply.slice(2)).toEqual([user(text(asUser)), user(text("go on"))]);
  });

  test("waits until the results are through, like all that is said in a batch", async () => {
    const history = [user(text("ls")), { role: "assistant", content: [call("c1")] }, system(note), user(result("c1"))];
    expect((await withNote("claude-opus-5-5", history)).slice(2)).toEqual([user(result("c1")), system([text(note)])]);
  });

  test("keeps the place and the form that it was sent in, for good", async () => {
    const talk = new Talk();
    talk.history = [user(text("hello")), system(note)];
    const before = bytes(await talk.send());
    talk.answer({ text: "I see" });
    talk.history.push(user(text("mend it")));
    const turn = await talk.send();
    expect(bytes(turn).slice(0, 2)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs.equivalent).toBe(0);
  });
});
