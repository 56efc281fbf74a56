import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { type Block, call, text } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent } from "../../test/talk.ts";
import { onDemandCompaction } from "./on-demand-compaction.ts";
import { summarize } from "./summarize.ts";

/** A provider that compacts. What it was asked is in `asked`. */
function compacting(reply: object = {}) {
  const asked: { readonly request: { readonly messages: readonly object[] }; readonly headers: Readonly<Record<string, string>> }[] = [];
  const send = async (request: object, { headers }: { readonly headers: Readonly<Record<string, string>> }): Promise<object> => {
    asked.push({ request: structuredClone(request) as (typeof asked)[0]["request"], headers });
    const block = {
      type: "compaction",
      content: `COMPACTED ${asked.length}`,
      encrypted_content: null,
      tool_changes: [],
      signature: "c2ln",
    };
    return { type: "message", role: "assistant", stop_reason: "compaction", content: [block], usage: {}, ...reply };
  };
  return { asked, send };
}

const asks = { headers: true } as const;

describe("the provider's own compaction (rule 42)", () => {
  test("is asked with what was sent, byte for byte, and keeps the reasoning of what stays", async () => {
    const { asked, send } = compacting();
    const talk = new Crowded(onDemandCompaction({ send, keepRecentTurns: 1 }), asks);
    for (let number = 1; talk.landings.length === 0; number++) {
      await talk.ask(`question ${number}`);
      talk.answer({ thinking: `thought ${number}`, text: prose(`answer ${number}`, 140) });
    }
    const [call] = asked;
    const before = call?.request.messages ?? [];
    expect(call?.headers["anthropic-beta"]).toContain("compact-2026-09-04");
    expect(talk.landings[0]).toMatchObject({ signed: true, reason: "compaction" });
    const kept = sent(talk.turn).slice(1);
    expect(before.at(-1)).toMatchObject({ role: "user" });
    expect(kept[0]).toMatchObject({ role: "assistant", content: [{ type: "thinking" }, { type: "text" }] });
    expect(talk.history.length - 1).toBe(before.length + kept.length);
  });

  test("counts what is pinned, since it is said again: as many turns stay as low water leaves room for behind that", async () => {
    const kept = async (pins: boolean): Promise<number> => {
      const { send } = compacting();
      const talk = new Crowded(onDemandCompaction({ send }), asks);
      await talk.ask(prose("keep this", 230));
      talk.answer({ text: "yes" });
      if (pins) talk.session.pin(talk.history[0] as object);
      for (let number = 1; talk.landings.length === 0; number++) {
        await talk.ask(`question ${number}`);
        talk.answer({ text: prose(`answer ${number}`, 100) });
      }
      return sent(talk.turn).filter(({ role }) => role === "assistant").length;
    };
    expect(await kept(true)).toBeLessThan(await kept(false));
  });

  // Soak seed 700027: the next user turn would be read as part of the one that the block ends in.
  test("never cuts before a reply that only thinks", async () => {
    const { send } = compacting();
    const talk = new Crowded(onDemandCompaction({ send, keepRecentTurns: 1 }), asks);
    for (const reply of [{ thinking: "one", text: "first" }, { thinking: "two" }, { thinking: "three", text: "third" }]) {
      await talk.ask(prose("go on", 150));
      talk.answer(reply);
    }
    talk.session.compact();
    const turn = await talk.ask("and on");
    expect(Object.isFrozen(turn.request.messages[0])).toBe(true);
    const [block, ...kept] = sent(turn);
    expect(block).toMatchObject({ content: [{ type: "compaction" }] });
    expect(kept[0]).toMatchObject({ role: "assistant", content: [{ thinking: "one" }, { text: "first" }] });
  });

  test("says pinned words again each time a landing takes them, and takes them back once they are unpinned", async () => {
    const { send } = compacting();
    const talk = new Crowded(onDemandCompaction({ send, keepRecentTurns: 0 }), asks);
    await talk.ask("my name is Ada");
    talk.answer({ text: "welcome" });
    await talk.ask("I live in Turin");
    talk.answer({ text: "nice" });
    const unpin = talk.session.pin(talk.history[0] as object);
    talk.session.pin(talk.history[2] as object);
    await talk.exchange(3);
    for (let landing = 1; landing <= 2; landing++) {
      talk.session.compact();
      const turn = await talk.ask(`go on ${landing}`);
      expect(talk.landings).toHaveLength(landing);
      expect(allOf(turn)).toMatch(/still hold:.{1,4}my name is Ada.{1,4}I live in Turin/);
      talk.answer({ text: "yes" });
      expect(breaks(await talk.ask("and on"))).toEqual([]);
      talk.answer({ text: prose("long answer", 150) });
    }
    unpin();
    const turn = await talk.ask("forget it");
    expect(breaks(turn)).toEqual([]);
    expect(JSON.stringify(sent(turn).slice(-2))).toMatch(/my name is Ada/);
    expect(turn.said.map(({ source }) => source)).toEqual(["kept-words"]);
    expect(allOf(turn)).toMatch(/no longer hold:.{1,4}my name is Ada/);
    talk.answer({ text: "yes" });
    talk.restore();
    expect((await talk.ask("on")).said).toEqual([]);
    talk.answer({ text: "yes" });
    talk.session.compact();
    const again = await talk.ask("once more");
    expect(allOf(again)).toContain("I live in Turin");
    expect(allOf(again)).not.toContain("Ada");
  });

  test("a later summary keeps of the words behind the block what is still pinned", async () => {
    const { send } = compacting();
    const talk = new Crowded(onDemandCompaction({ send, keepRecentTurns: 0 }), asks);
    await talk.ask("my name is Ada");
    talk.answer({ text: "welcome" });
    talk.session.pin(talk.history[0] as object);
    talk.session.compact();
    await talk.exchange(2);
    talk.restore({ overflow: summarize({ summarizer: scripted("SUMMARY") }) });
    talk.session.compact();
    expect(allOf(await talk.ask("on"))).toMatch(/SUMMARY.*my name is Ada/s);
  });

  test.each<readonly [string, object, string]>([
    ["no block", { content: [], stop_reason: "end_turn" }, "invalid"],
    ["a refusal", { content: [], stop_reason: "refusal" }, "refused"],
    ["a cut block", { content: [], stop_reason: "max_tokens" }, "truncated"],
    ["two blocks", { content: [{ type: "compaction" }, { type: "compaction" }] }, "invalid"],
  ])("lands nothing of %s", async (_what, reply, failure) => {
    const { send } = compacting(reply);
    const talk = new Crowded(onDemandCompaction({ send }), asks);
    await talk.exchange(3);
    talk.session.compact();
    await talk.ask("on");
    expect(talk.landings).toEqual([]);
    expect(talk.reports.at(-1)).toMatchObject({ status: "failed", error: { failure } });
  });
});

