import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversation } from "../../test/random-talk.ts";
import { anthropicSpeaker, type Body, type Message, speakers, text, thinking } from "../../test/speakers.ts";
import { createLedger, type Ledger } from "./create-ledger.ts";

const request = (model: string, messages: readonly Message[]): Body => ({ model, max_tokens: 1_000, messages });

function begun(): { readonly ledger: Ledger<Body>; readonly messages: readonly Message[] } {
  const ledger = createLedger({ wire: anthropicSpeaker.wire });
  const asked = [anthropicSpeaker.user("one")];
  const draft = ledger.reconcile(request(anthropicSpeaker.model, asked));
  draft.commit();
  const reply = { role: "assistant", content: [thinking("first"), text("1")] };
  draft.settle(reply as never);
  return { ledger, messages: [...asked, reply, anthropicSpeaker.user("two")] };
}

describe("the ledger alone", () => {
  test("changes nothing until a draft is committed", () => {
    const { ledger, messages } = begun();
    const before = JSON.stringify(ledger.snapshot());
    const draft = ledger.reconcile(request(anthropicSpeaker.model, messages));
    expect(JSON.stringify(draft.request.messages)).toContain("first");
    expect(JSON.stringify(ledger.snapshot())).toBe(before);
    expect(ledger.events).toHaveLength(2);
    draft.commit();
    expect(ledger.events.map(({ type }) => type)).toEqual(["prepared", "settled", "prepared"]);
  });

  test("refuses a draft that another one overtook", () => {
    const { ledger, messages } = begun();
    const [one, two] = [1, 2].map(() => ledger.reconcile(request(anthropicSpeaker.model, messages)));
    one?.commit();
    expect(() => two?.commit()).toThrow(expect.objectContaining({ code: "stale-draft" }));
  });

  test("reports where the window stops repeating the one before", () => {
    const { ledger, messages } = begun();
    ledger.reconcile(request(anthropicSpeaker.model, messages)).commit();
    const edited = [anthropicSpeaker.user("one, edited"), ...messages.slice(1)];
    const { checkpoints } = ledger.reconcile(
      request(anthropicSpeaker.model, [...edited, { role: "assistant", content: "2" }, anthropicSpeaker.user("three")]),
    );
    expect(checkpoints).toMatchObject([{ reason: "history", at: 0 }]);
  });

  test("replays nothing before the first window, and no reply that is not sent; a prefill goes out and is no part of it", () => {
    const ledger = createLedger({ wire: anthropicSpeaker.wire });
    expect(ledger.replay()).toEqual([]);
    const asked = [anthropicSpeaker.user("one"), { role: "assistant", content: [] }, anthropicSpeaker.user("anyone?")];
    const draft = ledger.reconcile(request("claude-sonnet-4-5", [...asked, { role: "assistant", content: "{" }]));
    draft.commit();
    const window = ["one", "anyone?"].map((words) => ({ role: "user", content: [text(words)] }));
    expect(draft.request.messages).toEqual([...window, { role: "assistant", content: [text("{")] }]);
    expect(ledger.replay()).toEqual(window);
  });

  test("goes on from a snapshot", () => {
    const { ledger, messages } = begun();
    const restored = createLedger({ wire: anthropicSpeaker.wire, snapshot: JSON.parse(JSON.stringify(ledger.snapshot())) });
    const { request: sent, checkpoints } = restored.reconcile(request(anthropicSpeaker.model, messages));
    expect(JSON.stringify(sent.messages)).toBe(
      JSON.stringify(ledger.reconcile(request(anthropicSpeaker.model, messages)).request.messages),
    );
    expect(checkpoints).toEqual([]);
  });
});

describe("a ledger is a fold over its events (rule 60)", () => {
  test.each(speakers)("the window folded anew from the events equals the window that was sent, at every point ($name)", async (speaker) => {
    await fc.assert(
      fc.asyncProperty(conversation(speaker), async (exchanges) => {
        const ledger = createLedger({ wire: speaker.wire });
        let history: readonly Message[] = [];
        for (const { before, reply } of exchanges) {
          history = [...history, ...before];
          const draft = ledger.reconcile(request(speaker.model, history));
          draft.commit();
          expect(JSON.stringify(ledger.replay())).toBe(JSON.stringify(draft.request.messages));
          draft.settle(reply as never);
          history = [...history, reply];
        }
      }),
      { numRuns: 25 },
    );
  });

  test("events are frozen facts: folding them twice is the same", () => {
    const { ledger } = begun();
    expect(JSON.stringify(ledger.replay())).toBe(JSON.stringify(ledger.replay()));
  });
});
