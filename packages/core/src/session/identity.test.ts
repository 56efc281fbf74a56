import { describe, expect, test } from "vitest";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession, restoreSession } from "./create-session.ts";
import { identityKey, type SessionIdentity } from "./identity.ts";

const identity: SessionIdentity = { namespace: "3f8c2a9d51e7b604", session: "lamps" };
const input = [{ role: "user", content: "Hi." }];

async function prepared(route: "openai" | "chatgpt-plan" | "openrouter" | "xai", own: Partial<SessionIdentity> = {}, more: object = {}) {
  const session = createSession({ wire: openaiResponses({ route }), identity: { ...identity, ...own } });
  const { request, headers } = await session.prepare({ model: "gpt-5.5", input, ...more });
  return { request: request as Record<string, unknown>, headers };
}

describe("who a session is (rule 50)", () => {
  test("is a digest that holds over a restart and is another one for whatever differs", async () => {
    const key = identityKey(identity, "openai-responses");
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const others = [{ namespace: "0000000000000000" }, { session: "oars" }, { client: "cli" }, { purpose: "title" }];
    const keys = others.map((other) => identityKey({ ...identity, ...other }, "openai-responses"));
    expect(new Set([key, ...keys, identityKey(identity, "openai-chat"), identityKey(identity, "openai-responses", "https://a")]).size).toBe(
      7,
    );
    const options = { wire: openaiResponses(), identity };
    const session = createSession(options);
    const first = await session.prepare({ model: "gpt-5.5", input });
    const again = await restoreSession(session.snapshot(), options).prepare({ model: "gpt-5.5", input });
    expect(again.request).toEqual(first.request);
    expect((await session.fork().prepare({ model: "gpt-5.5", input })).request).toEqual(first.request);
  });

  test("goes out under each route's own names", async () => {
    const key = identityKey(identity, "openai-responses");
    expect(await prepared("openai")).toMatchObject({ request: { prompt_cache_key: key }, headers: {} });
    expect((await prepared("openrouter")).request).toMatchObject({ session_id: key });
    const plan = await prepared("chatgpt-plan");
    expect(plan.headers).toEqual({ "session-id": key, "thread-id": key, "x-client-request-id": key });
    const chat = createSession({ wire: openaiChat({ dialect: "xai" }), identity });
    const turn = await chat.prepare({ model: "grok-4.7", messages: input });
    expect(turn.headers).toEqual({ "x-grok-conv-id": identityKey(identity, "openai-chat") });
    expect(Object.keys(turn.request).toSorted()).toEqual(["messages", "model"]);
  });

  test("goes in headers only, or nowhere, where the host says so; its own value stands", async () => {
    expect((await prepared("openrouter", { send: "header" })).request).not.toHaveProperty("session_id");
    expect((await prepared("openrouter", { send: "header" })).headers).toHaveProperty("x-session-id");
    expect(await prepared("chatgpt-plan", { send: "off" })).toMatchObject({ headers: {} });
    expect((await prepared("openai", {}, { prompt_cache_key: "mine" })).request.prompt_cache_key).toBe("mine");
  });

  test("is no part of what a request is compared by", async () => {
    const session = createSession({ wire: openaiResponses(), identity, strict: true, selfCheck: true });
    const first = await session.prepare({ model: "gpt-4.1", input });
    first.settle({
      status: "completed",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes." }] }],
    });
    const next = [...input, { role: "assistant", content: "Yes." }, { role: "user", content: "Good." }];
    expect((await session.prepare({ model: "gpt-4.1", input: next })).continuity.checkpoints).toEqual([]);
  });

  test("needs a namespace that nobody can guess", () => {
    expect(() => createSession({ wire: openaiResponses(), identity: { namespace: "me", session: "s" } })).toThrow(
      expect.objectContaining({ code: "invalid-option", path: "$.identity.namespace" }),
    );
  });
});
