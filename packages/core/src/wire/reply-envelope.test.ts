import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Message, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { makeEnvelope, openEnvelope } from "./reply-envelope.ts";
import type { Wire } from "./wire.ts";

// A model that binds no reasoning to its prefix: there a reply keeps it whoever made it, so that only the envelope decides.
const speaker = { ...anthropicSpeaker, model: "claude-sonnet-4-6" };
const wire = speaker.wire as unknown as Wire;
const origin = { wire: "anthropic", model: speaker.model, endpoint: undefined };
const reply = { role: "assistant", content: [thinking("first"), text("1"), call("c1")] };
const visible = { role: "assistant", content: [text("1"), call("c1")] };

/** A session behind a store that keeps visible blocks only, and the envelope of its first reply. */
async function stored(): Promise<{ readonly talk: Talk; readonly envelope: unknown }> {
  const talk = new Talk({}, speaker);
  await talk.ask("one");
  const settled = talk.answer(reply.content);
  await talk.results(["c1", "a"]);
  talk.answer({ text: "2" });
  talk.history[1] = visible;
  return { talk, envelope: JSON.parse(JSON.stringify(settled?.envelope)) };
}

/** What a session that never saw the reply sends of it, given this envelope. */
async function strangerSends(envelopes: readonly unknown[], history?: readonly Message[]): Promise<unknown> {
  const { talk } = await stored();
  const stranger = new Talk({}, speaker);
  stranger.history = [...(history ?? talk.history.slice(0, 3))];
  return sent(await stranger.send({}, { envelopes }))[1]?.content;
}

describe("the envelope of a reply (rule 56)", () => {
  test("is versioned JSON with the native reply, its origin and a fingerprint for each visible block", () => {
    const envelope = makeEnvelope(wire, [reply] as never, origin);
    expect(JSON.parse(JSON.stringify(envelope))).toEqual(envelope);
    expect(envelope).toMatchObject({
      tidemark: "reply",
      version: 1,
      origin: { wire: "anthropic", model: "claude-sonnet-4-6" },
      native: [reply],
    });
    expect(envelope.visible).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test("comes from settle where a reply has native state to keep, and a partial or failed one has none", async () => {
    const talk = new Talk({}, speaker);
    await talk.ask("one");
    expect(talk.answer({ text: "1" })?.envelope).toBeUndefined();
    await talk.ask("two");
    expect(talk.answer(reply.content, { stop_reason: null })?.envelope).toBeUndefined();
    talk.history.pop();
    expect(talk.answer(reply.content)?.envelope).toBeDefined();
  });

  test("brings the reasoning back that the store did not keep, where it may be sent", async () => {
    const { talk, envelope } = await stored();
    const before = bytes(talk.turn);
    talk.restore();
    const turn = await talk.ask("next", {});
    expect(bytes(turn).slice(0, 3)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
    expect(openEnvelope(wire, envelope, origin)?.units).toHaveLength(3);
  });

  test("given with a prepare, is what the reply goes out as; without one it is visible history", async () => {
    const { envelope } = await stored();
    expect(await strangerSends([envelope])).toEqual(reply.content);
    expect(await strangerSends([])).toEqual(visible.content);
  });

  test.each<readonly [string, (envelope: Record<string, unknown>) => unknown]>([
    ["of an unknown version", (envelope) => ({ ...envelope, version: 2 })],
    ["of another wire", (envelope) => ({ ...envelope, origin: { wire: "openai-chat", model: "claude-sonnet-4-6" } })],
    ["of another model", (envelope) => ({ ...envelope, origin: { wire: "anthropic", model: "claude-opus-5-5" } })],
    [
      "of another endpoint",
      (envelope) => ({ ...envelope, origin: { wire: "anthropic", model: "claude-sonnet-4-6", endpoint: "https://x" } }),
    ],
    [
      "whose native blocks do not fit its fingerprints",
      (envelope) => ({ ...envelope, native: [{ role: "assistant", content: [text("2")] }] }),
    ],
    ["that is damaged", (envelope) => ({ ...envelope, native: "lost" })],
    ["whose native message cannot be read", (envelope) => ({ ...envelope, native: [{ role: "narrator", content: "x" }] })],
    ["that is none", () => "envelope"],
    ["that is nothing", () => null],
  ])("%s makes the whole reply go out as visible history", async (_which, change) => {
    const { envelope } = await stored();
    expect(await strangerSends([change(envelope as Record<string, unknown>)])).toEqual(visible.content);
  });

  test.each<readonly [string, Message]>([
    ["changed", { role: "assistant", content: [text("one"), call("c1")] }],
    ["removed", { role: "assistant", content: [call("c1")] }],
    ["added", { role: "assistant", content: [text("1"), text("more"), call("c1")] }],
  ])("does not fit a reply with a block %s", async (_how, message) => {
    const { talk, envelope } = await stored();
    expect(await strangerSends([envelope], [talk.history[0] as Message, message, talk.history[2] as Message])).toEqual(message.content);
  });

  test("fits whatever the store did to the order of keys and the cut into messages does not matter for a live session", async () => {
    const { talk } = await stored();
    const before = bytes(talk.turn);
    talk.history[1] = { content: [{ text: "1", type: "text" }, call("c1")], role: "assistant" };
    const turn = await talk.ask("next");
    expect(bytes(turn).slice(0, 3)).toEqual(before);
    expect(allOf(turn)).toContain("first");
  });

  test("of a wire with plain reasoning brings that back", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("one");
    const settled = talk.answer({ thinking: "because", text: "1" });
    const stranger = new Talk({}, chatSpeaker);
    stranger.history = [chatSpeaker.user("one"), { role: "assistant", content: "1" }, chatSpeaker.user("two")];
    expect(sent(await stranger.send({}, { envelopes: [settled?.envelope] }))[1]).toMatchObject({ reasoning_content: "because" });
  });
});
