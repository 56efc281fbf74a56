import { describe, expect, it } from "vitest";
import { createSession } from "../../session/create-session.ts";
import { ollama } from "./wire.ts";

const limitOf = async (options: object, more: object = {}) => {
  const turn = await createSession({ wire: ollama(), ...more }).prepare({
    model: "qwen3:8b",
    messages: [{ role: "user", content: "Hello." }],
    ...options,
  });
  return turn.budget.limits?.context;
};

describe("the window of a request (rule 30)", () => {
  it("is what it asks for, and the server's default where it asks for none", async () => {
    expect(await limitOf({ options: { num_ctx: 16_384 } })).toBe(16_384);
    expect(await limitOf({})).toBe(4_096);
  });

  it("is the host's own figure where it gives one", async () => {
    expect(await limitOf({ options: { num_ctx: 16_384 } }, { budget: { context: 8_000 } })).toBe(8_000);
  });
});