describe("a block in the host's own history is a recap (rule 38)", () => {
  const block = { type: "compaction", content: "OLD", encrypted_content: null, tool_changes: [], signature: "c2ln" };

  test("it stays first, nothing before it, and its reply behind it, across a restore too", async () => {
    const talk = new Crowded(undefined, asks);
    talk.history = [{ role: "assistant", content: [block] }, talk.message({ text: "kept" })];
    for (const words of ["hello", "and on", "and on and on"]) {
      const turn = await talk.ask(words);
      expect(sent(turn).slice(0, 2)).toMatchObject([{ content: [{ type: "compaction" }] }, { content: [{ text: "kept" }] }]);
      expect(turn.headers["anthropic-beta"]).toContain("compact-2026-09-04");
      expect(breaks(turn).filter((reason) => words !== "hello" || !reason.startsWith("ledger"))).toEqual([]);
      talk.answer({ thinking: words, text: "yes" });
      talk.restore();
    }
  });

  // Soak seed 3000029: the provider takes it as the first block of the first message, too.
  test("a store that joined it with the reply behind it changes nothing, in a new session too (rule 4)", async () => {
    const joined = { role: "assistant", content: [block, text("looking"), call("c1")] };
    const talk = new Crowded(undefined, asks);
    talk.history = [joined, ...talk.speaker.results(["c1", "found"])];
    const first = await talk.send();
    expect(sent(first).slice(0, 2)).toMatchObject([{ content: [block] }, { content: [{ text: "looking" }, { id: "c1" }] }]);
    talk.answer({ text: "yes" });
    expect(breaks(await talk.ask("on"))).toEqual([]);

    const { send } = compacting();
    const other = new Crowded(onDemandCompaction({ send, keepRecentTurns: 1 }), asks);
    await other.exchange(3, 200);
    other.session.compact();
    const landing = await other.ask("on");
    const [recap, reply, ...rest] = structuredClone(sent(landing)) as { role: string; content: Block[] }[];
    other.history = [{ role: "assistant", content: [...(recap?.content ?? []), ...(reply?.content ?? [])] }, ...rest];
    other.answer({ text: "yes" });
    const turn = await other.ask("and on");
    expect(breaks(turn)).toEqual([]);
    expect(bytes(turn).slice(0, -2)).toEqual(bytes(landing));
  });

  test("a summary goes behind it, and is replaced by the next one", async () => {
    const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY 1", "SUMMARY 2") }), asks);
    talk.history = [{ role: "assistant", content: [block] }];
    for (const summary of ["SUMMARY 1", "SUMMARY 2"]) {
      await talk.exchange(2);
      talk.session.compact();
      const turn = await talk.ask("on");
      expect(allOf(turn)).toMatch(new RegExp(`compaction.*OLD.*${summary}.*on`, "s"));
      expect(allOf(turn).match(/SUMMARY/g)).toHaveLength(1);
      talk.answer({ text: "yes" });
    }
  });
});
