import { describe, expect, it } from "vitest";
import { createSession } from "../../index.ts";
import type { ObjectValue } from "../../json/value.ts";
import { bedrock } from "./wire.ts";

const wire = bedrock();
const point = { cachePoint: { type: "default" } };
const tool = (name: string) => ({ toolSpec: { name, inputSchema: { json: { type: "object" } } } });
const hello = { role: "user", content: [{ text: "Hello." }] };
const request = (more: object = {}) => ({ modelId: "us.anthropic.claude-opus-5-5", messages: [hello], ...more });

describe("a request", () => {
  it("has system and tools in its head, without their cache points", () => {
    const given = request({ system: [{ text: "Be brief." }, point, { text: " " }], toolConfig: { tools: [tool("a"), tool("b"), point] } });
    const { head, headMarks, lead } = wire.open(given);
    expect(head.system).toEqual([{ text: "Be brief." }]);
    expect(head.tools.map(wire.toolName)).toEqual(["a", "b"]);
    expect(wire.systemText(head)).toBe("Be brief.");
    expect({ headMarks, lead }).toEqual({
      headMarks: [
        { part: "system", index: 0, mark: point },
        { part: "tools", index: 1, mark: point },
      ],
      lead: 0,
    });
    expect(wire.toolName({ systemTool: { name: "nova_grounding" } })).toBe("nova_grounding");
  });

  it("has in its key what the model thinks with and must call, and not how it is sampled", () => {
    const params = (more: object) => wire.open(request(more)).head.params;
    const thinking = { type: "adaptive" };
    expect(
      params({
        inferenceConfig: { maxTokens: 9, temperature: 0 },
        additionalModelRequestFields: { thinking, top_k: 20 },
        requestMetadata: { a: "b" },
        toolConfig: { tools: [tool("a")], toolChoice: { any: {} } },
      }),
    ).toEqual({ toolConfig: { toolChoice: { any: {} } }, additionalModelRequestFields: { thinking } });
    expect(params({ additionalModelRequestFields: { top_k: 20 }, toolConfig: { tools: [tool("a")], toolChoice: { auto: {} } } })).toEqual(
      {},
    );
  });

  it("gets the parameters of the window, and keeps its own sampling", () => {
    const { head } = wire.open(
      request({ additionalModelRequestFields: { thinking: { type: "adaptive" } }, toolConfig: { tools: [tool("a")] } }),
    );
    const own = request({ additionalModelRequestFields: { top_k: 20 }, toolConfig: { tools: [tool("b")], toolChoice: { any: {} } } });
    const closed = wire.close(own, head, []) as unknown as ObjectValue;
    expect(closed).toEqual({
      modelId: "us.anthropic.claude-opus-5-5",
      messages: [],
      additionalModelRequestFields: { thinking: { type: "adaptive" }, top_k: 20 },
      toolConfig: { tools: [tool("a")] },
    });
    const bare = wire.close(own, { ...head, params: {}, tools: [] }, []) as unknown as ObjectValue;
    expect(bare).toEqual({ modelId: "us.anthropic.claude-opus-5-5", messages: [], additionalModelRequestFields: { top_k: 20 } });
    expect(wire.close(own, wire.open(own).head, own.messages)).toEqual(own);
  });

  it("that is none is refused with its place", () => {
    const open = (given: unknown) => () => wire.open(given as never);
    expect(open(null)).toThrow(expect.objectContaining({ code: "invalid-request", path: "$" }));
    expect(open({ messages: [] })).toThrow(expect.objectContaining({ path: "$.modelId" }));
    expect(open({ modelId: "m" })).toThrow(expect.objectContaining({ path: "$.messages" }));
    expect(open(request({ system: "Be brief." }))).toThrow(expect.objectContaining({ path: "$.system" }));
    expect(open(request({ toolConfig: { tools: [1] } }))).toThrow(expect.objectContaining({ path: "$.toolConfig.tools[0]" }));
  });
});

