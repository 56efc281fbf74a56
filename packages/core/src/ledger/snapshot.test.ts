import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, result, thinking } from "../../test/speakers.ts";
import { stories } from "../../test/stories.ts";
import { breaks, bytes } from "../../test/talk.ts";
import { createLedger } from "./create-ledger.ts";
import type { LedgerSnapshot } from "./stored-form.ts";

describe.each(Object.entries(stories))("a ledger with %s (rule 48)", (_what, { talk: story, holds }) => {
  test("comes back from its snapshot as what it was", async () => {
    const talk = await story();
    const before = JSON.stringify(talk.session.snapshot());
    expect(before).toContain(holds);
    for (let times = 0; times < 2; times++) {
      talk.restore();
      expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    }
  });

  test("sends the same and says the same behind its snapshot", async () => {
    const [live, restored] = [await story(), await story()];
    for (const words of ["go on", "and on"]) {
      restored.restore();
      const [here, there] = [await live.ask(words), await restored.ask(words)];
      expect(bytes(there)).toEqual(bytes(here));
      expect(JSON.stringify(there.request)).toBe(JSON.stringify(here.request));
      expect(breaks(there)).toEqual(breaks(here));
      for (const talk of [live, restored]) talk.answer({ thinking: words, text: "ok" });
    }
  });
});

describe("a snapshot that refers to something that it does not hold is refused with the place", () => {
  /** A snapshot of a ledger with two turns. */
  function stored(): LedgerSnapshot {
    const ledger = createLedger({ wire: anthropicSpeaker.wire });
    const request = { model: anthropicSpeaker.model, max_tokens: 100, messages: [anthropicSpeaker.user("one")] };
    ledger.reconcile(request).commit();
    const reply = { role: "assistant", content: [thinking("hm"), call("c1", "read", { zebra: 1, apple: 2 })] };
    const messages = [...request.messages, reply, { role: "user", content: [result("c1")] }];
    for (let times = 0; times < 2; times++) ledger.reconcile({ ...request, messages }).commit();
    return JSON.parse(JSON.stringify(ledger.snapshot())) as LedgerSnapshot;
  }

  test.each([
    ["turns.1.head", "$.ledger.turns[1].head"],
    ["turns.0.origin", "$.ledger.turns[0].origin"],
    ["turns.1.entries.2", "$.ledger.turns[1].entries[2]"],
    ["entries.1.reasoning.origin", "$.ledger.entries(id 2).reasoning.origin"],
    ["entries.1.form.sent.orders.0", "$.ledger.entries(id 2).form.sent.orders"],
  ])("%s", (member, path) => {
    const snapshot = stored();
    const steps = member.split(".");
    const last = steps.pop() as string;
    const holder = steps.reduce<Record<string, unknown>>((inner, step) => inner[step] as Record<string, unknown>, snapshot as never);
    expect(holder).toHaveProperty(last);
    holder[last] = 99;
    const problem = "refers to something that the snapshot does not hold";
    expect(() => createLedger({ wire: anthropicSpeaker.wire, snapshot })).toThrow(
      expect.objectContaining({ code: "snapshot", path, message: expect.stringContaining(`${path}: ${problem}. Start a new session`) }),
    );
  });
});
