import { describe, expect, test } from "vitest";
import { anthropicReshapings, chatReshapings } from "../../test/reshapings.ts";
import { chatSpeaker, type Message } from "../../test/speakers.ts";
import { stories } from "../../test/stories.ts";
import { breaks, bytes, sent, type Talk } from "../../test/talk.ts";

type Story = () => Promise<Talk>;
type Store = (history: readonly Message[]) => readonly Message[];

/** What two requests behind a story send, and where they break with it. `stored`: what the host's store makes of the story. */
async function behind(story: Story, stored: Store, restores: boolean): Promise<readonly unknown[]> {
  const talk = await story();
  const requests: unknown[] = [];
  let known = talk.history.length;
  for (const words of ["go on", "and on"]) {
    if (restores) talk.restore();
    const before = [...talk.history];
    talk.history = [...stored(before.slice(0, known)), ...before.slice(known)];
    const turn = await talk.ask(words);
    requests.push(bytes(turn), breaks(turn));
    talk.answer({ text: "ok" });
    known = talk.history.length;
  }
  return requests;
}

const plain: Store = (history) => history;

// Behind a restart nothing is recognised.
const { "nothing but a restart": _anew, ...recognised } = stories;

describe.each(Object.entries(recognised))("a history with %s, said in another way (rules 4, 5 and 48)", (_what, { talk: story }) => {
  const expected = (): Promise<readonly unknown[]> => behind(story, plain, false);

  test.each(Object.entries({ ...anthropicReshapings, ...chatReshapings }))("goes out with the same bytes: %s", async (name) => {
    const { speaker, history } = await story();
    const reshaped = (speaker === chatSpeaker ? chatReshapings : anthropicReshapings)[name];
    // A reply that was nothing but what the store lost is gone: that is no representation.
    if (reshaped === undefined || reshaped(history).some((message, index) => isBare(message) && !isBare(history[index]))) return;
    const stored: Store = (told) => structuredClone(reshaped(told)) as Message[];
    for (const restores of [false, true]) expect(await behind(story, stored, restores), `restored: ${restores}`).toEqual(await expected());
  });
});

describe.each(Object.entries(stories))(
  "a host that stores what was sent, of a history with %s (rules 4 and 5)",
  (_what, { talk: story }) => {
    test.each([
      ["live", false],
      ["restored", true],
    ])("goes on from it without a break, to the byte: %s", async (_how, restores) => {
      const talk = await story();
      await talk.ask("go on");
      talk.history = [...sent(talk.turn)];
      for (const words of ["and on", "and on", "and on"]) {
        const before = bytes(talk.turn);
        talk.answer({ text: "ok" });
        if (restores) talk.restore();
        const turn = await talk.ask(words);
        expect(breaks(turn)).toEqual([]);
        expect(bytes(turn).slice(0, before.length)).toEqual(before);
      }
    });
  },
);

function isBare(message: Message | undefined): boolean {
  return JSON.stringify(message?.["content"]) === "[]";
}
