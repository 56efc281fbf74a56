import { describe, expect, it } from "vitest";
import { anthropicSimulator } from "./server.ts";

type Message = { role: string; content: unknown };

const headers = { "anthropic-beta": "context-management-2025-06-27,compact-2026-01-12" };
const context_management = { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } }] };
const long: Message = { role: "user", content: "copper linen quarry harbour ".repeat(9_000) };

describe("compaction by threshold", () => {
  const simulator = (summary: string | null = "They mended a clock.") =>
    anthropicSimulator({ mode: "error", script: () => ({ thinking: "so", text: "yes", summary }) });
  const send = (sim: ReturnType<typeof simulator>, messages: readonly Message[]) =>
    sim.handle({ model: "claude-opus-5-5", max_tokens: 500, messages, context_management } as object, { headers });

  it("begins the reply with an unsigned block and reports two passes; what precedes it is read no more, and thinking behind it stays valid", async () => {
    const sim = simulator();
    const reply = await send(sim, [long]);
    const content = reply.reply.content as unknown as { type: string }[];
    expect(content.map(({ type }) => type)).toEqual(["compaction", "thinking", "text"]);
    expect(reply.reply.usage).toMatchObject({ iterations: [{ type: "compaction" }, { type: "message" }] });
    const next = await send(sim, [long, { role: "assistant", content }, { role: "user", content: "on" }]);
    expect(next.refusal).toBeUndefined();
    expect(next.cache?.prompt).toBeLessThan(200);
    const more = { role: "assistant", content: next.reply.content };
    expect(
      (await send(sim, [long, { role: "assistant", content }, { role: "user", content: "on" }, more, { role: "user", content: "and" }]))
        .refusal,
    ).toBeUndefined();
    const changed = [{ ...content[0], content: "They broke it." }, ...content.slice(1)];
    expect((await send(sim, [long, { role: "assistant", content: changed }, { role: "user", content: "on" }])).refusal?.rule).toBe("AN-13");
  });

  it("leaves a shorter request as it is, and one whose compaction failed", async () => {
    const typesOf = async (sim: ReturnType<typeof simulator>, message: Message) =>
      ((await send(sim, [message])).reply.content as unknown as { type: string }[]).map(({ type }) => type);
    expect(await typesOf(simulator(), { role: "user", content: "short" })).toEqual(["thinking", "text"]);
    expect(await typesOf(simulator(null), long)).toEqual(["thinking", "text"]);
  });
});
