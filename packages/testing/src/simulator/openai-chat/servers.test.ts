import { openaiChat } from "@tidemark/core/openai-chat";
import { describe, expect, it } from "vitest";
import { type OpenAIChatSimulatorOptions, openaiChatSimulator } from "./server.ts";

type Dialect = NonNullable<OpenAIChatSimulatorOptions["dialect"]>;

const dialects: readonly Dialect[] = [
  "openai",
  "deepseek",
  "openrouter",
  "mistral",
  "cerebras",
  "groq",
  "kimi",
  "qwen",
  "xai",
  "vllm",
  "sglang",
  "llama-cpp",
];
const hello = { role: "user", content: "word ".repeat(2_000) };

describe("a prompt that is too long", () => {
  it.each(dialects)("is refused in the words of %s, which its wire knows with the figures", async (dialect) => {
    const simulator = openaiChatSimulator({ dialect, profiles: { small: { context: 2_048 } } });
    const { status, reply, cache } = await simulator.handle({ model: "small", messages: [hello] });
    expect([status, cache]).toEqual([400, undefined]);
    const says = openaiChat({ dialect }).readOverflow(reply);
    expect(says?.limit).toBe(2_048);
    if (dialect !== "qwen") expect(says?.tokens).toBeGreaterThan(2_048);
  });
});

describe("a server's own form", () => {
  const refused = async (dialect: Dialect) => (await openaiChatSimulator({ dialect }).handle({ model: "m", messages: [] })).reply;
  const answered = async (dialect: Dialect, model = "m") => {
    const simulator = openaiChatSimulator({ dialect, script: () => ({ thinking: "Hm.", text: "Yes." }) });
    const body = { model, messages: [{ role: "user", content: [{ type: "text", text: "Hello.", cache_control: { type: "ephemeral" } }] }] };
    return (await simulator.handle(body)).reply as unknown as { choices: [{ message: Record<string, unknown> }]; timings?: object };
  };

  it("of an error is wrapped, bare, or its upstream's as text", async () => {
    expect(await refused("openai")).toMatchObject({ error: { type: "invalid_request_error", code: "empty_array" } });
    expect(await refused("cerebras")).toMatchObject({ type: "invalid_request_error", param: "validation_error" });
    expect(await refused("mistral")).toMatchObject({ object: "error", type: "invalid_request_message_order", code: "3230" });
    expect(await refused("vllm")).toMatchObject({ error: { type: "BadRequestError", code: 400 } });
    const routed = (await refused("openrouter")) as unknown as { error: { message: string; metadata: { raw: string } } };
    expect(routed.error.message).toBe("Provider returned error");
    expect(JSON.parse(routed.error.metadata.raw)).toMatchObject({ error: { code: "empty_array" } });
  });

  it("of a router's reasoning is plain words and details, signed by Claude", async () => {
    const [{ message }] = (await answered("openrouter", "anthropic/claude-opus-5.5")).choices;
    expect(message).toMatchObject({
      reasoning: "Hm.",
      reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: expect.any(String), format: "anthropic-claude-v1", index: 0 }],
    });
    expect((await answered("openrouter", "openai/gpt-5.4")).choices[0].message.reasoning_details).toEqual([
      { type: "reasoning.text", text: "Hm.", format: "unknown", index: 0 },
    ]);
  });

  it("of llama.cpp's cache is an account of its own beside the usage", async () => {
    expect((await answered("llama-cpp")).timings).toEqual({ cache_n: 0, prompt_n: expect.any(Number), predicted_n: expect.any(Number) });
    expect((await answered("sglang")).timings).toBeUndefined();
  });
});

describe("a server of one's own", () => {
  const words = (word: string) => ({ role: "user", content: `${word} `.repeat(300) });

  it.each(["llama-cpp", "sglang"] as const)("%s reads the common prefix to the token, also of an earlier conversation", async (dialect) => {
    const simulator = openaiChatSimulator({ dialect });
    const account = async (...messages: object[]) => (await simulator.handle({ model: "m", messages })).cache;
    const first = await account(words("one"));
    await account(words("other"));
    const next = await account(words("one"), { role: "assistant", content: "Done." }, words("two"));
    expect(next?.read).toBeGreaterThanOrEqual((first?.prompt ?? 0) - 1);
    expect((await account(words("one")))?.read).toBe((first?.prompt ?? 0) - 1);
  });
});
