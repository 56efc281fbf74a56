import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Speaker, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { anthropic } from "../adapters/anthropic/wire.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, makeEntry } from "./entry.ts";
import { formsFor, type Target } from "./forms.ts";

const sonnet = { model: "claude-sonnet-5-5" };
const haiku = { model: "claude-haiku-5-5" };

/** One exchange on Opus 5.5, whose reply thinks. */
async function onOpus(options: TalkOptions = {}): Promise<Talk> {
  const talk = new Talk(options);
  await talk.ask("one");
  talk.answer([thinking("of opus"), text("1")]);
  return talk;
}

describe("reasoning goes only where it is read (rule 15)", () => {
  test("another model gets the reply without it, and switching back restores it in place, to the byte", async () => {
    const talk = await onOpus();
    const before = bytes(await talk.ask("two"));
    talk.answer([thinking("more of opus"), text("2")]);
    const away = await talk.ask("three", haiku);
    expect(breaks(away)).toEqual(["model at 0"]);
    expect(allOf(away)).not.toContain("of opus");
    talk.answer([thinking("of haiku"), text("3")]);
    const back = await talk.ask("four");
    expect(breaks(back)).toEqual(["model at 0"]);
    expect(bytes(back).slice(0, before.length)).toEqual(before);
    expect(sent(back)[3]?.["content"]).toEqual([thinking("more of opus"), text("2")]);
    expect(allOf(back)).not.toContain("of haiku");
  });

  test("a model that the profile names as a reader gets it; one that it does not name gets none", async () => {
    const talk = new Talk();
    await talk.ask("one", { model: "claude-opus-4-8" });
    talk.answer([thinking("of opus 4.8"), text("1")]);
    expect(allOf(await talk.ask("two", { model: "claude-opus-5" }))).toContain("of opus 4.8");
    talk.answer({ text: "2" });
    expect(allOf(await talk.ask("three", sonnet))).not.toContain("of opus 4.8");
  });

  test("a model that binds gets none of a model that does not: nobody made sure of what stood before it", async () => {
    const talk = new Talk();
    await talk.ask("one", { model: "claude-opus-4-8" });
    talk.answer([thinking("of opus 4.8"), text("1")]);
    expect(allOf(await talk.ask("two"))).not.toContain("of opus 4.8");
  });

  test("another endpoint is another origin", async () => {
    const talk = await onOpus({ endpoint: "https://one.example" });
    talk.restore({ endpoint: "https://two.example" });
    const turn = await talk.ask("two");
    expect(allOf(turn)).not.toContain("of opus");
  });

  test("only an unbroken chain goes: what was made while another block was away stays away once that one is back", async () => {
    const talk = await onOpus();
    await talk.ask("two", haiku);
    talk.answer([thinking("of haiku"), text("2")]);
    await talk.ask("three");
    talk.answer([thinking("back on opus"), text("3")]);
    expect(allOf(await talk.ask("four"))).toMatch(/of opus.*back on opus/s);
    talk.answer({ text: "4" });
    const again = await talk.ask("five", haiku);
    expect(allOf(again)).toContain("of haiku");
    expect(allOf(again)).not.toMatch(/of opus|on opus/);
  });

  test("what a checkpoint voids is voided in every origin's form behind the place", async () => {
    const talk = await onOpus();
    await talk.ask("two", haiku);
    talk.answer([thinking("of haiku"), text("2")]);
    talk.history[0] = anthropicSpeaker.user("one, edited");
    await talk.ask("three", haiku);
    talk.answer({ text: "3" });
    expect(allOf(await talk.ask("four"))).not.toMatch(/of opus|of haiku/);
  });

  test("an edit made while a model is in use that binds nothing voids it for those that do", async () => {
    const talk = await onOpus();
    await talk.ask("two");
    talk.answer({ text: "2" });
    const loose = { model: "claude-sonnet-4-6" };
    await talk.ask("three", loose);
    talk.answer({ text: "3" });
    talk.history[0] = anthropicSpeaker.user("one, edited");
    await talk.ask("four", loose);
    talk.answer({ text: "4" });
    expect(allOf(await talk.ask("five"))).not.toContain("of opus");
  });
});

