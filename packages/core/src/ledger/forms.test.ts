import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Speaker, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { anthropic } from "../adapters/anthropic/wire.ts";
import { bedrock } from "../adapters/bedrock/index.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";
import type { DormantSent } from "./dormant-form.ts";
import { type Entry, makeEntry } from "./entry.ts";
import {
  bareMessage,
  formsFor,
  lastSentReasoning,
  messagesFor,
  nativeForms,
  sendsAll,
  type Target,
  windowFor,
  withoutReasoning,
} from "./forms.ts";
import { factsOf } from "./window-facts.ts";

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

const loose = { positionalSystem: false, inBand: [], readsReasoningOf: ["maker"] } as const;
const models = {
  maker: { bindsReasoning: "yes", positionalSystem: false, inBand: ["effort"], readsReasoningOf: [] },
  "reads it": { ...loose, bindsReasoning: "may" },
  "reads it, has system messages": { ...loose, bindsReasoning: "yes", positionalSystem: true, inBand: ["effort"] },
  "reads it, has its forms": { ...loose, bindsReasoning: "yes", inBand: ["effort"] },
  "binds nothing": { ...loose, bindsReasoning: "no" },
} as const;
const modelNames = Object.keys(models);
const wireOfModels = anthropic({ profiles: models }) as unknown as Wire;
const targetOf = (model: string, endpoint?: string): Target => ({
  origin: { wire: wireOfModels.name, model, endpoint },
  profile: wireOfModels.profile(model),
});

const drawnEntries = fc
  .array(
    fc.record({
      said: fc.constantFrom("reply", "reply", "reply", "system", "effort", "tools", "user", "nothing"),
      model: fc.constantFrom("maker", "maker", ...modelNames),
      endpoint: fc.constantFrom(undefined, undefined, undefined, "elsewhere"),
      vouched: fc.constantFrom(true, true, true, false),
      proven: fc.constantFrom(undefined, undefined, true),
      lent: fc.constantFrom(false, false, false, true),
      behind: fc.constantFrom("last", "last", "last", "first", "gone", "nothing"),
    }),
    { maxLength: 7 },
  )
  .map((parts) => {
    const reasoned: number[] = [];
    return parts.map(({ said, model, endpoint, vouched, proven, lent, behind }, index): Entry => {
      const id = index + 1;
      const parts = { kind: "host", given: [] } as const;
      if (said === "nothing") return makeEntry(id, { ...parts, role: "system", sent: null });
      if (said === "system")
        return makeEntry(id, { ...parts, role: "system", sent: { role: "system", content: [text(`s${id}`)] } as ObjectValue });
      if (said === "tools" || said === "effort") {
        const form = ({ tools: "toolChanges", effort: "settings" } as const)[said];
        const change = { source: said, value: null, revision: 1, channel: "system", form } as const;
        return makeEntry(id, { ...parts, role: "system", sent: { role: "system", content: [], of: said }, said: [change] });
      }
      if (said === "user")
        return makeEntry(id, { ...parts, role: "user", sent: { role: "user", content: [text(`u${id}`)] } as ObjectValue });
      const reasonedAfter = { last: reasoned.at(-1), first: reasoned[0], gone: 99, nothing: undefined }[behind];
      reasoned.push(id);
      const sent = { role: "assistant", content: [{ ...thinking(`t${id}`) }, { ...text(`r${id}`) }] } as ObjectValue;
      const reasoning = { origin: targetOf(model, endpoint).origin, vouched, lent, ...(proven === true && { proven }) };
      return makeEntry(id, { ...parts, role: "assistant", sent, reasoning, reasonedAfter });
    });
  });

