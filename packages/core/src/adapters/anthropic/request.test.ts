import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { profiles } from "./models.ts";
import { type AnthropicRequest, close, open, systemText, toolName } from "./request.ts";

const profileOf = profiles();
const base = { model: "claude-opus-4-6", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };
const opened = (request: object): ReturnType<typeof open> => open({ ...base, ...request } as AnthropicRequest, profileOf);
const params = (request: object): ObjectValue => opened(request).head.params;
const closed = (request: object, from: object = request): object => close({ ...base, ...request }, opened(from).head, [], profileOf);

describe("opening a request", () => {
  it("names what is missing or of the wrong type", () => {
    const broken: readonly (readonly [unknown, string])[] = [
      [null, "$"],
      [undefined, "$"],
      ["text", "$"],
      [{}, "$.model"],
      [{ model: 1, messages: [] }, "$.model"],
      [{ model: "m" }, "$.messages"],
      [{ model: "m", messages: {} }, "$.messages"],
      [{ model: "m", messages: [], system: 1 }, "$.system"],
      [{ model: "m", messages: [], system: ["a"] }, "$.system[0]"],
      [{ model: "m", messages: [], tools: {} }, "$.tools"],
      [{ model: "m", messages: [], tools: [null] }, "$.tools[0]"],
    ];
    for (const [given, path] of broken) {
      expect(() => open(given as AnthropicRequest, profileOf)).toThrow(expect.objectContaining({ code: "invalid-request", path }));
    }
  });

  it("names the place of a value that has no JSON form", () => {
    expect(() => opened({ tools: [{ name: "a", input_schema: { f: () => 1 } }] })).toThrow(
      expect.objectContaining({ path: "$.tools[0].input_schema.f" }),
    );
  });

  it("keeps the host's own messages", () => {
    const messages = [{ role: "user", content: "hi" }];
    expect(opened({ messages }).messages).toBe(messages);
  });

  it("takes the system text as blocks, whatever its form, and blank text as none", () => {
    expect(opened({ system: "be kind" }).head.system).toEqual([{ type: "text", text: "be kind" }]);
    expect(opened({ system: [{ text: "be kind", type: "text", citations: null }] }).head.system).toEqual([
      { type: "text", text: "be kind" },
    ]);
    for (const system of [undefined, null, "", " ", [], [{ type: "text", text: "" }]]) expect(opened({ system }).head.system).toEqual([]);
  });

  it("takes the cache marks out of system and tools and reports them", () => {
    const mark = { type: "ephemeral" };
    const { head, headMarks } = opened({
      system: [
        { type: "text", text: "a" },
        { type: "text", text: "", cache_control: mark },
        { type: "text", text: "b", cache_control: null },
      ],
      tools: [{ name: "x", input_schema: { type: "object" }, cache_control: { ...mark, ttl: "1h" } }],
    });
    expect(head.system).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    expect(head.tools).toEqual([{ name: "x", input_schema: { type: "object" } }]);
    expect(headMarks).toEqual([
      { part: "tools", index: 0, mark: { type: "ephemeral", ttl: "1h" } },
      { part: "system", index: 0, mark },
    ]);
  });

  it("keeps the keys of tool definitions as received, and asks toJSON once", () => {
    const schema = { toJSON: () => ({ type: "object", properties: { b: {}, a: {} } }) };
    expect(JSON.stringify(opened({ tools: [{ name: "x", input_schema: schema }] }).head.tools)).toBe(
      '[{"name":"x","input_schema":{"type":"object","properties":{"b":{},"a":{}}}}]',
    );
  });

  it("copies and freezes the head", () => {
    const tools = [{ name: "x", input_schema: { type: "object" } }];
    const { head } = opened({ tools });
    tools[0]!.name = "y";
    expect(head.tools[0]?.name).toBe("x");
    expect(Object.isFrozen(head.tools[0])).toBe(true);
  });

  it("mends lone surrogates of system text and tools, the same each time (rule 9)", () => {
    const cut = "cut \ud83d";
    const given = { system: cut, tools: [{ name: cut, description: cut, input_schema: { type: "object", properties: { [cut]: {} } } }] };
    const { head } = opened(given);
    expect(systemText(head)).toBe("cut \ufffd");
    expect(JSON.stringify(head)).not.toMatch(/\\ud83d/);
    expect(opened(given).head).toStrictEqual(head);
  });

  it("says a name that is no string as JSON", () => {
    expect(toolName({ name: { toString: 2, valueOf: 3 } })).toBe('{"toString":2,"valueOf":3}');
  });

  it("reads names and system text", () => {
    const { head } = opened({
      system: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      tools: [{ type: "mcp_toolset", mcp_server_name: "m" }],
    });
    expect(systemText(head)).toBe("a\n\nb");
    expect(toolName(head.tools[0] as ObjectValue)).toBe("m");
  });
});

