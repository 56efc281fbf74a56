import { describe, expect, test } from "vitest";
import type { Body, Message } from "../../test/speakers.ts";
import { stories } from "../../test/stories.ts";
import { breaks, bytes, type Talk } from "../../test/talk.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import type { ObjectValue } from "../json/value.ts";
import { restoreSession, type Session } from "../session/create-session.ts";
import { through } from "../session/through.ts";
import { translateHistory } from "../wire/translate.ts";
import type { Wire } from "../wire/wire.ts";

const chat = openaiChat() as unknown as Wire<Body>;

/** A history of the story's wire as a host of Chat Completions has it. */
function onChat(talk: Talk): Message[] {
  const [from, to] = [talk.speaker.wire, chat].map((wire) => wire as unknown as Wire) as [Wire, Wire];
  return translateHistory(talk.history as unknown as readonly ObjectValue[], { from, to }) as unknown as Message[];
}

// What is in the middle of a loop, starts anew, or is elided anew in a window of another size has no request on another wire that is the same.
const { "reasoning that is lent": _loop, "nothing but a restart": _anew, "elided results": _elidedThere, ...whole } = stories;

describe.each(Object.entries(whole))("a session with %s that goes to another wire (rule 15)", (_what, { talk: story }) => {
  test.each([
    ["in one process", false],
    ["restored there", true],
  ])("and comes back sends what it had sent, to the byte: %s", async (_how, restores) => {
    const talk = await story();
    const asked = await talk.ask("go on");
    const messages = onChat(talk);
    let there: Session<Body> = through(talk.session, chat);
    const first = await there.prepare({ model: "gpt-4.1", messages });
    expect(breaks(first)).toEqual(["model at 0"]);
    if (restores) {
      const snapshot: unknown = JSON.parse(JSON.stringify(talk.session.snapshot()));
      there = restoreSession<Body>(snapshot, { wire: chat, ...talk.options });
    }
    const again = await there.prepare({ model: "gpt-4.1", messages });
    expect(breaks(again)).toEqual([]);
    expect(bytes(again)).toEqual(bytes(first));
    const back = await through(there, talk.speaker.wire).prepare(talk.request());
    expect(bytes(back)).toEqual(bytes(asked));
    expect(breaks(back)).toEqual(["model at 0"]);
  });

  test("takes the reply from there along, behind what it had sent", async () => {
    const talk = await story();
    const asked = bytes(await talk.ask("go on"));
    const there = through(talk.session, chat);
    const reply = { role: "assistant", content: "said there" };
    const turn = await there.prepare({ model: "gpt-4.1", messages: onChat(talk) });
    turn.settle({ id: "1", object: "chat.completion", choices: [{ index: 0, finish_reason: "stop", message: reply }] });
    talk.history = [...talk.history, talk.speaker.reply({ text: "said there" }), talk.speaker.user("and on")];
    const back = bytes(await talk.send());
    expect(back.slice(0, asked.length)).toEqual(asked);
    expect(back.slice(asked.length).map((message) => message.includes("said there"))).toEqual([true, false]);
    expect(breaks(await talk.send())).toEqual([]);
  });
});
