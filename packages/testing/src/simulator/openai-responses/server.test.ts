import type { ObjectValue } from "@tidemark/core";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { hourMs, manualClock, minuteMs } from "../clock.ts";
import type { ScriptedReply } from "../script.ts";
import { type OpenAIResponsesSimulatorOptions, openaiResponsesSimulator } from "./server.ts";

const thought: ScriptedReply = { thinking: "Which file?", text: "I read it.", calls: [{ name: "read", input: { path: "a.ts" } }] };
const user = (text: string) => ({ role: "user", content: text });
const output = (item: ObjectValue | undefined) => ({ type: "function_call_output", call_id: item?.call_id ?? "", output: "empty" });
const long = "the tide goes out and comes back in again. ".repeat(160);

function serverOf(options: OpenAIResponsesSimulatorOptions = {}) {
  const sim = openaiResponsesSimulator({ script: () => thought, ...options });
  const send = async (input: readonly object[], more: object = {}) => {
    const { reply, refusal, cache, transformations, status } = await sim.handle({ model: "gpt-6.2-sol", store: false, input, ...more });
    return { items: (reply.output ?? []) as unknown as readonly ObjectValue[], reply, refusal, cache, transformations, status };
  };
  return { sim, send };
}

/** The first request, its reply, and what the host would send next. */
async function begun(options: OpenAIResponsesSimulatorOptions = {}, more: object = {}) {
  const { send } = serverOf(options);
  const first = [user(long)];
  const { items } = await send(first, more);
  return { send, items, input: [...first, ...items, output(items.at(-1))] };
}

describe("a reply", () => {
  it("has its reasoning encrypted, and items with ids of their type", async () => {
    const { items } = await begun();
    expect(items.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call"]);
    expect(items.map(({ id }) => String(id).replace(/_.*/, ""))).toEqual(["rs", "msg", "fc"]);
    expect(items[0]).toMatchObject({
      summary: [{ type: "summary_text", text: "Which file?" }],
      encrypted_content: expect.stringMatching(/^gAAAA/),
    });
    expect(items[1]).toMatchObject({ phase: "commentary" });
  });

  it("comes as the official SDK's response, streamed or not", async () => {
    const client = new OpenAI({ apiKey: "x", fetch: serverOf().sim.fetch, maxRetries: 0 });
    const request = { model: "gpt-6.2-sol", input: "Read a.ts." };
    const whole = await client.responses.create(request);
    expect(whole.output_text).toBe("I read it.");
    const streamed = await client.responses.stream(request).finalResponse();
    expect(streamed.output.map(({ type }) => type)).toEqual(whole.output.map(({ type }) => type));
    expect(streamed.output_text).toBe("I read it.");
  });

  it("of a model that does not reason has none", async () => {
    const { items } = await serverOf().send([user("Hi.")], { model: "gpt-4.1" });
    expect(items.map(({ type }) => type)).toEqual(["message", "function_call"]);
  });

  it("may be incomplete", async () => {
    const { reply } = await serverOf({ script: [{ text: "Half", stop: "max_output_tokens" }] }).send([user("Hi.")]);
    expect(reply).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });
});

describe("reasoning that comes back", () => {
  it("is taken over the prefix that it was made over", async () => {
    const { send, input } = await begun();
    expect(await send(input)).toMatchObject({ status: 200, transformations: [] });
  });

  it("is refused when its ciphertext was changed (OR-08)", async () => {
    const { send, input } = await begun();
    const edited = input.map((item) =>
      "encrypted_content" in item ? { ...item, encrypted_content: `${String(item.encrypted_content)}A` } : item,
    );
    expect(await send(edited)).toMatchObject({
      status: 400,
      refusal: { rule: "OR-08", path: "input[1]" },
      reply: { error: { code: "invalid_encrypted_content" } },
    });
  });

  it.each([
    ["prefix_mismatch", { edit: "Another question." }, {}],
    ["model_mismatch", {}, { model: "gpt-6.2-astra" }],
    ["end_user_mismatch", {}, { safety_identifier: "someone-else" }],
    ["prefix_mismatch", {}, { tools: [{ type: "function", name: "read", parameters: {} }] }],
  ])("is dropped and reported by GPT-6.2: %s (OR-21)", async (reason, { edit }: { edit?: string }, more) => {
    const { send, input } = await begun();
    const changed = edit === undefined ? input : [user(edit), ...input.slice(1)];
    const { status, reply, items } = await send(changed, more);
    expect(status).toBe(200);
    const id = (input[1] as ObjectValue).id;
    expect(reply.input_transformations).toEqual([{ type: "reasoning", id, action: "removed", reason }]);
    // What is made now stands behind the request as it was read, and is taken there again.
    const next = await send([...changed, ...items, output(items.at(-1))], more);
    expect(next.transformations).toHaveLength(1);
  });

  it("is taken by earlier models behind any prefix, and instructions behind the input are none", async () => {
    const earlier = await begun({}, { model: "gpt-5.6-sol" });
    expect((await earlier.send([user("Another question."), ...earlier.input.slice(1)], { model: "gpt-5.6-sol" })).transformations).toEqual(
      [],
    );
    const { send, input } = await begun({}, { instructions: "Be brief." });
    expect((await send(input, { instructions: "Be long." })).transformations).toEqual([]);
  });

  it("of another organisation is dropped by GPT-6.2 and refused before", async () => {
    const other = openaiResponsesSimulator({ organisation: "org-other" });
    for (const [model, status] of [
      ["gpt-6.2-sol", 200],
      ["gpt-5.5", 400],
    ] as const) {
      const { input } = await begun({}, { model });
      const answer = await other.handle({ model, store: false, input });
      expect(answer.status).toBe(status);
      if (status === 200) expect(answer.transformations).toMatchObject([{ reason: "organization_mismatch" }]);
    }
  });

  it("is missed by the items that it led to, as long as they bear ids (OR-07)", async () => {
    const { send, input } = await begun();
    const lost = input.filter((item) => !("encrypted_content" in item));
    expect((await send(lost)).refusal).toMatchObject({
      rule: "OR-07",
      message: expect.stringContaining("without its required 'reasoning' item"),
    });
    const bare = lost.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== "id")));
    expect((await send(bare)).status).toBe(200);
  });

  it("of earlier turns is not rendered where only the current turn's is (facts 2.4)", async () => {
    const { send, input } = await begun({}, { model: "gpt-5.4" });
    const asked = [...input, user("And now?")];
    const { transformations, cache } = await send(asked, { model: "gpt-5.4" });
    expect(transformations).toMatchObject([{ reason: "turn_boundary" }]);
    const all = await send(asked, { model: "gpt-5.4", reasoning: { context: "all_turns" } });
    expect(all.transformations).toEqual([]);
    expect(all.cache?.prompt).toBeGreaterThan(cache?.prompt ?? 0);
  });
});

