import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, result, text } from "../../test/speakers.ts";
import { Talk, type TalkOptions } from "../../test/talk.ts";
import { ShapeError } from "../wire/rule.ts";

const read = { name: "read", input_schema: { type: "object" } };
const lenient: TalkOptions = { strict: false };

describe("a request that the provider is sure to refuse for its shape (rule 53)", () => {
  test.each([
    ["$.tools", { tools: [read, read] }],
    ["$.temperature", { temperature: 0.5 }],
  ])("never leaves: the error names the rule, the place and the provider's status (%s)", async (place, change) => {
    const talk = new Talk(lenient);
    talk.history = [anthropicSpeaker.user("one")];
    const refused: unknown = await talk.send(change).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ShapeError);
    expect(refused).toMatchObject({ code: "shape", rule: expect.stringMatching(/^AN-\d\d$/), path: place, providerStatus: 400 });
    expect(String(refused)).toContain(`at ${place}:`);
  });

  test("is named by its place in the whole request, however long what is repeated before it", async () => {
    const talk = new Talk(lenient);
    for (let count = 0; count < 5; count++) {
      await talk.ask(`${count}`);
      talk.answer([call(`c${count}`)]);
      await talk.results([`c${count}`, "a"]);
      talk.answer({ text: "ok" });
    }
    talk.history.push({ role: "user", content: [text("x"), { type: "hologram" }] });
    expect((await talk.send()).repairs.doubtful).toMatchObject([{ path: expect.stringContaining("$.messages[20].content[1]") }]);
  });
});

describe("what it is only likely to refuse (rule 53)", () => {
  const strange = { type: "hologram" };

  test("is reported, once a session and a snapshot later neither", async () => {
    const talk = new Talk(lenient);
    talk.history = [{ role: "user", content: [text("one"), strange] }];
    expect((await talk.send()).repairs.doubtful).toHaveLength(1);
    talk.answer({ text: "1" });
    for (const restores of [false, true]) {
      if (restores) talk.restore();
      talk.history.push({ role: "user", content: [text("more"), strange] });
      expect((await talk.send()).repairs.doubtful, `restored: ${restores}`).toEqual([]);
      talk.answer({ text: "ok" });
    }
  });

  test("is refused with strict: true", async () => {
    const talk = new Talk({ strict: true });
    talk.history = [{ role: "user", content: [text("one"), strange] }];
    await expect(talk.send()).rejects.toMatchObject({ code: "shape", path: expect.stringContaining("$.messages[0].content[1]") });
  });
});

describe("what admission mends never reaches the gate (rules 10 to 12)", () => {
  test("orphans, empty text, results out of order, a history that starts with a reply", async () => {
    const talk = new Talk();
    talk.history = [
      { role: "assistant", content: [text("and so on"), text(" ")] },
      { role: "user", content: [text(""), result("gone")] },
      { role: "assistant", content: [call("c1"), call("c2")] },
      { role: "user", content: [text("first"), result("c2"), result("c1")] },
    ];
    const turn = await talk.send();
    expect(turn.request.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(turn.request.messages[0]?.content).toEqual([text("[the conversation before this point is not shown]")]);
  });

  test("on Chat, too", async () => {
    const talk = new Talk({}, chatSpeaker);
    talk.history = [
      { role: "assistant", content: "and so on" },
      { role: "tool", tool_call_id: "gone", content: "x" },
      chatSpeaker.reply({ calls: [{ id: "c1" }, { id: "c2" }] }),
      chatSpeaker.user("first"),
      ...chatSpeaker.results(["c2", "b"], ["c1", "a"]),
    ];
    const turn = await talk.send();
    expect(turn.request.messages.map(({ role }) => role)).toEqual(["assistant", "user", "assistant", "tool", "tool", "user"]);
  });
});