describe("a reply", () => {
  const output = { message: { role: "assistant", content: [{ text: "Hi." }] } };

  it("that stopped is finished; one that the model could not finish settles nothing", () => {
    expect(wire.readReply({ output, stopReason: "end_turn", $metadata: { attempts: 1 } })).toMatchObject({
      finished: true,
      messages: [output.message],
    });
    expect(wire.readReply({ output, stopReason: "malformed_tool_use" }).finished).toBe(false);
    expect(wire.readReply({ output }).finished).toBe(false);
    expect(wire.readReply({ output: { message: { role: "assistant", content: [] } }, stopReason: "end_turn" }).messages).toEqual([]);
    expect(() => wire.readReply({ message: "The provided model identifier is invalid." })).toThrow(
      expect.objectContaining({ code: "invalid-reply" }),
    );
  });

  it("is put together from a stream with citations, server tools and an exception", () => {
    const put = (...events: object[]) => {
      const accumulator = wire.accumulator();
      for (const event of events) accumulator.add(event);
      return accumulator.reply();
    };
    const delta = (contentBlockIndex: number, what: object) => ({ contentBlockDelta: { contentBlockIndex, delta: what } });
    const cited = [delta(0, { citation: { title: "facts" } }), delta(0, { text: "Ru" }), delta(0, { text: "by." })];
    const stop = { messageStop: { stopReason: "end_turn" } };
    expect(put(...cited, stop)).toMatchObject({
      finished: true,
      reply: {
        output: { message: { content: [{ citationsContent: { content: [{ text: "Ruby." }], citations: [{ title: "facts" }] } }] } },
      },
    });
    const start = { contentBlockStart: { contentBlockIndex: 1, start: { toolResult: { toolUseId: "a", type: "tool_result" } } } };
    expect(put(start, delta(1, { toolResult: [{ json: { out: 2 } }] }), stop).reply).toMatchObject({
      output: { message: { content: [{ toolResult: { toolUseId: "a", type: "tool_result", content: [{ json: { out: 2 } }] } }] } },
    });
    expect(put(delta(0, { text: "Hi." }), { internalServerException: { message: "x" } }, stop)).toMatchObject({
      finished: false,
      reply: { stopReason: null },
    });
  });
});

describe("a profile", () => {
  it("is looked up by the exact id, or behind a geography", () => {
    const base = wire.profile("anthropic.claude-opus-5-5");
    expect(base).toMatchObject({ id: "anthropic.claude-opus-5-5", bindsReasoning: "yes", cacheTokensMin: 512, prefill: false });
    for (const geography of ["us", "eu", "global"]) expect(wire.profile(`${geography}.anthropic.claude-opus-5-5`)).toEqual(base);
    expect(base.readsReasoningOf).toContain("anthropic.claude-opus-5-5");
    const unknown = wire.profile("arn:aws:bedrock:us-east-1:1:application-inference-profile/x");
    expect(unknown).toMatchObject({ context: 200_000, prefill: true, traits: [], bindsReasoning: "no" });
    expect(wire.profile("mars.anthropic.claude-opus-5-5").traits).toEqual([]);
    expect(bedrock({ profiles: { mine: { traits: ["claude", "cache-points"] } } }).profile("mine").traits).toEqual([
      "claude",
      "cache-points",
    ]);
  });
});

describe("replies that stand side by side (BC-06)", () => {
  const said = (text: string) => ({ role: "assistant", content: [{ text }] });
  const model = "anthropic.claude-sonnet-4-5-20250929-v1:0";
  const asked = (messages: readonly object[]) => ({ modelId: model, messages });

  it("are one message, and stay one", async () => {
    const session = createSession({ wire, strict: true, selfCheck: true, cache: "off" });
    const history = [hello, said("One."), said("Two."), hello];
    const { request: first } = await session.prepare(asked(history));
    expect(first.messages).toEqual([hello, { role: "assistant", content: [{ text: "One." }, { text: "Two." }] }, hello]);
    const next = await session.prepare(asked([...history, said("Three."), hello]));
    expect([next.continuity.checkpoints, next.repairs.equivalent]).toEqual([[], 0]);
  });

  it("are one message also where the first is the settled reply, and at the end", async () => {
    const session = createSession({ wire, strict: true, selfCheck: true, cache: "off" });
    const turn = await session.prepare(asked([hello]));
    const message = said("One.");
    turn.settle({ output: { message }, stopReason: "end_turn", usage: { inputTokens: 1, outputTokens: 1 } });
    const next = await session.prepare(asked([hello, message, said("Noted by the host."), hello]));
    expect(next.request.messages).toHaveLength(3);
    expect(next.continuity.checkpoints).toEqual([]);
    const last = await session.prepare(asked([hello, message, said("Noted by the host."), hello, said("Two"), said("and a half")]));
    expect(last.request.messages).toHaveLength(4);
  });
});
