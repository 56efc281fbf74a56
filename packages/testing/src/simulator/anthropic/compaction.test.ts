import { describe, expect, it } from "vitest";
import type { SimulatedRequest } from "../simulated-request.ts";
import type { Simulator } from "../simulator.ts";
import { anthropicSimulator } from "./server.ts";

type Block = Record<string, unknown>;
type Message = { role: string; content: Block[] };

const beta = { headers: { "anthropic-beta": "compact-2026-09-04" } };
const compaction = { type: "summarize" };
const say = (role: string, words: string): Message => ({ role, content: [{ type: "text", text: words }] });
const simulator = () =>
  anthropicSimulator({ script: (_request, n) => ({ thinking: `Thought ${n}.`, text: `Answer ${n}.`, summary: "They mended a clock." }) });

const send = (sim: Simulator, messages: Message[], extra: Block = {}, options: object = beta): Promise<SimulatedRequest> =>
  sim.handle({ model: "claude-opus-5-5", max_tokens: 1_000, system: "You mend clocks.", messages, ...extra }, options);

const contentOf = ({ reply }: SimulatedRequest): Block[] => reply.content as unknown as Block[];

async function talk(sim: Simulator, turns: number, start: Message[] = [], extra: Block = {}): Promise<Message[]> {
  const messages = [...start];
  for (let turn = 0; turn < turns; turn++) {
    messages.push(say("user", `Question ${messages.length}?`));
    const answer = await send(sim, messages, extra);
    expect(answer.refusal).toBeUndefined();
    messages.push({ role: "assistant", content: contentOf(answer) });
  }
  return messages;
}

/** Compacts the first `count` messages of a conversation. */
async function compacted(sim: Simulator, messages: Message[], count: number, extra: Block = {}): Promise<Message[]> {
  const answer = await send(sim, messages.slice(0, count), { ...extra, compaction });
  expect(answer.refusal).toBeUndefined();
  return [{ role: "assistant", content: contentOf(answer) }, ...messages.slice(count)];
}

describe("compaction on demand (AN-18)", () => {
  it("answers with one signed block, and counts its cost apart", async () => {
    const sim = simulator();
    const messages = [...(await talk(sim, 2)), say("user", "Next?")];
    const { reply } = await send(sim, messages, { compaction });
    expect(reply.content).toEqual([
      { type: "compaction", content: "They mended a clock.", encrypted_content: null, tool_changes: [], signature: expect.any(String) },
    ]);
    expect(reply.stop_reason).toBe("compaction");
    expect(reply.usage).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
      iterations: [{ type: "compaction", output_tokens: expect.any(Number) }],
    });
  });

  it("has no block when there is no summary", async () => {
    const sim = anthropicSimulator({ script: [{ summary: null, stop: "max_tokens" }] });
    const { status, reply } = await send(sim, [say("user", "Hello?")], { compaction });
    expect([status, reply.content, reply.stop_reason]).toEqual([200, [], "max_tokens"]);
  });

  it("keeps the thinking of kept turns valid, now and after a second compaction", async () => {
    const sim = simulator();
    const messages = await talk(sim, 4);
    const once = await talk(sim, 1, await compacted(sim, messages, 3));
    expect((await send(sim, [...once, say("user", "And?")])).refusal).toBeUndefined();
    const twice = await compacted(sim, once, 5);
    expect((await send(sim, [...twice, say("user", "And?")])).refusal).toBeUndefined();
  });

  it("voids kept thinking when head or kept turns change, or when the model binds nothing", async () => {
    const sim = simulator();
    const messages = await talk(sim, 4);
    const kept = await compacted(sim, messages, 3);
    const asked = [...kept, say("user", "And?")];
    expect((await send(sim, asked, { system: "You wind clocks." })).refusal?.rule).toBe("AN-13");
    expect((await send(sim, [...asked.slice(0, 2), say("user", "Changed?"), ...asked.slice(3)])).refusal?.rule).toBe("AN-13");
    const older = { model: "claude-opus-5" };
    const unbound = await compacted(sim, await talk(sim, 4, [], older), 3, older);
    expect((await send(sim, [...unbound, say("user", "And?")])).refusal?.rule).toBe("AN-13");
  });

  it("voids kept thinking when the first kept message has the role of the last summarised one", async () => {
    const sim = simulator();
    const asked = [say("user", "First part."), say("user", "Second part.")];
    const messages = [...asked, { role: "assistant", content: contentOf(await send(sim, asked)) }, say("user", "And?")];
    expect((await send(sim, messages)).refusal).toBeUndefined();
    expect((await send(sim, await compacted(sim, messages, 1))).refusal).toMatchObject({ rule: "AN-13", path: "messages.2.content.0" });
    expect((await send(sim, await compacted(sim, messages, 2))).refusal).toBeUndefined();
  });

  it("binds what is made behind it to the block", async () => {
    const sim = simulator();
    const messages = await talk(sim, 3);
    const later = await talk(sim, 1, await compacted(sim, messages, 3));
    const restored = [...messages.slice(0, 3), ...later.slice(1)];
    expect((await send(sim, [...restored, say("user", "And?")])).refusal).toMatchObject({
      rule: "AN-13",
      path: "messages.7.content.0",
      detail: "the compaction block that it was made behind is gone",
    });
  });

  it("refuses a block that was changed, moved, doubled, or comes without its beta", async () => {
    const sim = simulator();
    const messages = await compacted(sim, await talk(sim, 3), 3);
    const ask = say("user", "And?");
    const [first] = messages;
    const block = first?.content[0] ?? {};
    const with0 = (changed: Block): Message[] => [{ role: "assistant", content: [{ ...block, ...changed }] }, ...messages.slice(1), ask];
    const codeOf = async (list: Message[], options: object = beta) => {
      const { refusal, reply } = await send(sim, list, {}, options);
      const error = reply.error as unknown as { details?: { error_code: string } };
      return [refusal?.rule, error.details?.error_code];
    };
    expect(await codeOf(with0({ signature: "eA==" }))).toEqual(["AN-18", "compaction_signature_invalid"]);
    expect(await codeOf(with0({ content: "They broke it." }))).toEqual(["AN-18", "compaction_content_mismatch"]);
    expect(await codeOf(with0({ tool_changes: [{ type: "tool_removal", tool: { type: "tool_reference", name: "x" } }] }))).toEqual([
      "AN-18",
      "compaction_tool_changes_mismatch",
    ]);
    expect(await codeOf([say("user", "First."), first as Message, ask])).toEqual(["AN-18", "compaction_block_misplaced"]);
    expect(await codeOf([first as Message, first as Message, ask])).toEqual(["AN-18", "compaction_block_ambiguous"]);
    expect((await send(sim, with0({ citations: null }))).refusal?.message).toBe(
      "messages.0.content.0.compaction.citations: Extra inputs are not permitted",
    );
    expect((await send(sim, with0({}), {}, {})).refusal?.message).toContain("requires anthropic-beta: compact-2026-09-04");
    expect((await send(sim, with0({ cache_control: { type: "ephemeral" } }))).refusal).toBeUndefined();
    expect((await send(sim, [first as Message], { compaction })).refusal?.rule).toBeDefined();
  });

  it("streams the block whole", async () => {
    const answer = await send(simulator(), [say("user", "Hello?")], { compaction, stream: true });
    const starts = answer.events?.filter((event) => event.type === "content_block_start");
    expect(starts).toEqual([{ type: "content_block_start", index: 0, content_block: contentOf(answer)[0] }]);
    expect(answer.events?.some((event) => event.type === "content_block_delta")).toBe(false);
  });
});