describe("items by reference", () => {
  it("are found where they were stored, and nowhere else (OR-09 to OR-11)", async () => {
    const { send } = serverOf();
    const { items, reply } = await send([user("Hi.")], { store: true });
    const references = items.map(({ id }) => ({ type: "item_reference", id }));
    expect((await send([user("Hi."), ...references, output(items.at(-1))])).status).toBe(200);
    expect((await send([{ type: "item_reference", id: "rs_nowhere" }, user("Hi.")])).refusal).toMatchObject({ rule: "OR-09" });
    const held = { previous_response_id: reply.id };
    expect((await send([output(items.at(-1))], held)).status).toBe(200);
    expect((await send([...items, output(items.at(-1))], held)).refusal).toMatchObject({ rule: "OR-11" });
    expect((await send([user("Hi.")], { previous_response_id: "resp_0" })).refusal).toMatchObject({ rule: "OR-10" });
  });
});

describe("the cache", () => {
  it("of GPT-5.6 and later is read at the last end that was written, and costs a write", async () => {
    const { send, input } = await begun();
    const next = await send(input);
    const first = next.cache?.read ?? 0;
    expect(first).toBeGreaterThan(1_024);
    expect(next.cache?.written).toBe((next.cache?.prompt ?? 0) - first);
    expect(next.reply.usage).toMatchObject({ input_tokens_details: { cached_tokens: first, cache_write_tokens: next.cache?.written } });
  });

  it("of GPT-5.6 and later has no shorter prefix to fall back to", async () => {
    const { send } = await begun();
    expect((await send([user(`${long}And more.`)])).cache?.read).toBe(0);
  });

  it("reads explicit breakpoints, writes at most four places, and none in explicit mode without any", async () => {
    const { send } = serverOf();
    const part = (text: string) => ({ type: "input_text", text: text + long, prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } });
    const marked = { role: "user", content: ["a", "b", "c", "d", "e"].map(part) };
    const { cache } = await send([marked]);
    expect(cache?.breakpoints.filter(({ writable }) => writable)).toHaveLength(4);
    expect(Object.keys(cache?.writtenByLifetime ?? {}).length).toBeGreaterThan(0);
    expect((await send([user(long)], { prompt_cache_options: { mode: "explicit" } })).cache).toMatchObject({ read: 0, written: 0 });
  });

  it("lives as long as was asked for", async () => {
    const clock = manualClock();
    const { send } = serverOf({ clock });
    const asked = { prompt_cache_options: { ttl: "12h" } };
    await send([user(long)], asked);
    clock.advance(11 * hourMs);
    expect((await send([user(long)], asked)).cache?.read).toBeGreaterThan(0);
    clock.advance(13 * hourMs);
    expect((await send([user(long)], asked)).cache?.read).toBe(0);
  });

  it("of earlier models is read in steps of 128, of 2,048 on GPT-5.5", async () => {
    const { send, input } = await begun({}, { model: "gpt-5.4" });
    const read = (await send(input, { model: "gpt-5.4" })).cache?.read ?? 0;
    expect(read).toBeGreaterThan(1_024);
    expect(read % 128).toBe(0);
    const later = await begun({}, { model: "gpt-5.5" });
    expect(((await later.send(later.input, { model: "gpt-5.5" })).cache?.read ?? 0) % 2_048).toBe(0);
  });

  it.each([
    ["tools", { tools: [{ type: "function", name: "read" }] }],
    ["reasoning_effort", { reasoning: { effort: "low" } }],
    ["verbosity", { text: { verbosity: "low" } }],
    ["prompt_cache_key", { prompt_cache_key: "other" }],
    ["service_tier", { service_tier: "priority" }],
  ])("misses where %s changed, and says so when asked", async (name, change) => {
    const { send } = serverOf({ script: () => ({ text: "Yes." }) });
    const { reply } = await send([user(long)]);
    const options = { prompt_cache_options: { comparison_response_id: reply.id } };
    const next = await send([user(long)], { ...change, ...options });
    expect(next.cache?.read).toBe(0);
    expect(next.reply.prompt_cache_diagnostics).toEqual({ type: "cache_miss", reason: `${name}_changed` });
  });

  it("is not missed where what changed is no part of the prefix", async () => {
    const { send } = serverOf({ script: () => ({ text: "Yes." }) });
    await send([user(long)]);
    const { cache } = await send([user(long)], {
      metadata: { a: "b" },
      max_output_tokens: 9,
      instructions: "Be brief.",
      tool_choice: "auto",
      store: true,
    });
    expect(cache?.read).toBeGreaterThan(1_024);
  });

  it("of a ChatGPT plan is one session's, by its header", async () => {
    const sim = openaiResponsesSimulator({ route: "chatgpt-plan", script: () => ({ text: "Yes." }) });
    const body = { model: "gpt-6.2-sol", store: false, stream: true, input: [user(long)] };
    await sim.handle(body);
    expect((await sim.handle(body)).cache?.read).toBe(0);
    const headers = { "session-id": "s1" };
    await sim.handle(body, { headers });
    sim.clock.now();
    expect((await sim.handle(body, { headers })).cache?.read).toBeGreaterThan(0);
    expect((await sim.handle({ ...body, store: true })).refusal).toMatchObject({ rule: "OR-22" });
  });
});

describe("what is no request", () => {
  it("is answered in the provider's form", async () => {
    const { sim, send } = serverOf({ profiles: { "gpt-6.2-sol": { context: 1_200 } } });
    expect((await send([user(long)])).refusal).toMatchObject({ rule: "OR-18" });
    expect((await send([user(long)])).reply).toMatchObject({
      error: { code: "context_length_exceeded", type: "invalid_request_error", param: "input" },
    });
    expect((await sim.handle({ model: "gpt-4.1" })).refusal).toMatchObject({ rule: "OR-02", path: "input" });
    expect((await sim.handle({ model: "gpt-4.1", input: "Hi." }, { path: "/v1/chat/completions" })).status).toBe(404);
    expect((await serverOf({ script: [{ error: { status: 429 } }] }).send([user("Hi.")])).status).toBe(429);
  });

  it("gets cold after half an hour", async () => {
    const clock = manualClock();
    const { send } = serverOf({ clock, script: () => ({ text: "Yes." }) });
    await send([user(long)]);
    clock.advance(31 * minuteMs);
    expect((await send([user(long)])).cache?.read).toBe(0);
  });
});
