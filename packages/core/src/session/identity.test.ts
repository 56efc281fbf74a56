import { describe, expect, test } from "vitest";
import { everyWire } from "../../test/every-wire.ts";
import { anthropic } from "../adapters/anthropic/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import type { Wire } from "../wire/wire.ts";
import { createSession, restoreSession, type Session } from "./create-session.ts";
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

  test("goes out under the names of a gateway in between, where the host has them", async () => {
    const names = { headers: ["x-session-affinity", "x-session-id"] };
    const key = identityKey(identity, "openai-responses");
    const { request, headers } = await prepared("openai", { names });
    expect(headers).toEqual({ "x-session-affinity": key, "x-session-id": key });
    expect(request).not.toHaveProperty("prompt_cache_key");
    expect((await prepared("openai", { names: { field: "session_id" } })).request).toMatchObject({ session_id: key });
  });

  test("is nothing that Anthropic, Bedrock, Gemini and Ollama have a name for", async () => {
    for (const { wire, request } of everyWire.filter(({ wire: { name } }) => !name.startsWith("openai"))) {
      const said = wire.read(wire.say("user", "Hi.")).units;
      const messages = [wire.compose(wire.read(wire.say("user", "Hi.")).nativeRole, said)];
      const [plain, named] = [createSession({ wire }), createSession({ wire, identity })];
      const [without, turn] = [await plain.prepare(request(messages, [])), await named.prepare(request(messages, []))];
      expect(JSON.stringify([turn.request, turn.headers]), wire.name).toBe(JSON.stringify([without.request, without.headers]));
    }
  });

  test("binds reasoning to its credential: under another one, or none, what is bound stays away, and that is reported once", async () => {
    const thought = { type: "thinking", thinking: "hidden", signature: "c2lnbmVk" };
    const wire = anthropic() as Wire;
    const messages: object[] = [{ role: "user", content: "Hi." }];
    const ask = (session: Session) => session.prepare({ model: "claude-opus-4-6", max_tokens: 100, messages: structuredClone(messages) });
    const session = createSession({ wire, identity });
    const content = [thought, { type: "text", text: "Hello." }];
    (await ask(session)).settle({ role: "assistant", stop_reason: "end_turn", content });
    messages.push({ role: "assistant", content }, { role: "user", content: "And?" });
    const snapshot = session.snapshot();
    const under = async (namespace: string | undefined) => {
      const other = restoreSession(snapshot, { wire, identity: { ...identity, namespace } });
      const warnings: string[] = [];
      other.on("warning", ({ code }) => warnings.push(code));
      const turn = await ask(other);
      await ask(other);
      return [JSON.stringify(turn.request).includes("hidden"), turn.continuity.checkpoints.map(({ reason }) => reason), warnings];
    };
    expect(await under(identity.namespace)).toEqual([true, [], []]);
    expect(await under("another-credential-0")).toEqual([false, ["model"], []]);
    expect(await under(undefined)).toEqual([false, ["model"], ["no-account"]]);
    const none = createSession({ wire: openaiResponses(), identity: { ...identity, namespace: undefined } });
    expect((await none.prepare({ model: "gpt-5.5", input })).request).not.toHaveProperty("prompt_cache_key");
  });
});
