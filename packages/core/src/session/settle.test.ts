import { describe, expect, test } from "vitest";
import { anthropicSpeaker, chatSpeaker, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, onlyCheckpoint, Talk } from "../../test/talk.ts";

const usage = { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 30, output_tokens: 5 };

describe("settle (rules 6 and 28)", () => {
  test("reads usage, the provider's reason for a miss, and what it dropped", async () => {
    const talk = new Talk();
    await talk.ask("one");
    const settled = talk.answer({ text: "1" }, { usage, diagnostics: { cache_miss_reason: { type: "tools_changed" } } });
    expect(settled).toMatchObject({ recorded: true, dropped: [], cacheMissReason: "tools_changed" });
    expect(settled?.usage).toMatchObject({ prompt: 240, uncached: 10, cacheRead: 200, cacheWrite: 30, output: 5 });
  });

  test("of a stream that was cut records nothing: the turn can be settled yet", async () => {
    const talk = new Talk();
    await talk.ask("one");
    const before = JSON.stringify(talk.session.snapshot());
    expect(talk.answer([thinking("half"), text("o")], { stop_reason: null })).toMatchObject({ recorded: false });
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    talk.history.pop();
    expect(talk.answer([thinking("whole"), text("1")])?.recorded).toBe(true);
    expect(allOf(await talk.ask("two"))).toContain("whole");
  });

  test("of a reply that throws when it is read is refused by a typed error and changes nothing", async () => {
    const own = new RangeError("the host's own");
    const fail = (): never => {
      throw own;
    };
    const reply = { role: "assistant", content: [], stop_reason: "end_turn" };
    for (const [bad, code] of [
      [new Proxy({}, { get: fail }), "invalid-reply"],
      [Object.defineProperty({ ...reply }, "content", { get: fail, enumerable: true }), "invalid-reply"],
      [{ ...reply, content: [{ type: "text", toJSON: fail }] }, "value-unreadable"],
    ] as const) {
      const talk = new Talk();
      const turn = await talk.ask("one");
      const before = JSON.stringify(talk.session.snapshot());
      expect(() => turn.settle(bad)).toThrow(expect.objectContaining({ code, cause: own }));
      expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    }
  });

  test.each([null, 3, {}, { type: "error", error: {} }, { role: "user", content: [] }, { role: "assistant", content: "x" }])(
    "refuses what is no reply (%j) and changes nothing",
    async (reply) => {
      const talk = new Talk();
      await talk.ask("one");
      const before = JSON.stringify(talk.session.snapshot());
      expect(() => talk.turn?.settle(reply as object)).toThrow(
        expect.objectContaining({ code: "invalid-reply", path: expect.stringMatching(/^\$/) }),
      );
      expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    },
  );

  test("of a refusal or an empty reply settles the turn without a message", async () => {
    for (const more of [{ stop_reason: "refusal" }, { content: [] }]) {
      const talk = new Talk();
      await talk.ask("one");
      expect(talk.turn?.settle(anthropicSpeaker.replied(talk.message([text("I cannot")]), more)).recorded).toBe(true);
      const turn = await talk.ask("then another");
      expect(breaks(turn)).toEqual([]);
      expect(turn.request.messages).toHaveLength(2);
    }
  });

  test("through the session is sugar for the last turn, and says so when there is none or more than one", async () => {
    const talk = new Talk();
    const reply = anthropicSpeaker.replied(talk.message([text("1")]));
    expect(() => talk.session.settle(reply)).toThrow(expect.objectContaining({ code: "nothing-to-settle" }));
    await talk.ask("one");
    await talk.send();
    expect(() => talk.session.settle(reply)).toThrow(expect.objectContaining({ code: "ambiguous-settle" }));
    talk.turn?.settle(reply);
    expect(talk.session.settle(reply).recorded).toBe(true);
    expect(() => talk.session.settle(reply)).toThrow(expect.objectContaining({ code: "nothing-to-settle" }));
  });

  test("of a turn that is long gone says so", async () => {
    const talk = new Talk();
    const first = await talk.ask("one");
    talk.answer({ text: "1" });
    for (let count = 0; count < 8; count++) {
      await talk.ask(`${count}`);
      talk.answer({ text: "ok" });
    }
    expect(() => first.settle(anthropicSpeaker.replied(talk.message([text("late")])))).toThrow(
      expect.objectContaining({ code: "nothing-to-settle" }),
    );
  });
});

describe("reasoning that the provider says it dropped (rule 28)", () => {
  test("is voided for good, and named as the provider's doing", async () => {
    const talk = new Talk({ headers: true });
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    await talk.ask("two");
    const transformation = { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" };
    const settled = talk.answer([thinking("second"), text("2")], { input_transformations: [transformation] });
    expect(settled?.dropped).toEqual([{ message: 1, block: 0, reason: "prefix_binding_mismatch" }]);
    const turn = await talk.ask("three");
    expect(allOf(turn)).not.toContain("first");
    expect(onlyCheckpoint(turn)).toMatchObject({ reason: "history", at: 1, hint: "dropped-by-provider" });
    talk.answer({ text: "3" });
    talk.restore();
    expect(allOf(await talk.ask("four"))).not.toContain("first");
  });

  test("that it let pass stays", async () => {
    const talk = new Talk({ headers: true });
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    await talk.ask("two");
    const allowed = { type: "thinking_mismatch_allowed", path: "messages.1.content.0", reason: "prefix_binding_mismatch" };
    talk.answer({ text: "2" }, { input_transformations: [allowed] });
    const turn = await talk.ask("three");
    expect(allOf(turn)).toContain("first");
    expect(breaks(turn)).toEqual([]);
  });
});

describe("explain() of a session (rule 28)", () => {
  test("looks back at the last settled turn, with what was sent between as evidence", async () => {
    let now = 0;
    const talk = new Talk({ now: () => now });
    expect(talk.session.explain().verdict).toBe("unknown");
    await talk.ask("one ".repeat(2_000));
    talk.answer(
      { text: "1" },
      { usage: { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 4_000, output_tokens: 1 } },
    );
    expect(talk.session.explain().verdict).toBe("healthy");
    now += 60_000;
    await talk.ask("two");
    talk.answer(
      { text: "2" },
      { usage: { input_tokens: 9, cache_read_input_tokens: 4_000, cache_creation_input_tokens: 100, output_tokens: 1 } },
    );
    expect(talk.session.explain()).toMatchObject({ verdict: "healthy", repeatedTokens: 4_000, readTokens: 4_000 });
    now += 3_600_000;
    await talk.ask("three");
    talk.answer(
      { text: "3" },
      { usage: { input_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 4_200, output_tokens: 1 } },
    );
    expect(talk.session.explain().verdict).toBe("time-to-live");
    talk.history[0] = anthropicSpeaker.user("edited ".repeat(2_000));
    await talk.ask("four, never settled");
    await talk.send();
    talk.answer(
      { text: "4" },
      { usage: { input_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 4_300, output_tokens: 1 } },
    );
    expect(talk.session.explain().verdict).toBe("prompt");
    expect(talk.session.explain().evidence.join(" ")).toContain("$.messages[0]");
  });

  test("says that a provider reports no cached tokens", async () => {
    const talk = new Talk({}, chatSpeaker);
    for (const words of ["one", "two"]) {
      await talk.ask(words);
      talk.answer({ text: "ok" }, { usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 } });
    }
    expect(talk.session.explain()).toMatchObject({ verdict: "unknown", readTokens: undefined });
  });
});
