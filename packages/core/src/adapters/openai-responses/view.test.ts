import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import { sameUnits } from "../../wire/message-reader.ts";
import { openaiResponses } from "./index.ts";

const wire = openaiResponses();
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "code" };
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  phase: "commentary",
  content: [{ type: "output_text", text: "I look.", annotations: [] }],
};
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: '{"b":1,"a":2}', status: "completed" };
const unitsOf = (...items: readonly ObjectValue[]) => items.flatMap((item) => wire.read(item).units);
const reply = (...items: readonly ObjectValue[]) => wire.spread?.(wire.compose("assistant", unitsOf(...items))) ?? [];
const alike = (a: ObjectValue, b: ObjectValue): boolean => sameUnits(unitsOf(a), unitsOf(b));

describe("items", () => {
  it("go out frozen all the way down, whatever the order of their members (rule 3)", () => {
    const { phase, ...others } = message;
    const [sent] = reply({ phase, ...others, aside: { mood: 1 } });
    expect([sent, sent?.content, sent?.aside].map(Object.isFrozen)).toEqual([true, true, true]);
  });

  it.each([
    [{ role: "user", content: "Hi." }, "user", "user", ["text"]],
    [{ type: "message", role: "system", content: "Be brief." }, "system", "system", ["text"]],
    [{ role: "developer", content: [{ type: "input_text", text: "So." }] }, "system", "developer", ["text"]],
    [message, "assistant", "assistant", ["fields", "text"]],
    [reasoning, "assistant", "assistant", ["reasoning"]],
    [call, "assistant", "assistant", ["call"]],
    [{ type: "custom_tool_call", call_id: "c", name: "sketch", input: "line" }, "assistant", "assistant", ["call"]],
    [{ type: "function_call_output", call_id: "call_1", output: "blue" }, "user", "tool", ["result"]],
    [{ type: "custom_tool_call_output", call_id: "c", output: [] }, "user", "tool", ["result"]],
    [{ type: "additional_tools", role: "developer", tools: [] }, "system", "developer", ["other"]],
    [{ type: "configuration_update", reasoning: { effort: "low" } }, "system", "developer", ["other"]],
    [{ type: "compaction", id: "cmp_1", encrypted_content: "x" }, "assistant", "assistant", ["other"]],
    [{ type: "web_search_call", id: "ws_1", status: "completed" }, "assistant", "assistant", ["other"]],
    [{ type: "computer_call_output", call_id: "c", output: {} }, "user", "user", ["other"]],
    [{ id: "msg_stored" }, "assistant", "assistant", ["other"]],
    [{ type: "hologram", beams: 3 }, "assistant", "assistant", ["other"]],
  ] as const)("%j are read by side and kind", (item, role, nativeRole, kinds) => {
    const reading = wire.read(item as unknown as ObjectValue);
    expect([reading.role, reading.nativeRole, reading.units.map(({ kind }) => kind)]).toEqual([role, nativeRole, kinds]);
  });

  it("of which the wire knows nothing go out verbatim (rule 55)", () => {
    const item = { type: "hologram", id: "h_1", status: null, beams: [{ z: 1, a: null }] };
    expect(wire.compose("assistant", unitsOf(item))).toBe(item);
  });

  it("are refused where nothing says what they are", () => {
    expect(() => wire.read({ content: "Hi." })).toThrow(expect.objectContaining({ code: "invalid-message", path: "$.type" }));
    expect(() => wire.read({ role: "tool", content: "Hi." })).toThrow(expect.objectContaining({ path: "$.role" }));
    expect(() => wire.read({ role: "user", content: [3] } as unknown as ObjectValue)).toThrow(
      expect.objectContaining({ path: "$.content[0]" }),
    );
  });
});

