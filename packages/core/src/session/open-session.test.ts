import { describe, expect, test } from "vitest";
import { anthropicSpeaker, type Body, type Message, text, thinking } from "../../test/speakers.ts";
import type { Session } from "./create-session.ts";
import { openSession } from "./open-session.ts";
import { inMemorySessionStore, SessionConflictError, type SessionStore } from "./store.ts";

const key = { namespace: "tenant", session: "one" };
const { wire, model } = anthropicSpeaker;

function open(store: SessionStore): Promise<Session<Body>> {
  return openSession<Body>({ wire, store, key, strict: true, selfCheck: true });
}

function request(messages: readonly Message[]): Body {
  return { model, max_tokens: 1_000, messages };
}

const asked = [anthropicSpeaker.user("one")];
const replied: Message = { role: "assistant", content: [thinking("hidden words"), text("1")] };
const reply = anthropicSpeaker.replied(replied);
const goneOn = [...asked, replied, anthropicSpeaker.user("two")];

describe("a session that a store keeps (rule 49)", () => {
  test("is saved before prepare resolves, so that another process goes on from there", async () => {
    const store = inMemorySessionStore();
    const turn = await (await open(store)).prepare(request(asked));
    const other = await open(store);
    other.settle(reply);
    await other.saved();
    const next = await (await open(store)).prepare(request(goneOn));
    expect(next.continuity.checkpoints).toEqual([]);
    expect(next.continuity.kept).toBe(turn.continuity.appended);
    expect(JSON.stringify(next.request)).toContain("hidden words");
  });

  test("vouches for the reply right behind the last stored window, although its process ended before it settled", async () => {
    const store = inMemorySessionStore();
    await (await open(store)).prepare(request(asked));
    const next = await (await open(store)).prepare(request(goneOn));
    expect(next.repairs.reasoningWithheld).toBe(0);
    expect(JSON.stringify(next.request)).toContain("hidden words");
  });

  test("does so in a session that settles, too", async () => {
    const store = inMemorySessionStore();
    const first = await open(store);
    (await first.prepare(request(asked))).settle(reply);
    await first.prepare(request(goneOn));
    const later: Message = { role: "assistant", content: [thinking("later words"), text("2")] };
    const next = await (await open(store)).prepare(request([...goneOn, later, anthropicSpeaker.user("three")]));
    expect(JSON.stringify(next.request)).toContain("hidden words");
    expect(JSON.stringify(next.request)).toContain("later words");
  });

  test("lets one of two processes through that prepare at once; the other has sent nothing, opens again and goes on", async () => {
    const store = inMemorySessionStore();
    const sessions = await Promise.all([open(store), open(store)]);
    const results = await Promise.allSettled(sessions.map((session) => session.prepare(request(asked))));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = results.find((result) => result.status === "rejected");
    expect(lost?.reason).toBeInstanceOf(SessionConflictError);
    expect(lost?.reason).toMatchObject({ code: "session-conflict" });
    const again = await (await open(store)).prepare(request(asked));
    expect(again.continuity.checkpoints).toEqual([]);
  });

  test("keeps what a prepare that failed to be saved would have changed as it was", async () => {
    const store = inMemorySessionStore();
    const down = new Error("the disk is full");
    const failing: SessionStore = { ...store, save: async (...all) => (full ? Promise.reject(down) : store.save(...all)) };
    let full = false;
    const session = await open(failing);
    (await session.prepare(request(asked))).settle(reply);
    await session.saved();
    const before = JSON.stringify(session.snapshot());
    full = true;
    await expect(session.prepare(request(goneOn))).rejects.toBe(down);
    expect(JSON.stringify(session.snapshot())).toBe(before);
    full = false;
    expect((await session.prepare(request(goneOn))).continuity.checkpoints).toEqual([]);
  });

  test("says through saved what kept a settlement from the store, until a later save has it", async () => {
    const store = inMemorySessionStore();
    let full = false;
    const down = new Error("the disk is full");
    const session = await open({ ...store, save: async (...all) => (full ? Promise.reject(down) : store.save(...all)) });
    const turn = await session.prepare(request(asked));
    full = true;
    turn.settle(reply);
    await expect(session.saved()).rejects.toBe(down);
    full = false;
    await session.prepare(request(goneOn));
    await session.saved();
    expect((await store.load(key))?.snapshot).toEqual(session.snapshot());
  });

  test("keeps a settlement that came while the store was writing", async () => {
    const store = inMemorySessionStore();
    const session = await open(store);
    const first = await session.prepare(request(asked));
    const second = session.prepare(request(asked));
    first.settle(reply);
    await second;
    await session.saved();
    const next = await (await open(store)).prepare(request(goneOn));
    expect(JSON.stringify(next.request)).toContain("hidden words");
  });

  test("of another process that has opened it stays untouched by a fork", async () => {
    const store = inMemorySessionStore();
    const session = await open(store);
    await session.prepare(request(asked));
    const before = await store.load(key);
    await session.fork().prepare(request([...asked, replied, anthropicSpeaker.user("aside")]));
    expect(await store.load(key)).toEqual(before);
  });

  test("refuses a key without a name by its path", async () => {
    const store = inMemorySessionStore();
    await expect(openSession({ wire, store, key: { namespace: "", session: "one" } })).rejects.toMatchObject({
      code: "invalid-option",
      path: "$.key.namespace",
    });
  });
});
