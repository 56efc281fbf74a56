import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import { InvalidRequestError } from "../../wire/errors.ts";
import { openaiChat } from "./wire.ts";

const wire = openaiChat();
const user = { role: "user", content: "Hi." };

describe("opening a request", () => {
  it("takes the leading run of system and developer messages as the head's system text", () => {
    const system = { content: [{ type: "text", text: "Be brief." }], role: "system" };
    const opened = wire.open({
      model: "m",
      messages: [system, { role: "developer", content: "In verse." }, user, { role: "system", content: "Later." }],
    });
    expect(opened.lead).toBe(2);
    expect(JSON.stringify(opened.head.system)).toBe('[{"role":"system","content":"Be brief."},{"role":"developer","content":"In verse."}]');
    expect(opened.messages).toEqual([user, { role: "system", content: "Later." }]);
    expect(wire.systemText(opened.head)).toBe("Be brief.\n\nIn verse.");
  });

  it("hands the host's own message objects on, uncopied", () => {
    expect(wire.open({ model: "m", messages: [user] }).messages[0]).toBe(user);
  });

  it("mends lone surrogates of leading messages and tools, the same each time (rule 9)", () => {
    const cut = "cut \ud83d";
    const request = {
      model: "m",
      messages: [{ role: "system", content: cut }, { role: "user" }],
      tools: [{ type: "function", function: { name: cut } }],
    };
    const { head } = wire.open(request);
    expect(head.system).toEqual([{ role: "system", content: "cut \ufffd" }]);
    expect(head.tools).toEqual([{ type: "function", function: { name: "cut \ufffd" } }]);
    expect(wire.open(request).head).toStrictEqual(head);
  });

  it("counts a leading message that bears nothing and does not send it (rule 10)", () => {
    const opened = wire.open({ model: "m", messages: [{ role: "system", content: " " }, user] });
    expect({ lead: opened.lead, system: opened.head.system }).toEqual({ lead: 1, system: [] });
  });

  it("copies the tools in the order of their keys as received, without marks", () => {
    const tools = [{ function: { parameters: { b: 1, a: 2 }, name: "look" }, type: "function", cache_control: { type: "ephemeral" } }];
    const opened = wire.open({ model: "m", messages: [user], tools } as never);
    expect(JSON.stringify(opened.head.tools)).toBe('[{"function":{"parameters":{"b":1,"a":2},"name":"look"},"type":"function"}]');
    expect(opened.headMarks).toEqual([{ part: "tools", index: 0, mark: { type: "ephemeral" } }]);
    expect(tools[0]).toHaveProperty("cache_control");
  });

  it("counts marks of the head by the blocks of all leading messages", () => {
    const mark = { type: "ephemeral" };
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: mark },
    ];
    const opened = openaiChat({ dialect: "openrouter" }).open({
      model: "m",
      messages: [
        { role: "system", content: "x" },
        { role: "system", name: "n", content: parts },
        { role: "system", content: "y", cache_control: mark },
        user,
      ],
    });
    expect(opened.headMarks).toEqual([
      { part: "system", index: 2, mark },
      { part: "system", index: 3, mark },
    ]);
  });

  it("takes as parameters what enters the cache key, and nothing else (facts 2.6)", () => {
    const inPrefix = {
      reasoning_effort: "high",
      verbosity: "low",
      parallel_tool_calls: false,
      service_tier: "flex",
      prompt_cache_key: "k",
    };
    const format = { response_format: { type: "json_object" }, functions: [{ name: "look" }] };
    const free = {
      tool_choice: "auto",
      max_tokens: 5,
      max_completion_tokens: 5,
      metadata: {},
      stream: true,
      temperature: 0,
      stop: "x",
      store: true,
      user: "u",
      seed: 1,
    };
    const opened = wire.open({ model: "m", messages: [user], ...inPrefix, ...format, ...free });
    expect(opened.head.params).toEqual({ ...inPrefix, ...format });
    expect(wire.open({ model: "m", messages: [user], reasoning_effort: null, verbosity: undefined } as never).head.params).toEqual({});
  });

  it.each([
    ["deepseek", { thinking: { type: "enabled" }, user_id: "u" }],
    ["qwen", { enable_thinking: true }],
    ["openrouter", { reasoning: { effort: "low" }, session_id: "s", provider: { order: ["a"] }, plugins: [], transforms: [] }],
    ["mistral", { prompt_mode: "reasoning" }],
    ["groq", { reasoning_format: "parsed" }],
    ["vllm", { chat_template_kwargs: { enable_thinking: false }, chat_template: "t", cache_salt: "s" }],
    ["llama-cpp", { chat_template_kwargs: {}, id_slot: 1 }],
  ] as const)("knows what a template of %s reads besides", (dialect, params) => {
    const given = { model: "m", messages: [user], ...params };
    expect(openaiChat({ dialect }).open(given).head.params).toEqual(params);
    expect(wire.open(given).head.params).toEqual({});
  });

  it.each([
    ["$", null],
    ["$", []],
    ["$.model", { messages: [] }],
    ["$.model", { model: 7, messages: [] }],
    ["$.messages", { model: "m" }],
    ["$.messages", { model: "m", messages: {} }],
    ["$.tools", { model: "m", messages: [], tools: {} }],
    ["$.tools[1]", { model: "m", messages: [], tools: [{}, "x"] }],
    ["$.messages[0].content", { model: "m", messages: [{ role: "system", content: 7 }] }],
    [
      "$.messages[1].content[0]",
      {
        model: "m",
        messages: [
          { role: "system", content: "x" },
          { role: "developer", content: ["x"] },
        ],
      },
    ],
  ])("refuses what is no request, by its place: %s", (path, request) => {
    expect(() => wire.open(request as never)).toThrow(InvalidRequestError);
    expect(() => wire.open(request as never)).toThrow(expect.objectContaining({ code: "invalid-request", path }));
  });

  it("refuses values that have no JSON form, by their place", () => {
    const cyclic: Record<string, unknown> = { type: "function" };
    cyclic.function = cyclic;
    expect(() => wire.open({ model: "m", messages: [], tools: [cyclic] } as never)).toThrow(
      expect.objectContaining({ code: "value-cycle" }),
    );
    expect(() => wire.open({ model: "m", messages: [], reasoning_effort: 1n } as never)).toThrow(
      expect.objectContaining({ path: "$.reasoning_effort" }),
    );
  });
});

