import { describe, expect, it } from "vitest";
import { hourMs, manualClock } from "../clock.ts";
import { openaiChatSimulator } from "./server.ts";

const user = (content: string) => ({ role: "user", content });
const reply = (content: string) => ({ role: "assistant", content });
const long = (word: string) => `${word} `.repeat(400);

function setup() {
  const clock = manualClock();
  const simulator = openaiChatSimulator({ dialect: "deepseek", clock, script: () => ({ text: "Said." }) });
  const read = async (...messages: object[]) => {
    const { cache, reply: answer } = await simulator.handle({ model: "deepseek-v4-pro", messages });
    const { usage } = answer as unknown as { usage: Record<string, number> };
    expect((usage.prompt_cache_hit_tokens ?? 0) + (usage.prompt_cache_miss_tokens ?? 0)).toBe(usage.prompt_tokens);
    expect(usage.prompt_cache_hit_tokens).toBe(cache?.read);
    return { read: cache?.read ?? 0, prompt: cache?.prompt ?? 0 };
  };
  return { clock, read };
}

describe("DeepSeek's prefix units (facts 6.1)", () => {
  it("end where a request's input and output ended", async () => {
    const { read } = setup();
    const first = await read(user(long("one")));
    expect(first.read).toBe(0);
    expect((await read(user(long("one")))).read).toBe(first.prompt);
    const next = await read(user(long("one")), reply("Said."), user(long("two")));
    expect(next.read).toBeGreaterThan(first.prompt);
  });

  it("are read whole or not at all, and where two requests part there is one for the third", async () => {
    const { read } = setup();
    const head = [user(long("head")), reply("Yes."), user(long("more"))];
    await read(...head, reply("So."), user(long("left")));
    expect((await read(...head, reply("No."), user(long("right")))).read).toBe(0);
    expect((await read(...head, reply("Hm."), user(long("third")))).read).toBeGreaterThan(800);
  });

  it("stay for hours", async () => {
    const { read, clock } = setup();
    await read(user(long("one")));
    clock.advance(hourMs);
    expect((await read(user(long("one")))).read).toBeGreaterThan(0);
    clock.advance(3 * hourMs);
    expect((await read(user(long("one")))).read).toBe(0);
  });
});
