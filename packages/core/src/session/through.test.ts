import { describe, expect, test } from "vitest";
import type { Body, Message } from "../../test/speakers.ts";
import { allOf, breaks, bytes, Talk, type TalkOptions } from "../../test/talk.ts";
import { anthropic } from "../adapters/anthropic/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import type { ObjectValue } from "../json/value.ts";
import { translateHistory } from "../wire/translate.ts";
import type { Wire } from "../wire/wire.ts";
import type { Session } from "./create-session.ts";
import { through } from "./through.ts";

const claude = anthropic() as unknown as Wire<Body>;
const chat = openaiChat() as unknown as Wire<Body>;
const deepseek = openaiChat({ dialect: "deepseek" }) as unknown as Wire<Body>;

/** A history of Claude as a host of Chat Completions has it. */
function onChat(messages: readonly Message[], to: Wire<Body> = chat): Message[] {
  const [from, there] = [claude, to].map((wire) => wire as unknown as Wire) as [Wire, Wire];
  return translateHistory(messages as unknown as readonly ObjectValue[], { from, to: there }) as unknown as Message[];
}

function chatRequest(messages: readonly Message[], model = "gpt-4.1"): Body {
  return { model, messages } as Body;
}

const thought = { type: "thinking", thinking: "hidden", signature: "c2lnbmVk" };

/** Two answered turns with Claude. */
async function talked(options: TalkOptions = {}): Promise<Talk> {
  const talk = new Talk(options);
  for (const words of ["first question", "second question"]) {
    await talk.ask(words);
    talk.answer([thought, { type: "text", text: `answer to the ${words}` }]);
  }
  return talk;
}

const texts = (session: Session<Body>, request: Body): string => JSON.stringify(session.peek(request).request);