describe("the parameters of the cache key", () => {
  it("hold what the provider renders or keys by, and nothing else", () => {
    expect(
      params({
        tool_choice: { type: "any" },
        thinking: { type: "enabled", budget_tokens: 2000 },
        output_config: { effort: "low", format: { type: "json_schema" } },
        speed: "fast",
        context_management: { edits: [{ type: "clear_thinking_20251015" }] },
        betas: ["b", "a", "b"],
        container: { id: "c", skills: [{ skill_id: "pdf" }] },
        max_tokens: 5,
        metadata: { user_id: "u" },
        stop_sequences: ["x"],
        stream: true,
        service_tier: "auto",
        cache_control: { type: "ephemeral" },
        diagnostics: {},
        temperature: 1,
        inference_geo: "us",
      }),
    ).toEqual({
      tool_choice: { type: "any" },
      thinking: { type: "enabled", budget_tokens: 2000 },
      output_config: { effort: "low", format: { type: "json_schema" } },
      speed: "fast",
      context_management: { edits: [{ type: "clear_thinking_20251015" }] },
      betas: ["a", "b"],
      container: { skills: [{ skill_id: "pdf" }] },
    });
  });

  it("take a default that is written out like an omitted one", () => {
    expect(
      params({
        tool_choice: { type: "auto", disable_parallel_tool_use: false },
        thinking: { type: "disabled" },
        output_config: { effort: "high", format: null },
        speed: "standard",
        context_management: { edits: [] },
        betas: [],
        mcp_servers: [],
        container: "container_1",
        output_format: null,
      }),
    ).toEqual({});
  });

  it("know the defaults of the model", () => {
    expect(params({ model: "claude-opus-5-5", thinking: { type: "adaptive" }, output_config: { effort: "medium" } })).toEqual({});
    expect(params({ model: "claude-opus-5-5", output_config: { effort: "high" } })).toEqual({ output_config: { effort: "high" } });
    expect(params({ thinking: { type: "adaptive" } })).toEqual({ thinking: { type: "adaptive" } });
  });

  it("hold neither how thinking is shown nor what binds it", () => {
    const thinking = { type: "adaptive", display: "omitted", block_binding: { prefix_mismatch_behavior: "error" } };
    expect(params({ thinking })).toEqual({ thinking: { type: "adaptive" } });
  });

  it("hold no token of a connection", () => {
    const server = { type: "url", name: "m", url: "https://m.example" };
    expect(params({ mcp_servers: [{ ...server, authorization_token: "secret" }] })).toEqual({ mcp_servers: [server] });
  });
});

describe("closing a request", () => {
  it("gives the host's other fields back as they were, and touches nothing of the host's", () => {
    const request = Object.freeze({
      ...base,
      metadata: { user_id: "u" },
      betas: ["b", "a"],
      thinking: { type: "adaptive", display: "omitted" },
      custom: 1,
    });
    expect(close(request, opened(request).head, [], profileOf)).toEqual({ ...request, messages: [] });
  });

  it("leaves absent what is absent", () => {
    expect(Object.keys(closed({}))).toEqual(["model", "max_tokens", "messages"]);
    expect(closed({ system: "", tools: [] })).not.toHaveProperty("system");
  });

  it("sends system text in block form and tools without the host's marks", () => {
    const tools = [{ name: "x", input_schema: { type: "object" }, cache_control: { type: "ephemeral" } }];
    expect(closed({ system: "s", tools })).toMatchObject({
      system: [{ type: "text", text: "s" }],
      tools: [{ name: "x", input_schema: { type: "object" } }],
    });
  });

  it("puts another head in place of the request's own, parameters too", () => {
    const before = { system: "old", tool_choice: { type: "none" }, tools: [{ name: "x", input_schema: { type: "object" } }] };
    expect(closed({ system: "new", thinking: { type: "adaptive" } }, before)).toEqual({
      ...base,
      ...before,
      system: [{ type: "text", text: "old" }],
      messages: [],
    });
  });

  it("opens to the same head again", () => {
    const request = { system: "s", tools: [{ name: "x", input_schema: {} }], thinking: { type: "adaptive" }, betas: ["a"] };
    const { head } = opened(request);
    expect(open(close({ model: "other", messages: [] }, head, [], profileOf), profileOf).head).toEqual(head);
  });
});

describe("what a request's own values may be", () => {
  it("is anything: odd parameters are carried", () => {
    const odd = copyValue({ thinking: "yes", tool_choice: 3, output_config: [], speed: null }) as object;
    expect(closed(odd)).toMatchObject({ thinking: "yes", tool_choice: 3, output_config: [] });
  });
});
