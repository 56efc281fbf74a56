import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import { openaiResponses } from "./index.ts";

const wire = openaiResponses();
const closed = (request: ObjectValue, adapter = wire): ObjectValue => {
  const { head, messages } = adapter.open(request);
  return adapter.close(request, head, messages as readonly ObjectValue[]) as ObjectValue;
};
const text = (value: string) => [{ type: "input_text", text: value }];

describe("a request taken apart", () => {
  it("has instructions in its head where the model renders them ahead of the input", () => {
    const request = {
      instructions: "Be brief.",
      input: [
        { role: "developer", content: "You keep lamps." },
        { role: "user", content: "Hi." },
      ],
    };
    const before = wire.open({ model: "gpt-5.5", ...request });
    expect(wire.systemText(before.head)).toBe("Be brief.\n\nYou keep lamps.");
    expect(before.lead).toBe(1);
    const after = wire.open({ model: "gpt-6.2-sol", ...request });
    expect(wire.systemText(after.head)).toBe("You keep lamps.");
  });

  it("takes a string for one user message", () => {
    expect(closed({ model: "gpt-4.1", input: "Hi." }).input).toEqual([{ role: "user", content: "Hi." }]);
  });

  it("has those parameters in its head that are rendered or keyed", () => {
    const { head } = wire.open({
      model: "gpt-5.5",
      input: "Hi.",
      reasoning: { effort: "low", summary: "auto" },
      text: { verbosity: "low", format: { type: "text" } },
      prompt_cache_key: "k",
      metadata: { a: "b" },
      max_output_tokens: 9,
      service_tier: null,
    } as never);
    expect(head.params).toEqual({
      reasoning: { effort: "low" },
      text: { verbosity: "low", format: { type: "text" } },
      prompt_cache_key: "k",
    });
  });

  it("names what is wrong by its place", () => {
    expect(() => wire.open({ model: "m", input: 7 } as never)).toThrow(expect.objectContaining({ path: "$.input" }));
    expect(() => wire.open({ model: 7 } as never)).toThrow(expect.objectContaining({ path: "$.model" }));
    expect(() => wire.open({ model: "m", input: [{ role: "developer", content: 7 }] } as never)).toThrow(
      expect.objectContaining({ path: "$.input[0].content" }),
    );
  });
});

describe("a request put together", () => {
  it("asks for reasoning of all turns where the model renders the current one only", () => {
    expect(closed({ model: "gpt-5.5", input: "Hi.", reasoning: { effort: "low" } }).reasoning).toEqual({
      effort: "low",
      context: "all_turns",
    });
    expect(closed({ model: "gpt-5.5", input: "Hi.", reasoning: { context: "current_turn" } }).reasoning).toEqual({
      context: "current_turn",
    });
    expect(closed({ model: "gpt-5.6-sol", input: "Hi." }).reasoning).toBeUndefined();
    expect(closed({ model: "gpt-4.1", input: "Hi." }).reasoning).toBeUndefined();
    expect(closed({ model: "gpt-5.5", input: "Hi." }, openaiResponses({ asksForReasoning: false })).reasoning).toBeUndefined();
  });

  it("asks for ciphertext where nothing is stored", () => {
    const asked = closed({ model: "gpt-5.6-sol", input: "Hi.", store: false, include: ["web_search_call.results"] }).include;
    expect(asked).toEqual(["web_search_call.results", "reasoning.encrypted_content"]);
    expect(closed({ model: "gpt-5.6-sol", input: "Hi." }).include).toBeUndefined();
    expect(closed({ model: "gpt-4.1", input: "Hi.", store: false }).include).toBeUndefined();
  });

  it("keeps the head that it is given in place of its own", () => {
    const first = wire.open({
      model: "gpt-5.5",
      instructions: "Be brief.",
      reasoning: { effort: "high", summary: "auto" },
      input: "Hi.",
    } as never);
    const request = {
      model: "gpt-5.5",
      instructions: "Be long.",
      reasoning: { effort: "low", summary: "detailed" },
      service_tier: "flex",
      input: "Hi.",
    };
    expect(wire.close(request, first.head, [])).toMatchObject({
      instructions: "Be brief.",
      reasoning: { effort: "high", summary: "detailed", context: "all_turns" },
      input: [],
    });
    expect(wire.close(request, first.head, [])).not.toHaveProperty("service_tier");
  });

  it("spreads replies into their items", () => {
    const items = [
      { type: "compaction", encrypted_content: "x" },
      { type: "web_search_call", id: "ws_1" },
    ];
    const whole = wire.compose(
      "assistant",
      items.flatMap((item) => wire.read(item).units),
    );
    expect(wire.close({ model: "gpt-4.1", input: "Hi." }, wire.open({ model: "gpt-4.1", input: "Hi." }).head, [whole]).input).toEqual(
      items,
    );
  });
});

describe("cache marks (rule 54)", () => {
  const mark = (request: ObjectValue, plan: object) =>
    wire.mark(
      request as never,
      { mode: "planned", ttl: undefined, hostMarks: [], repeatsTo: 3, lagging: undefined, ...plan } as never,
    ) as unknown as ObjectValue;
  const input = [
    { type: "message", role: "developer", content: text("You keep lamps.") },
    { type: "message", role: "user", content: text("Hi.") },
    { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: "lit" },
  ];
  const marksIn = (request: ObjectValue): string =>
    JSON.stringify(request)
      .match(/prompt_cache_breakpoint/g)
      ?.join(" ") ?? "";

  it("stand behind the head and behind what the next request repeats, where the model reads them", () => {
    const marked = mark({ model: "gpt-5.6-sol", input }, { ttl: "12h" });
    const sent = marked.input as unknown as readonly { readonly content: readonly ObjectValue[] }[];
    expect(sent[0]?.content[0]?.prompt_cache_breakpoint).toEqual({ mode: "explicit", ttl: "12h" });
    // The output is a string: the nearest part before it bears the mark.
    expect(sent[1]?.content[0]?.prompt_cache_breakpoint).toEqual({ mode: "explicit", ttl: "12h" });
    expect(marked.prompt_cache_options).toEqual({ ttl: "12h" });
    expect(mark({ model: "gpt-5.5", input }, {})).toEqual({ model: "gpt-5.5", input });
  });

  it("of the host go back to their parts, and are never changed", () => {
    const host = { part: "messages", message: 1, block: 0, mark: { mode: "explicit", ttl: "30m" } };
    const marked = mark({ model: "gpt-5.6-sol", input }, { mode: "off", hostMarks: [host] });
    expect((marked.input as unknown as readonly { content: readonly ObjectValue[] }[])[1]?.content[0]?.prompt_cache_breakpoint).toEqual(
      host.mark,
    );
    expect(marksIn(marked)).toBe("prompt_cache_breakpoint");
  });

  it("are not put where the route has none", () => {
    const xai = openaiResponses({ route: "xai" });
    expect(
      xai.mark({ model: "gpt-5.6-sol", input }, { mode: "planned", ttl: "12h", hostMarks: [], repeatsTo: 3, lagging: undefined }),
    ).toEqual({ model: "gpt-5.6-sol", input });
  });

  it("are asked for by a request unless it says that only breakpoints count and has none", () => {
    expect(wire.asksForCache({ model: "m", input })).toBe(true);
    const explicit = { model: "m", prompt_cache_options: { mode: "explicit" }, input };
    expect(wire.asksForCache(explicit)).toBe(false);
    expect(wire.asksForCache(mark({ ...explicit, model: "gpt-5.6-sol" }, {}) as never)).toBe(true);
  });
});