describe("a session through another wire (rule 15)", () => {
  test("that failed there and comes back sends the same request again", async () => {
    const talk = await talked();
    const asked = await talk.ask("third question");
    const other = through(talk.session, chat);
    const there = await other.prepare(chatRequest(onChat(talk.history)));
    expect(there.continuity.checkpoints.map(({ reason, at, path }) => [reason, at, path])).toEqual([["model", 0, "$.model"]]);
    const back = await talk.send();
    expect(bytes(back)).toEqual(bytes(asked));
    expect(breaks(back)).toEqual(["model at 0"]);
    expect(breaks(await talk.send())).toEqual([]);
  });

  test("shows a landing as it landed, and goes back to it", async () => {
    const talk = await talked();
    await talk.ask("third question");
    talk.answer([thought, { type: "text", text: "third answer" }]);
    talk.session.compact({ from: 0, to: 2, text: "What came first." });
    const landed = await talk.ask("fourth question");
    talk.answer([{ type: "text", text: "fourth answer" }]);
    expect(allOf(landed)).toContain("What came first.");
    const other = through(talk.session, chat);
    const there = await other.prepare(chatRequest([...onChat(talk.history), { role: "user", content: "fifth question" }]));
    expect(JSON.stringify(there.request)).toContain("What came first.");
    expect(JSON.stringify(there.request)).not.toContain("first question");
    const back = await talk.ask("fifth question");
    expect(bytes(back).slice(0, bytes(landed).length)).toEqual(bytes(landed));
  });

  test("shows what a landing replaced where it is revoked there", async () => {
    const talk = await talked();
    talk.session.compact({ from: 0, to: 2, text: "What came first." });
    await talk.ask("third question");
    talk.answer([{ type: "text", text: "third answer" }]);
    const other = through(talk.session, chat);
    const history: Message[] = [...onChat(talk.history), { role: "user", content: "fourth question" }];
    const there = await other.prepare(chatRequest(history));
    expect(JSON.stringify(there.request)).not.toContain("first question");
    other.revoke(talk.session.landings[0]?.number ?? 0);
    expect(JSON.stringify((await other.prepare(chatRequest(history))).request)).toContain("first question");
  });

  test("voids reasoning behind what was changed there", async () => {
    const talk = await talked();
    const other = through(talk.session, chat);
    await other.prepare(chatRequest([...onChat(talk.history), { role: "user", content: "third question" }]));
    const edited = talk.history.map((message, at) => (at === 0 ? { ...message, content: "another question" } : message));
    const history: Message[] = [...onChat(edited), { role: "user", content: "third question" }];
    await other.prepare(chatRequest(history));
    talk.history = [...edited, { role: "user", content: "third question" }];
    expect(allOf(await talk.send())).not.toContain("hidden");
  });

  // Soak seed 134000011: a window of before the first journey, whose reply follows it, was taken for the one that goes on.
  test("goes back to what it sent last, also where the other wire could not tell that a result was an error", async () => {
    const talk = await talked();
    const other = through(talk.session, chat);
    const elsewhere = async (words: string): Promise<void> => {
      const message = { role: "assistant", content: words };
      const there = await other.prepare(chatRequest(onChat(talk.history)));
      there.settle({ id: "1", object: "chat.completion", choices: [{ index: 0, finish_reason: "stop", message }] });
      talk.history.push({ role: "assistant", content: [{ type: "text", text: words }] });
    };
    talk.history.push(talk.speaker.user("third question"));
    await elsewhere("third answer");
    await talk.ask("fourth question");
    talk.answer([
      { type: "thinking", thinking: "of the fourth", signature: "c2lnbmVk" },
      { type: "text", text: "fourth answer" },
    ]);
    await talk.ask("fifth question");
    talk.answer([{ type: "tool_use", id: "c1", name: "look", input: {} }]);
    talk.history.push({ role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "none", is_error: true }] });
    const failed = await talk.send();
    await elsewhere("fifth answer");
    const back = await talk.ask("sixth question");
    expect(bytes(back).slice(0, bytes(failed).length)).toEqual(bytes(failed));
    expect(allOf(back)).toContain("of the fourth");
  });

  test("takes the reply of a request that was still out when it went", async () => {
    const talk = await talked();
    const asked = await talk.ask("third question");
    const other = through(talk.session, chat);
    await other.prepare(chatRequest(onChat(talk.history)));
    const message = talk.message([thought, { type: "text", text: "late answer" }]);
    expect(asked.settle(talk.speaker.replied(message, {})).recorded).toBe(true);
    talk.history = [...talk.history, message];
    const back = await talk.ask("fourth question");
    expect(bytes(back).at(-2)).toBe(JSON.stringify({ role: "assistant", content: message.content }));
  });

  test("keeps what is pinned, and lets go of what is unpinned", async () => {
    const talk = await talked();
    const unpin = talk.session.pin(talk.history[0] as Message);
    const other = through(talk.session, chat);
    const history: Message[] = [...onChat(talk.history), { role: "user", content: "third question" }];
    await other.prepare(chatRequest(history));
    other.compact({ from: 0, to: 4, text: "All of it." });
    expect(JSON.stringify((await other.prepare(chatRequest(history))).request)).toContain("first question");
    unpin();
    other.compact({ from: 0, to: 2, text: "All of it, again." });
    expect(JSON.stringify((await other.prepare(chatRequest(history))).request)).not.toContain("first question");
  });

  test("only looks, and changes nothing, when it peeks; a fork goes by itself", async () => {
    const talk = await talked();
    await talk.ask("third question");
    const other = through(talk.session, chat);
    const before = JSON.stringify(talk.session.snapshot());
    expect(texts(other, chatRequest(onChat(talk.history)))).toContain("second question");
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    await through(talk.session.fork(), chat).prepare(chatRequest(onChat(talk.history)));
    expect(breaks(await talk.send())).toEqual([]);
  });

  test("goes to another account with its words, and leaves reasoning to the one that made it", async () => {
    const talk = await talked();
    const account = through(talk.session, claude, { endpoint: "another account" });
    talk.history = [...talk.history, talk.speaker.user("third question")];
    const there = await account.prepare(talk.request());
    expect([breaks(there), allOf(there).includes("hidden")]).toEqual([["model at 0"], false]);
    const back = await talk.send();
    expect([breaks(back), allOf(back).includes("hidden")]).toEqual([["model at 0"], true]);
  });

  test("takes a dialect for a wire of its own", async () => {
    const talk = await talked();
    const first = through(talk.session, deepseek);
    const history: Message[] = [...onChat(talk.history, deepseek), { role: "user", content: "third question" }];
    const turn = await first.prepare(chatRequest(history, "deepseek-v4-pro"));
    const reply = { role: "assistant", content: "third answer", reasoning_content: "only for its maker" };
    turn.settle({ id: "1", object: "chat.completion", choices: [{ index: 0, finish_reason: "stop", message: reply }] });
    const next: Message[] = [...history, reply, { role: "user", content: "fourth question" }];
    expect(texts(through(talk.session, chat), chatRequest(next.map(({ role, content }) => ({ role, content }) as Message)))).not.toContain(
      "only for its maker",
    );
    expect(texts(first, chatRequest(next, "deepseek-v4-pro"))).toContain("only for its maker");
  });

  test("is restored on the wire of its last request, and refused on another", async () => {
    const talk = await talked();
    const other = through(talk.session, chat);
    await other.prepare(chatRequest([...onChat(talk.history), { role: "user", content: "third question" }]));
    expect(talk.session.snapshot().wire).toBe("openai-chat");
    expect(() => talk.restore()).toThrow(/of the wire openai-chat/);
  });
});