describe("what is alike (rule 4)", () => {
  it.each<readonly [string, ObjectValue, ObjectValue]>([
    ["ids and status", message, { ...message, id: "msg_2", status: "incomplete" }],
    ["ids that are gone", call, { type: "function_call", call_id: "call_1", name: "look", arguments: '{ "a": 2, "b": 1 }' }],
    [
      "a string and one part",
      { role: "user", content: "Hi." },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi." }] },
    ],
    [
      "an output that is a string",
      { type: "function_call_output", call_id: "c", output: "a" },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "a" }] },
    ],
    ["empty citations", message, { ...message, content: [{ type: "output_text", text: "I look.", logprobs: null }] }],
    ["a summary that is gone", reasoning, { type: "reasoning", id: "rs_1", encrypted_content: "code" }],
  ])("%s", (_what, a, b) => expect(alike(a, b)).toBe(true));

  it.each<readonly [string, ObjectValue, ObjectValue]>([
    ["a phase", message, { ...message, phase: "final_answer" }],
    ["a call id", call, { ...call, call_id: "call_2" }],
    ["ciphertext", reasoning, { ...reasoning, encrypted_content: "other" }],
    [
      "citations",
      message,
      { ...message, content: [{ type: "output_text", text: "I look.", annotations: [{ type: "url_citation", url: "u" }] }] },
    ],
  ])("%s is read", (_what, a, b) => expect(alike(a, b)).toBe(false));
});

describe("a reply (rule 15)", () => {
  it("goes back whole, ids, phases, empty summaries and all", () => {
    expect(reply(reasoning, message, call)).toEqual([reasoning, message, call]);
  });

  it("keeps its messages apart as they were", () => {
    const other = { ...message, id: "msg_2", phase: "final_answer" };
    expect(reply(reasoning, message, other)).toEqual([reasoning, message, other]);
  });

  const bare = ({ id: _id, ...item }: ObjectValue): ObjectValue => item as ObjectValue;

  it.each<readonly [string, readonly ObjectValue[], readonly ObjectValue[]]>([
    [
      "one reasoning item has no ciphertext",
      [reasoning, message, { ...reasoning, id: "rs_2", encrypted_content: null }, call],
      [bare(message), bare(call)],
    ],
    ["one reasoning item has no id", [{ type: "reasoning", summary: [], encrypted_content: "x" }, call], [bare(call)]],
    ["the item that reasoning led to is gone", [message, call, reasoning], [bare(message), bare(call)]],
    ["it has no reasoning, so that nobody knows whether it had some", [message, call], [bare(message), bare(call)]],
  ])("goes without reasoning and item ids where %s", (_why, items, sent) => {
    expect(wire.spread?.(wire.compose("assistant", wire.asReply?.(unitsOf(...items)) ?? []))).toEqual(sent);
  });

  it("of reasoning alone is nothing", () => {
    expect(wire.asReply?.(unitsOf(reasoning))).toEqual([]);
  });
});

describe("routes (rule 61)", () => {
  it("say system or developer", () => {
    const system = { role: "system", content: "Be brief." };
    const { units } = wire.read(system);
    expect(openaiResponses().compose("system", units).role).toBe("system");
    expect(openaiResponses({ route: "chatgpt-plan" }).compose("system", units).role).toBe("developer");
  });

  it("leave out what is refused there, and set what is needed", () => {
    const plan = openaiResponses({ route: "chatgpt-plan" });
    const request = {
      model: "gpt-5.5",
      max_output_tokens: 9,
      prompt_cache_retention: "24h",
      input: "Hi.",
      prompt_cache_options: { ttl: "12h", prewarm: true },
    };
    const { head, messages } = plan.open(request);
    const closed = plan.close(request, head, messages as readonly ObjectValue[]);
    expect(closed).toMatchObject({ store: false, stream: true });
    expect(Object.keys(closed)).not.toContain("max_output_tokens");
    expect(Object.keys(closed)).not.toContain("prompt_cache_retention");
    const marked = plan.mark(closed, { mode: "automatic", ttl: "12h", hostMarks: [], repeatsTo: 0, lagging: undefined });
    expect(marked.prompt_cache_options).toEqual({ prewarm: true });
  });

  it("are named", () => {
    expect(() => openaiResponses({ route: "chat" as never })).toThrow(expect.objectContaining({ code: "invalid-option", path: "$.route" }));
  });
});