/** Ids of the entries whose reasoning a target reads, by asking each question of each entry. */
function plainlyRead(entries: readonly Entry[], target: Target): readonly number[] {
  const binds = target.profile.bindsReasoning !== "no";
  const isSystem = (entry: Entry): boolean => entry.role === "system" && entry.sent !== null;
  const hasEffort = entries.some(({ said }) => said.some(({ form }) => form === "settings"));
  const saysAlike = (model: string): boolean => {
    const [made, read] = [wireOfModels.profile(model), target.profile];
    return made.positionalSystem === read.positionalSystem && (!hasEffort || made.inBand?.length === read.inBand?.length);
  };
  const valid = entries.filter(({ reasoning }, position) => {
    if (reasoning === undefined) return false;
    const { origin, vouched, proven, lent } = reasoning;
    const own = origin.model === target.origin.model && origin.endpoint === target.origin.endpoint;
    if (!own && (origin.endpoint !== target.origin.endpoint || !target.profile.readsReasoningOf.includes(origin.model))) return false;
    if (!binds || lent) return true;
    if (entries.slice(0, position).some(isSystem) && !saysAlike(origin.model)) return false;
    return proven === true || (vouched && wireOfModels.profile(origin.model).bindsReasoning !== "no");
  });
  if (!binds) return valid.map(({ id }) => id);
  const backFrom = (entry: Entry | undefined): readonly number[] => {
    if (entry === undefined) return [];
    const { id, reasonedAfter: after } = entry;
    const before = valid.filter((other) => other.id < id);
    const isThere = entries.some((other) => other.id === after && other.reasoning !== undefined);
    if (after === undefined) return [id];
    return [...backFrom(isThere ? before.find((other) => other.id === after) : before.at(-1)), id];
  };
  return backFrom(valid.at(-1));
}

describe("which reasoning a target reads (rule 15)", () => {
  test.each(modelNames)("is what each entry's own answers say, and the messages of a window say it alike (property): %s", (model) => {
    const target = targetOf(model);
    fc.assert(
      fc.property(fc.array(drawnEntries, { minLength: 20, maxLength: 20 }), (windows) => {
        for (const entries of windows) {
          const read = plainlyRead(entries, target);
          const window = formsFor(wireOfModels, entries, target);
          const shown = window.filter(({ message }) => JSON.stringify(message).includes("thinking")).map(({ entry }) => entry.id);
          expect(shown).toEqual(read);
          expect(messagesFor(wireOfModels, entries, target)).toEqual(window.map(({ message }) => message));
          expect(lastSentReasoning(wireOfModels, entries, entries, target)).toBe(read.at(-1));
          if (sendsAll(entries, target)) expect(read).toEqual(entries.flatMap(({ id, reasoning }) => (reasoning ? [id] : [])));
        }
      }),
      { numRuns: 20 },
    );
  });
});

const userSaying = (id: number, words: string): Entry =>
  makeEntry(id, { kind: "host", role: "user", given: [], sent: { role: "user", content: [{ ...text(words) }] } as ObjectValue });
const replyThinking = (id: number, words: string, model = "maker"): Entry =>
  makeEntry(id, {
    ...{
      kind: "host",
      role: "assistant",
      given: [],
      sent: { role: "assistant", content: [{ ...thinking(words) }, { ...text(words) }] } as ObjectValue,
    },
    reasoning: { origin: targetOf(model).origin, vouched: true, lent: false },
  });

describe("a form is made once", () => {
  test("of a reply without its reasoning, and of a system message that the user says", () => {
    const system = makeEntry(3, {
      kind: "host",
      role: "system",
      given: [],
      sent: { role: "system", content: [{ ...text("red") }] } as ObjectValue,
    });
    const entries = [userSaying(1, "a"), replyThinking(2, "b", "binds nothing"), system];
    const window = (): readonly ObjectValue[] => formsFor(wireOfModels, entries, targetOf("maker")).map(({ message }) => message);
    const [first, second] = [window(), window()];
    expect(first).toEqual([
      { role: "user", content: [text("a")] },
      { role: "assistant", content: [text("b")] },
      { role: "user", content: [text("<system>\nred\n</system>")] },
    ]);
    for (const [index, message] of first.entries()) expect(message).toBe(second[index]);
  });

  test("of a whole window that goes out as it stands: it is the list that is known of it", () => {
    const entries = [userSaying(1, "a"), replyThinking(2, "b")];
    expect(messagesFor(wireOfModels, entries, targetOf("maker"))).toBe(factsOf(entries).messages);
    expect(messagesFor(wireOfModels, [...entries, userSaying(3, "c")], targetOf("reads it, has its forms"))).toHaveLength(3);
  });

  test("of messages that a wire joins", () => {
    const wire = bedrock() as unknown as Wire;
    const said = (role: string, words: string): ObjectValue => ({ role, content: [{ text: words }] });
    const apart = [said("user", "a"), said("assistant", "b"), said("user", "c")];
    expect(nativeForms(wire, apart)).toBe(apart);
    const neighbours = [said("user", "a"), said("user", "b"), said("user", "c"), said("assistant", "d"), said("user", "e")];
    const joined = nativeForms(wire, neighbours);
    expect(joined).toEqual([{ role: "user", content: [{ text: "a" }, { text: "b" }, { text: "c" }] }, ...neighbours.slice(3)]);
    expect(nativeForms(wire, neighbours)).toBe(joined);
    const entries = neighbours.map((sent, id) => makeEntry(id, { kind: "host", role: sent["role"] as "user", given: [], sent }));
    const window = windowFor(wire, entries, { origin: { wire: "bedrock", model: "m", endpoint: undefined }, profile: wire.profile("m") });
    expect(window.map(({ message }) => message)).toEqual(joined);
    expect(window.map(({ entry, parts }) => [entry.id, parts?.map((part) => part.entry.id)])).toEqual([
      [2, [0, 1, 2]],
      [3, undefined],
      [4, undefined],
    ]);
  });
});

