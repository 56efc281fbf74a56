import { describe, expect, test } from "vitest";
import { anthropicReshapings } from "../../test/reshapings.ts";
import { anthropicSpeaker, type Body, call, chatSpeaker, type Message, speakers, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { elide } from "../overflow/elide.ts";
import type { Wire } from "../wire/wire.ts";

const secret = "the words of the conversation";

/** A conversation with a call whose input has its keys in no sorted order, a capped result, and a made-up one. */
async function talked(): Promise<Talk> {
  const talk = new Talk({ toolResultCap: 128 });
  await talk.ask(secret);
  talk.answer([thinking("which"), call("c1", "read", { path: "a", all: true }), call("c2")]);
  talk.history.push({ role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "long line\n".repeat(400) }] });
  await talk.ask("never mind the other");
  talk.answer([thinking("done"), text("fine")]);
  return talk;
}

describe("a snapshot (rule 48)", () => {
  test("is plain JSON", async () => {
    const snapshot = (await talked()).session.snapshot();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  test("holds digests of what the history brings back, and sent forms only where they differ by more than representation", async () => {
    const stored = JSON.stringify((await talked()).session.snapshot());
    expect(stored).not.toContain(secret);
    expect(stored).toContain("left out]");
    expect(stored).toContain("the conversation went on before the call returned");
  });

  test("holds each list of keys once", async () => {
    const talk = new Talk();
    for (let count = 0; count < 6; count++) {
      await talk.ask(`${count}`);
      talk.answer({ calls: [{ id: `c${count}`, input: { zebra: 1, apple: 2 } }] });
      await talk.results([`c${count}`, "a"]);
      talk.answer({ text: "ok" });
    }
    expect(JSON.stringify(talk.session.snapshot()).split('"zebra","apple"')).toHaveLength(2);
  });

  test("taken between prepare and settle restores to a session that can settle", async () => {
    const talk = new Talk();
    await talk.ask("one");
    const reply = anthropicSpeaker.replied(talk.message([thinking("first"), text("1")]));
    talk.restore();
    talk.session.settle(reply);
    talk.store([thinking("first"), text("1")]);
    const turn = await talk.ask("two");
    expect(allOf(turn)).toContain("first");
    expect(breaks(turn)).toEqual([]);
  });

  test("of a snapshot, taken before any request, is the same", async () => {
    const talk = await talked();
    const before = JSON.stringify(talk.session.snapshot());
    talk.restore();
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
  });
});

describe("a restored session (rule 48)", () => {
  test.each(Object.keys(anthropicReshapings))("renders the same bytes from a history with %s", async (name) => {
    const talk = await talked();
    const twin = await talked();
    talk.restore();
    const behind = talk.history.length;
    talk.history = [...(anthropicReshapings[name]?.(talk.history.slice(0, behind)) ?? [])];
    const [here, there] = [await talk.ask("next"), await twin.ask("next")];
    expect(bytes(here)).toEqual(bytes(there));
    expect(breaks(here)).toEqual([]);
  });

  test("says the same as the live one of a history that was changed", async () => {
    const changes: readonly (readonly [string, (talk: Talk) => void])[] = [
      ["edit", (talk) => talk.history.splice(0, 1, anthropicSpeaker.user("edited"))],
      ["removal", (talk) => talk.history.splice(0, 4)],
      ["replaced", (talk) => talk.history.splice(0, talk.history.length)],
    ];
    for (const [name, change] of changes) {
      const [live, restored] = [await talked(), await talked()];
      restored.restore();
      const [here, there] = await Promise.all(
        [live, restored].map(async (talk) => {
          change(talk);
          return talk.ask("next");
        }),
      );
      expect(there && sent(there), name).toEqual(here && sent(here));
      expect(there && breaks(there), name).toEqual(here && breaks(here));
    }
  });

  test("goes on with its wordings, whatever the release says now", async () => {
    const talk = await talked();
    const snapshot = structuredClone(talk.session.snapshot());
    expect(snapshot.wordings.missingResult).toBe("(no result: {reason})");
    talk.restore();
    expect(talk.session.snapshot().wordings).toEqual(snapshot.wordings);
  });

  test.each(speakers)("numbers its turns on, and keeps what was reported once as reported ($name)", async (speaker) => {
    const talk = new Talk({ strict: false }, speaker);
    await talk.ask("one");
    talk.answer({ text: "1" });
    talk.restore();
    expect((await talk.ask("two")).number).toBe(2);
  });

  test("keeps the six windows that replies may still come to, so that an older branch is found again", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    await talk.ask("two");
    talk.answer([thinking("second"), text("2")]);
    const branch = [...talk.history];
    talk.history = branch.slice(0, 2);
    await talk.ask("other");
    talk.answer({ text: "3" });
    talk.restore();
    talk.history = [...branch];
    expect(allOf(await talk.ask("three"))).toMatch(/first.*second/s);
  });
});

test("behind a restore a branch of an older window repeats what both windows were sent, and says so (rules 5 and 48)", async () => {
  const played = async (restores: boolean): Promise<readonly unknown[]> => {
    const talk = new Talk();
    talk.head = { max_tokens: 1_000, system: "one" };
    await talk.ask("a");
    talk.answer({ thinking: "1", text: "A" });
    await talk.ask("b");
    talk.answer({ text: "B" });
    Object.assign(talk.head, { system: "two" });
    await talk.ask("c");
    talk.answer({ text: "C" });
    const branch = [...talk.history];
    talk.history = [...talk.history.slice(0, 2), talk.speaker.user("instead")];
    await talk.send();
    talk.history = branch;
    if (restores) talk.restore();
    const turn = await talk.ask("d");
    return [bytes(turn), breaks(turn)];
  };
  expect(await played(true)).toEqual(await played(false));
});

// Soak seed 131100004, with the strategies among the restored: without the time of the last request nothing of it counted as cached.
test.each([
  { minutes: 1, elided: false },
  { minutes: 6, elided: true },
])(
  "a restored session knows how long the last request is ago: after $minutes minutes it elides $elided (rules 29 and 48)",
  async ({ minutes, elided }) => {
    const played = async (restores: boolean): Promise<readonly string[]> => {
      let time = 0;
      const talk = new Talk({
        now: () => time,
        ttl: "5m",
        overflow: elide(),
        budget: { context: 4_000, output: 1_000, measure: "counter" },
        toolResultCap: 4_000,
      });
      await talk.ask("look at all of it");
      for (const id of ["c1", "c2", "c3", "c4"]) {
        talk.answer([call(id)]);
        await talk.results([id, "a line of what was found\n".repeat(45)]);
      }
      talk.answer({ text: "that is all" });
      time += minutes * 60_000;
      if (restores) talk.restore();
      return bytes(await talk.ask("thanks"));
    };
    const live = await played(false);
    expect(live.join().includes("[elided entry")).toBe(elided);
    expect(await played(true)).toEqual(live);
  },
);

// Soak seed 30001720: OpenRouter's plain reasoning is not sent beside the signed details that say it in other words.
test("behind a restore a host that stores the window is known by what was sent, where that says less than what was given (rules 4 and 48)", async () => {
  const speaker = {
    ...chatSpeaker,
    model: "anthropic/claude-opus-5.5",
    wire: openaiChat({ dialect: "openrouter" }) as unknown as Wire<Body>,
  };
  const talk = new Talk({}, speaker);
  await talk.ask("look");
  const details = ["here", "and there"].map((words) => ({ type: "reasoning.text", text: words, signature: `signed ${words}` }));
  talk.history.push({ ...speaker.reply({ calls: [{ id: "c1" }] }), reasoning: "here\nand there", reasoning_details: details } as Message);
  talk.turn?.settle(speaker.replied(talk.history.at(-1) as Message));
  const turn = await talk.results(["c1", "found"]);
  talk.history = [...(structuredClone(sent(turn)) as Message[])];
  talk.answer({ text: "done" });
  talk.restore();
  const next = await talk.ask("thanks");
  expect(bytes(next).slice(0, 3)).toEqual(bytes(turn));
  expect(breaks(next)).toEqual([]);
});