describe("closing a request", () => {
  it("gives the host's own request back with another head and other messages", () => {
    const request = { temperature: 0, model: "m", reasoning_effort: "low", messages: [user], tools: [], stream: true as const };
    const head = { model: "n", system: [{ role: "system", content: "x" }], tools: [{ type: "function" }], params: { verbosity: "low" } };
    const closed = wire.close(request, head, [{ role: "user", content: "Bye." }]);
    expect(closed).toEqual({
      temperature: 0,
      model: "n",
      messages: [
        { role: "system", content: "x" },
        { role: "user", content: "Bye." },
      ],
      tools: [{ type: "function" }],
      stream: true,
      verbosity: "low",
    });
    expect(Object.keys(closed).slice(0, 3)).toEqual(["temperature", "model", "messages"]);
    expect(request.messages).toEqual([user]);
  });

  it("leaves an empty tool list out, which the server would refuse", () => {
    const closed = wire.close({ model: "m", messages: [user], tools: [] }, { model: "m", system: [], tools: [], params: {} }, [user]);
    expect(closed).toEqual({ model: "m", messages: [user] });
  });
});

describe("recognising a request", () => {
  it.each<[string, object, boolean]>([
    ["plain text", { messages: [user] }, true],
    ["calls", { messages: [user, { role: "assistant", tool_calls: [] }, { role: "tool", content: "x" }] }, true],
    [
      "parts",
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "x" },
              { type: "image_url", image_url: {} },
            ],
          },
        ],
      },
      true,
    ],
    ["no messages", { input: [] }, false],
    ["a system field", { system: "x", messages: [user] }, false],
    ["tools with input_schema", { messages: [user], tools: [{ name: "a", input_schema: {} }] }, false],
    ["tool_use blocks", { messages: [{ role: "assistant", content: [{ type: "tool_use", id: "a" }] }] }, false],
    ["blocks without a type", { messages: [{ role: "user", content: [{ text: "x" }] }] }, false],
    ["thinking with a text", { messages: [{ role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "s" }] }] }, false],
    ["thinking with parts", { messages: [{ role: "assistant", content: [{ type: "thinking", thinking: [] }] }] }, true],
  ])("looks at its shape: %s", (_name, request, expected) => {
    expect(wire.recognises(request as ObjectValue)).toBe(expected);
  });
});

describe("a tool", () => {
  it.each([
    ["look", { type: "function", function: { name: "look" } }],
    ["run", { type: "custom", custom: { name: "run" } }],
    ["look", { name: "look" }],
    ["openrouter:web_search", { type: "openrouter:web_search", parameters: {} }],
  ])("is called %s", (name, tool) => {
    expect(wire.toolName(tool)).toBe(name);
  });
});
