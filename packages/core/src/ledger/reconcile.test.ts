import { describe, expect, test } from "vitest";
import { anthropicReshapings, chatReshapings } from "../../test/reshapings.ts";
import { anthropicSpeaker, chatSpeaker, type Message, type Speaker, speakers, text, thinking } from "../../test/speakers.ts";
import { breaks, Talk } from "../../test/talk.ts";
import type { Wire } from "../wire/wire.ts";
import { createLedger } from "./create-ledger.ts";

type Asked = Readonly<Record<string, number>>;

/** A wire that counts what it is asked. */
function counting<W extends object>(wire: Wire<W>): { readonly wire: Wire<W>; take(): Asked } {
  let asked: Record<string, number> = {};
  const get = (target: Wire<W>, name: string): unknown => {
    const member = Reflect.get(target, name) as unknown;
    if (typeof member !== "function") return member;
    return (...given: readonly unknown[]) => {
      asked[name] = (asked[name] ?? 0) + 1;
      return Reflect.apply(member, target, given) as unknown;
    };
  };
  const take = (): Asked => {
    const { profile: _, ...taken } = asked;
    asked = {};
    return taken;
  };
  return { wire: new Proxy(wire, { get: (target, name) => get(target, String(name)) }), take };
}

type Store = (history: readonly Message[]) => readonly Message[];

/** What each of eight requests asks of the wire. `stored`: what the host's store makes of what was sent before. */
function play(speaker: Speaker, stored: Store = (history) => history, restores = false): readonly Asked[] {
  const { wire, take } = counting(speaker.wire);
  let ledger = createLedger({ wire });
  const tool = speaker === anthropicSpeaker ? { name: "read", input_schema: {} } : { type: "function", function: { name: "read" } };
  const asked: Asked[] = [];
  let history: readonly Message[] = [];
  const step = (said: readonly Message[], reply: Message): void => {
    if (restores) ledger = createLedger({ wire, snapshot: JSON.parse(JSON.stringify(ledger.snapshot())) });
    const messages = [...(structuredClone(stored(history)) as Message[]), ...said];
    take();
    const draft = ledger.reconcile({ model: speaker.model, max_tokens: 100, tools: [tool], messages });
    asked.push(take());
    expect(draft.checkpoints).toEqual([]);
    draft.commit();
    draft.settle(reply as never);
    history = [...history, ...said, reply];
  };
  for (let turn = 0; turn < 4; turn++) {
    const [one, two] = [`${turn}a`, `${turn}b`];
    step([speaker.user(`ask ${turn}`)], speaker.reply({ thinking: `think ${turn}`, text: "look", calls: [{ id: one }, { id: two }] }));
    step(speaker.results([one, "x"], [two, "y"]), speaker.reply({ text: `done ${turn}` }));
  }
  return asked;
}

describe.each(speakers)("on $name, a request that goes on from the last one (rule 2)", (speaker) => {
  test("asks the wire for what is new alone, however long the history is: it is read once, and made once", () => {
    const results = speaker.results(["a", "x"], ["b", "y"]).length;
    const [, ...later] = play(speaker);
    for (const [index, asked] of later.entries()) {
      const added = 1 + (index % 2 === 0 ? results : 1);
      expect(asked).toEqual({ open: 1, read: added, compose: added, close: 1 });
    }
  });

  test("behind a restore has each message read once, and made once", () => {
    const results = speaker.results(["a", "x"], ["b", "y"]).length;
    for (const [index, asked] of play(speaker, undefined, true).entries()) {
      const messages = Math.floor(index / 2) * (3 + results) + (index % 2 === 0 ? 1 : 2 + results);
      expect(asked).toEqual({ open: 1, read: messages, compose: messages, close: 1 });
    }
  });
});

const reshapings = [
  ...Object.entries(anthropicReshapings).map(([how, store]) => ({ speaker: anthropicSpeaker, how, store })),
  ...Object.entries(chatReshapings).map(([how, store]) => ({ speaker: chatSpeaker, how, store })),
  // Marks go with the place in the history: each request has another shape.
].filter(({ how }) => how !== "marks moved");

test.each(reshapings)(
  "a store's other shape is compared with the one that it handed over last: $how, on $speaker.name",
  ({ speaker, store }) => {
    const asked = play(speaker, store);
    expect(asked.slice(6)).toEqual(asked.slice(4, 6));
    expect(asked[6]?.["toolName"]).toBeUndefined();
  },
);

test("repairs of the head, of a message and of reasoning that a store lost are each counted (rule 4)", async () => {
  const talk = new Talk();
  const [name, input_schema] = ["read", { type: "object", properties: {} }];
  Object.assign(talk.head, { tools: [{ name, input_schema }] });
  talk.history = [{ role: "user", content: [text("one")] }];
  await talk.send();
  talk.answer([thinking("hm"), text("1")]);
  talk.history = [
    { content: [{ text: "one", type: "text" }], role: "user" },
    { role: "assistant", content: [text("1")] },
  ];
  Object.assign(talk.head, { tools: [{ input_schema, name }] });
  const turn = await talk.ask("two");
  expect(breaks(turn)).toEqual([]);
  expect(turn.repairs.equivalent).toBe(3);
});
