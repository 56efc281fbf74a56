import { describe, expect, test } from "vitest";
import { anthropicReshapings, chatReshapings, reshapingsFor } from "../../test/reshapings.ts";
import { anthropicSpeaker, chatSpeaker, type Message, type Speaker, text } from "../../test/speakers.ts";
import { type Change, changes, stories } from "../../test/stories.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";

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
    const reshaped = reshapingsFor(speaker)[name];
    // A reply that was nothing but what the store lost is gone: that is no representation.
    if (reshaped === undefined || reshaped(history).some((message, index) => isBare(message) && !isBare(history[index]))) return;
    const stored: Store = (told) => structuredClone(reshaped(told)) as Message[];
    for (const restores of [false, true]) expect(await behind(story, stored, restores), `restored: ${restores}`).toEqual(await expected());
  });
});

/** What a session says and sends of a changed history, and of what follows. `said`: how the host's store has it. */
async function changed(story: Story, change: Change, said: Store): Promise<readonly unknown[]> {
  const talk = await story();
  talk.history = structuredClone(said(change(talk.history, talk))) as Message[];
  const told: unknown[] = [];
  for (const words of ["go on", "and on"]) {
    const turn = await talk.ask(words);
    // What is the same in another way is counted, and marks have places of their own.
    const { equivalent: _equivalent, ...repairs } = turn.repairs;
    told.push(JSON.stringify(turn.request), turn.continuity, repairs);
    talk.answer({ text: "ok" });
  }
  return told;
}

/** All ways at once that leave what is new of a history as it is. */
function saidOtherwise(speaker: Speaker): Store {
  const ways = [
    "results as blocks",
    "results as parts",
    "empty text added",
    "argument strings written otherwise",
    "nulls added",
    "keys reversed",
  ];
  return (history) => ways.reduce((said, way) => reshapingsFor(speaker)[way]?.(said) ?? said, history);
}

describe.each(Object.entries(stories))("a history with %s, changed and said in another way (rules 4 and 5)", (_what, { talk: story }) => {
  test.each(Object.entries(changes))("is sent and judged as it is in the plain one: %s", async (_how, change) => {
    const { speaker } = await story();
    expect(await changed(story, change, saidOtherwise(speaker))).toEqual(await changed(story, change, plain));
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

describe("a row of replies that a request ended in (rules 1 and 4)", () => {
  const backwards = (message: Message): Message => Object.fromEntries(Object.entries(message).toReversed()) as Message;

  test("may go on in the history with another message, in whatever shape it comes", async () => {
    const talk = new Talk({ strict: false }, chatSpeaker);
    const [asks, begins, goesOn] = [
      chatSpeaker.user("one"),
      chatSpeaker.reply({ thinking: "hm", text: "1" }),
      chatSpeaker.reply({ text: "more" }),
    ];
    talk.history = [asks, begins];
    const before = bytes(await talk.send());
    talk.history = [asks, backwards(begins), goesOn];
    const turn = await talk.ask("two");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, 2)).toEqual(before);
    expect(turn.repairs.equivalent).toBe(1);
    expect(sent(turn)[2]).toEqual(goesOn);
  });

  test("was another one where its message goes on", async () => {
    const talk = new Talk({ strict: false }, { ...anthropicSpeaker, model: "claude-sonnet-4-5" });
    const begins = [text("1"), { type: "hologram" }];
    talk.history = [anthropicSpeaker.user("one"), { role: "assistant", content: begins }];
    await talk.send();
    talk.history = [anthropicSpeaker.user("one"), { role: "assistant", content: [...begins, text("more")] }];
    expect(breaks(await talk.ask("two"))).toEqual(["history at 1"]);
  });
});

function isBare(message: Message | undefined): boolean {
  return JSON.stringify(message?.["content"]) === "[]";
}

test.each([false, true])(
  "words that the user says in place of the system are another message (rules 4 and 20), restored: %s",
  async (restores) => {
    const talk = new Talk();
    talk.history = [anthropicSpeaker.user("one"), { role: "system", content: "be brief" }];
    await talk.send();
    talk.answer({ text: "1" });
    await talk.ask("two");
    talk.answer({ text: "2" });
    talk.history[1] = anthropicSpeaker.user("be brief");
    if (restores) talk.restore();
    const turn = await talk.ask("three");
    expect(breaks(turn)).toEqual(["history at 1"]);
    expect(sent(turn)[1]?.role).toBe("user");
  },
);

describe("words of the system that the user says, where the model takes no system message (rules 4 and 20)", () => {
  const toldTwice = async (): Promise<Talk> => {
    const talk = new Talk();
    talk.head = { max_tokens: 1_000, model: "claude-haiku-4-5" };
    talk.history = [anthropicSpeaker.user("one"), { role: "system", content: "be brief" }];
    await talk.send();
    talk.answer({ text: "1" });
    await talk.ask("two");
    talk.answer({ text: "2" });
    return talk;
  };

  test.each([false, true])("are met in another form, restored: %s", async (restores) => {
    const talk = await toldTwice();
    expect(sent(talk.turn)[1]?.role).toBe("user");
    talk.history[1] = { role: "system", content: [{ type: "text", text: "be brief" }] };
    if (restores) talk.restore();
    expect(breaks(await talk.ask("three"))).toEqual([]);
  });

  test("are another message where the host makes its own words the system's", async () => {
    const talk = await toldTwice();
    talk.history[0] = { role: "system", content: [{ type: "text", text: "one" }] };
    expect(breaks(await talk.ask("three"))).toEqual(["history at 0"]);
  });
});

test.each([false, true])(
  "a result that came before its neighbour's, as a message of its own, and is changed later is an edit and no late result (rules 3 and 12), restored: %s",
  async (restores) => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("read both");
    talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
    await talk.results(["c2", "two"], ["c1", "one"]);
    talk.answer({ text: "done" });
    await talk.ask("and?");
    talk.answer({ text: "no more" });
    talk.history[2] = chatSpeaker.results(["c2", "[cleared]"])[0] as Message;
    if (restores) talk.restore();
    const turn = await talk.ask("well?");
    expect(breaks(turn)).toEqual(["history at 3"]);
    expect(turn.repairs.resultsLate).toEqual([]);
  },
);
