import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Message, result, type Speaker, speakers, text } from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { createLedger } from "./create-ledger.ts";
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

  test("stays one behind the user's words and behind another, and only where no user's words follow", async () => {
    const both = await withNote("claude-opus-5-5", [user(text("hello")), system(note), system("and red")]);
    expect(both).toEqual([user(text("hello")), system([text(note)]), system([text("and red")])]);
    const before = await withNote("claude-opus-5-5", [user(text("hello")), system(note), user(text("go on"))]);
    expect(before).toEqual([user(text("hello")), user(text(asUser)), user(text("go on"))]);
  });

  test("that words follow is said by the user behind the results, and the words behind it, in one message where the wire joins them", async () => {
    const history = [user(text("ls")), { role: "assistant", content: [call("c1")] }, user(result("c1")), system(note), user(text("go on"))];
    expect((await withNote("claude-opus-5-5", history)).slice(2)).toEqual([user(result("c1"), text(asUser), text("go on"))]);
  });

  test("stands anywhere where the wire takes it anywhere", async () => {
    const wire = openaiChat() as unknown as Speaker["wire"];
    const history = [system(note), { role: "user", content: "hello" }, system(note), { role: "user", content: "go on" }];
    const messages = await withNote("gpt-4.1", [{ role: "user", content: "hi" }, { role: "assistant", content: "yes?" }, ...history], {
      ...chatSpeaker,
      wire,
    });
    expect(messages.slice(2)).toEqual(history);
  });

  test("of several texts is said by the user line by line, without what its message says of itself", async () => {
    const [, last] = await withNote("claude-sonnet-4-6", [
      user(text("hello")),
      { ...system([text("the build is red"), text("since noon")]), note: "of CI" },
    ]);
    expect(last).toEqual(user(text("<system>\nthe build is red\nsince noon\n</system>")));
  });

  test("that the host adds behind what was sent and not answered stays one, too", async () => {
    const talk = new Talk();
    await talk.ask("hello");
    talk.history.push(system(note));
    expect(sent(await talk.send())).toEqual([user(text("hello")), system([text(note)])]);
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

describe("what a message says of itself (rule 55)", () => {
  const asked = [user(text("read both")), { role: "assistant", content: [call("c1"), call("c2")] }];

  async function behind(...history: readonly Message[]): Promise<readonly Message[]> {
    const talk = new Talk({ strict: false });
    talk.history = [...asked, ...history];
    return sent(await talk.send()).slice(2);
  }

  test("goes with the results that it holds, of whichever message of the batch", async () => {
    expect(await behind({ ...user(result("c2")), by: "b" }, { ...user(result("c1")), of: "a" })).toEqual([
      { ...user(result("c1"), result("c2")), by: "b", of: "a" },
    ]);
  });

  test("goes with the words that it holds, where these are joined with results", async () => {
    expect(await behind(user(result("c1"), result("c2")), { ...user(text("well?")), by: "b" })).toEqual([
      { ...user(result("c1"), result("c2"), text("well?")), by: "b" },
    ]);
    expect(await behind({ ...user(result("c1"), result("c2"), text("well?")), by: "b" })).toEqual([
      { ...user(result("c1"), result("c2"), text("well?")), by: "b" },
    ]);
  });

  test("goes with the words that name a result without a call", async () => {
    const words = "[result of call gone, which is no longer part of this conversation]\ntext of gone";
    const talk = new Talk({ strict: false });
    talk.history = [{ ...user(result("gone")), by: "b" }];
    expect(sent(await talk.send())).toEqual([{ ...user(text(words)), by: "b" }]);
  });
});

describe("the host's cache mark on a result (rule 54)", () => {
  const marked = (content: unknown): object => ({ ...result("c1", content), cache_control: { type: "ephemeral" } });

  test.each([
    ["that is shortened", "line\n".repeat(900)],
    ["that is empty", ""],
    [
      "of parts, one of them shortened",
      [text("line\n".repeat(900)), { type: "search_result", source: "a", title: "a", content: [text("b")] }],
    ],
  ])("%s stays on what goes out for it", async (_which, content) => {
    const talk = new Talk({ toolResultCap: 128, strict: false });
    talk.history = [user(text("ls")), { role: "assistant", content: [call("c1"), call("c2")] }, user(result("c2"), marked(content))];
    const [first, second] = ((await talk.send()).request.messages[2] as Message)["content"] as readonly object[];
    expect(first).toMatchObject({ tool_use_id: "c1", cache_control: { type: "ephemeral" } });
    expect(JSON.stringify(first)).not.toContain(JSON.stringify(content));
    expect(second).toEqual(result("c2"));
  });

  test("that goes out under another id stays on it", async () => {
    const talk = new Talk({ strict: false });
    const turn = [{ role: "assistant", content: [call("c1")] }, user(marked("a"))];
    talk.history = [user(text("ls")), ...turn, ...turn];
    expect((await talk.send()).request.messages.at(-1)).toEqual(user({ ...marked("a"), tool_use_id: "c1_2" }));
  });
});

describe("the messages of a run stand for those that the host gave", () => {
  const [asked, c1, c2] = [chatSpeaker.user("read both"), ...chatSpeaker.results(["c1", "a"], ["c2", "b"])] as [Message, Message, Message];
  const [calls, words, blank] = [
    chatSpeaker.reply({ calls: [{ id: "c1" }, { id: "c2" }] }),
    chatSpeaker.user("well?"),
    chatSpeaker.user(""),
  ];

  /** Of each message behind the calls, the positions in the run of what it stands for. */
  function stoodFor(...run: readonly Message[]): readonly (readonly number[])[] {
    const ledger = createLedger({ wire: chatSpeaker.wire });
    ledger.reconcile({ model: chatSpeaker.model, messages: [asked, calls, ...run] }).commit();
    const [prepared] = ledger.events;
    const entries = prepared?.type === "prepared" ? prepared.entries : [];
    return entries.slice(2).map(({ given }) => given.map((own) => run.findIndex((message) => isDeepStrictEqual(message, own))));
  }

  test("each for its own, where they come in order", () => {
    expect(stoodFor(c1, c2, words)).toEqual([[0], [1], [2]]);
  });

  test("each with what bears nothing behind it, and the first with what stands before it", () => {
    const [none, empty] = [
      { ...blank, name: "" },
      { ...blank, name: null },
    ];
    expect(stoodFor(c1, none, c2, empty, words)).toEqual([[0, 1], [2, 3], [4]]);
    expect(stoodFor(words, c1, c1)).toEqual([[0, 1, 1], [], []]);
  });

  test("one that is made up for none: the next stands for its own", () => {
    expect(stoodFor(c1, words)).toEqual([[0], [], [1]]);
    expect(stoodFor(c2, words)).toEqual([[], [0], [1]]);
  });

  test("the first for all, where the host gave them in another order", () => {
    expect(stoodFor(c2, c1, words)).toEqual([[0, 1, 2], [], []]);
    expect(stoodFor(c1, words, c2)).toEqual([[0, 1, 2], [], []]);
  });
});