describe("reasoning of a model whose system messages have another form (rules 15 and 20)", () => {
  const binds = { bindsReasoning: "yes", positionalSystem: false } as const;
  const profiles = {
    maker: binds,
    "binds, too": { ...binds, positionalSystem: true, readsReasoningOf: ["maker"] },
    "binds and tells the user, too": { ...binds, readsReasoningOf: ["maker"] },
    "binds nothing": { bindsReasoning: "no", positionalSystem: true, readsReasoningOf: ["maker"] },
  } as const;

  test.each([
    ["binds, too", ["before it"]],
    ["binds and tells the user, too", ["before it", "behind it"]],
    ["binds nothing", ["before it", "behind it"]],
  ])("goes to one that %s as far as it is valid there: %j", async (model, read) => {
    const wire = anthropic({ profiles }) as unknown as Speaker["wire"];
    const talk = new Talk({ strict: false }, { ...anthropicSpeaker, wire, model: "maker" });
    await talk.ask("one");
    talk.answer([thinking("before it"), text("1")]);
    talk.history.push(anthropicSpeaker.user("two"), { role: "system", content: "the build is red" });
    await talk.send({ model: "binds, too" });
    talk.answer({ text: "2" });
    await talk.ask("three");
    talk.answer([thinking("behind it"), text("3")]);
    const there = allOf(await talk.ask("four", { model }));
    expect(["before it", "behind it"].filter((thought) => there.includes(thinking(thought)["signature"] as string))).toEqual(read);
  });
});

describe("a switch of models (rules 15 and 20)", () => {
  test("leaves what is no reasoning as it was sent", async () => {
    const talk = new Talk();
    await talk.ask("read");
    talk.answer([thinking("hm"), call("c1", "read", { path: "a", all: true })]);
    await talk.results(["c1", "a"]);
    talk.answer({ text: "read" });
    const away = await talk.ask("thanks", haiku);
    expect(sent(away)[1]?.["content"]).toEqual([call("c1", "read", { path: "a", all: true })]);
    expect(bytes(away)[2]).toBe(JSON.stringify(anthropicSpeaker.results(["c1", "a"])[0]));
  });

  test("to a model that takes no positional system message gives it the user's form, which keeps the channel; back it is what it was", async () => {
    const talk = new Talk();
    talk.history = [anthropicSpeaker.user("hello"), { role: "system", content: [text("the build"), text("is red")] }];
    const before = bytes(await talk.send());
    talk.answer({ text: "I see" });
    const away = await talk.ask("mend it", { model: "claude-sonnet-4-6" });
    expect(sent(away)[1]).toEqual({ role: "user", content: [text("<system>\nthe build\nis red\n</system>")] });
    talk.answer({ text: "mended" });
    expect(bytes(await talk.ask("thanks")).slice(0, 2)).toEqual(before);
  });

  test("in a wire whose reasoning is not bound leaves it where it is", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("one");
    talk.answer({ thinking: "because", text: "1" });
    expect(allOf(await talk.ask("two", { model: "deepseek-reasoner" }))).toContain("because");
  });
});

test("behind what a checkpoint took out of the chain goes what stands before it, whoever else's reasoning the window holds (rules 15 and 27)", () => {
  const wire = anthropic() as unknown as Wire;
  const target = targetNamed(wire, "claude-opus-5-5");
  const replyOf = (id: number, model: string, reasonedAfter?: number): Entry =>
    makeEntry(id, {
      kind: "host",
      role: "assistant",
      given: [],
      sent: { role: "assistant", content: [{ ...thinking(`thought ${id}`) }, { ...text(`${id}`) }] } as ObjectValue,
      reasoning: { origin: { ...target.origin, model }, vouched: true, lent: false },
      reasonedAfter,
    });
  const entries = [replyOf(1, "claude-sonnet-4-6"), replyOf(2, "claude-opus-5-5"), replyOf(4, "claude-opus-5-5", 3)];
  const sentTexts = formsFor(wire, entries, target).map(({ message }) => JSON.stringify(message));
  expect(sentTexts.map((said) => said.includes("thought"))).toEqual([false, true, true]);
});

function targetNamed(wire: Wire, model: string): Target {
  return { origin: { wire: wire.name, model, endpoint: undefined }, profile: wire.profile(model) };
}
