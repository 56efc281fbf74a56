import { describe, expect, test } from "vitest";
import { Crowded, scripted } from "../../test/crowded.ts";
import { plainSchema } from "../../test/plain-schema.ts";
import { anthropicSpeaker, call, chatSpeaker, type Message, result, text, thinking } from "../../test/speakers.ts";
import { breaks, bytes, Talk } from "../../test/talk.ts";
import { elide } from "../overflow/elide.ts";
import { summarize } from "../overflow/summarize.ts";
import { through } from "../session/through.ts";
import { state } from "../sources/state.ts";
import { createLedger } from "./create-ledger.ts";
import type { LedgerSnapshot } from "./snapshot.ts";

const task = state<{ readonly step: string; readonly open: readonly string[] }>("task", { schema: plainSchema(() => true, "any will do") });
const usage = { input_tokens: 9, output_tokens: 7, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 };
const haiku = { model: "claude-haiku-5-5" };
const loop: readonly Message[] = [
  anthropicSpeaker.user("read both"),
  { role: "assistant", content: [thinking("start"), call("c1")] },
  { role: "user", content: [result("c1")] },
];

/** Sessions whose windows hold what only few do, each ready for what the user says next. */
const stories: Readonly<Record<string, { readonly holds: string; readonly talk: () => Promise<Talk> }>> = {
  "replies with reasoning, calls and usage": {
    holds: '"cacheRead":5',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("read");
      talk.answer([thinking("which"), text("look"), call("c1", "read", { path: "a", all: true }), call("c2")], { usage });
      await talk.results(["c1", "a"], ["c2", ""]);
      talk.answer([thinking("done"), text("read")], { usage });
      return talk;
    },
  },
  "reasoning that is plain, and argument strings": {
    holds: '"arguments":[',
    talk: async () => {
      const talk = new Talk({}, chatSpeaker);
      await talk.ask("read");
      talk.answer({ thinking: "hm", calls: [{ id: "c1", input: { zebra: 1, apple: [] } }] });
      await talk.results(["c1", "a"]);
      talk.answer({ text: "read" });
      return talk;
    },
  },
  "capped, made-up and late results": {
    holds: "left out]",
    talk: async () => {
      const talk = new Talk({ toolResultCap: 64 });
      await talk.ask("read");
      talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
      talk.history.push({ role: "user", content: [result("c1", "long\n".repeat(400)), text("never mind the other")] });
      await talk.send();
      talk.answer({ text: "fine" });
      talk.history.push({ role: "user", content: [result("c2", "late"), text("here it is")] });
      await talk.send();
      talk.answer({ text: "thanks" });
      return talk;
    },
  },
  "reasoning of two models": {
    holds: '"model":"claude-haiku-5-5"',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("of opus"), text("1")]);
      await talk.ask("two", haiku);
      talk.answer([thinking("of haiku"), text("2")]);
      return talk;
    },
  },
  "reasoning that went": {
    holds: '"lostReasoning":true',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("first")]);
      await talk.ask("two");
      talk.answer([thinking("second"), text("2")]);
      talk.history[0] = anthropicSpeaker.user("one, edited");
      await talk.ask("three");
      talk.answer({ text: "3" });
      return talk;
    },
  },
  "a folded loop": {
    holds: '"folded":true',
    talk: async () => {
      const talk = new Talk();
      talk.history = [...loop];
      await talk.send();
      talk.answer([thinking("end"), text("read")]);
      return talk;
    },
  },
  "reasoning that is lent": {
    holds: '"lent":true',
    talk: async () => {
      const talk = new Talk({ headers: true });
      await talk.ask("one");
      talk.answer([thinking("greet"), text("hi")]);
      talk.history.push(...loop);
      await talk.send();
      return talk;
    },
  },
  "reasoning that the provider dropped": {
    holds: '"dropped":[',
    talk: async () => {
      const talk = (await stories["reasoning that is lent"]?.talk()) as Talk;
      const input_transformations = [{ type: "thinking_dropped", path: "messages.3.content.0", reason: "prefix_binding_mismatch" }];
      talk.answer([thinking("end"), text("read")], { input_transformations });
      return talk;
    },
  },
  "an empty reply, a system message and a prefill": {
    holds: '"empty":true',
    talk: async () => {
      const talk = new Talk({}, { ...anthropicSpeaker, model: "claude-sonnet-4-5" });
      talk.history = [{ role: "assistant", content: [] }, anthropicSpeaker.user("anyone?")];
      talk.history.push({ role: "system", content: "be brief" }, { role: "assistant", content: "{" });
      await talk.send();
      talk.history.pop();
      talk.answer({ text: "{}" });
      return talk;
    },
  },
  "what a source said": {
    holds: '"change":true',
    talk: async () => {
      const talk = new Talk({ sources: [task] });
      const open = Array.from({ length: 20 }, (_, index) => `point ${index}`);
      talk.session.set(task, { step: "read", open });
      await talk.ask("one");
      talk.answer({ text: "1" });
      talk.session.set(task, { step: "write", open });
      await talk.ask("two");
      talk.answer([thinking("second"), text("2")]);
      return talk;
    },
  },
  "a summary": {
    holds: "SUMMARY",
    talk: async () => {
      const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }));
      await talk.exchange(4, 30);
      talk.session.compact();
      await talk.exchange(2, 30);
      return talk;
    },
  },
  "elided results": {
    holds: '"landed"',
    talk: async () => {
      const talk = new Crowded(elide({ protect: 2 }));
      await talk.ask("read all");
      for (const id of ["c1", "c2", "c3", "c4"]) {
        talk.answer({ thinking: `about ${id}`, calls: [{ id }] });
        await talk.results([id, "word ".repeat(300)]);
      }
      talk.answer({ text: "read" });
      return talk;
    },
  },
  "nothing but a restart": {
    holds: '"restarted":true',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("first"), text("1")]);
      talk.session.restart();
      return talk;
    },
  },
  "a wire that it left and came back from": {
    holds: '"parked"',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("read");
      talk.answer([thinking("which"), call("c1")]);
      await talk.results(["c1", "a"]);
      talk.answer([thinking("done"), text("read")]);
      const messages = [chatSpeaker.user("read"), chatSpeaker.reply({ calls: [{ id: "c1" }] }), ...chatSpeaker.results(["c1", "a"])];
      const other = through(talk.session, chatSpeaker.wire);
      await other.prepare({
        model: chatSpeaker.model,
        messages: [...messages, chatSpeaker.reply({ text: "read" }), chatSpeaker.user("and?")],
      });
      await talk.ask("and?");
      talk.answer([thinking("more"), text("that")]);
      return talk;
    },
  },
  "a history that was trimmed": {
    holds: '"trimsInRow":1',
    talk: async () => {
      const talk = new Talk();
      for (const words of ["one", "two", "three"]) {
        await talk.ask(words);
        talk.answer({ thinking: words, text: `to ${words}` });
      }
      talk.history.splice(0, 2);
      await talk.ask("four");
      talk.answer({ text: "4" });
      return talk;
    },
  },
};

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
      for (const talk of [live, restored]) talk.answer(talk.speaker === chatSpeaker ? { text: "ok" } : [thinking(words), text("ok")]);
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