describe("what sleeps", () => {
  const slept = { units: [], nativeRole: "assistant" } as const;
  const asleep = (sent: DormantSent): Entry =>
    makeEntry(1, { kind: "host", role: "assistant", given: [], sent: null, dormant: { ...slept, sent } });
  const composed = { kind: "composed", bare: false, orders: undefined, digest: "d", stripped: false } as const;
  const message = { role: "assistant", content: [{ ...thinking("a") }, { ...text("b") }] } as ObjectValue;

  test("stands in a window as a message of its role, which is like no other; what is not sent stands nowhere", () => {
    const entries = [asleep(composed), asleep({ kind: "none" }), userSaying(2, "c")];
    expect(messagesFor(wireOfModels, entries, targetOf("maker"))).toEqual([{ role: "assistant" }, { role: "user", content: [text("c")] }]);
  });

  test("loses its reasoning as what is awake does: what is kept at once, what is composed when it wakes", () => {
    const lost = (entry: Entry): Entry => withoutReasoning(wireOfModels, entry, 9);
    expect(lost(asleep({ kind: "none" })).dormant?.sent).toEqual({ kind: "none" });
    expect(lost(asleep(composed)).dormant?.sent).toEqual({ ...composed, stripped: true });
    expect(lost(asleep({ kind: "kept", message })).dormant?.sent).toEqual({
      kind: "kept",
      message: { role: "assistant", content: [text("b")] },
    });
    expect(lost(asleep(composed))).toMatchObject({ id: 9, sent: null, lostReasoning: true, reasoning: undefined });
    const awake = { role: "assistant", content: [text("b")] };
    expect(lost(replyThinking(1, "b"))).toMatchObject({ id: 9, sent: awake, lostReasoning: true, dormant: undefined });
  });

  test("that was nothing but reasoning keeps a placeholder, or nothing where the wire allows that (rule 27)", () => {
    const only = { role: "assistant", content: [{ ...thinking("a") }] } as ObjectValue;
    const kept = withoutReasoning(wireOfModels, asleep({ kind: "kept", message: only }), 9).dormant?.sent;
    expect(kept).toEqual({ kind: "kept", message: { role: "assistant", content: [text("(this reply was reasoning only)")] } });
    const vanishing: Wire = { ...wireOfModels, abilities: { ...wireOfModels.abilities, repliesMayVanish: true } };
    expect(withoutReasoning(vanishing, asleep({ kind: "kept", message: only }), 9).dormant?.sent).toEqual({ kind: "none" });
    expect(bareMessage(wireOfModels, { ...only, by: "a" })).toEqual(bareMessage(wireOfModels, only));
  });
});

test("what a reply reports as dropped did not stand before the next one", () => {
  const first = replyThinking(1, "a");
  const second = makeEntry(2, { ...replyThinking(2, "b"), reasonedAfter: 1 });
  const dropped = withoutReasoning(wireOfModels, second, 3);
  expect(lastSentReasoning(wireOfModels, [first, second], [first, second], targetOf("maker"))).toBe(2);
  expect(lastSentReasoning(wireOfModels, [first, second], [first, dropped], targetOf("maker"))).toBe(1);
  expect(lastSentReasoning(wireOfModels, [first], [withoutReasoning(wireOfModels, first, 4)], targetOf("maker"))).toBeUndefined();
});
