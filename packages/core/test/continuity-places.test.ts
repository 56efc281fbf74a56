import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { gemini } from "../src/adapters/gemini/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { type ContinuityOptions, checkPrefixContinuity } from "../src/continuity/check-prefix-continuity.ts";
import type { Wire } from "../src/wire/wire.ts";
import { tinyWire } from "./tiny-wire.ts";

const onClaude = { wire: anthropic() as unknown as Wire };
const onChat = { wire: openaiChat() as unknown as Wire };
const onGemini = { wire: gemini() as unknown as Wire };

/** A tool of which the first words of its description can be changed. */
const tool = (name: string, more: object = {}) => ({ name, description: `Reads ${name}.`, input_schema: { type: "object" }, ...more });
const claude = (more: object = {}) => ({
  model: "claude-opus-5-5",
  max_tokens: 100,
  system: "Be brief.",
  tools: [tool("files")],
  messages: [{ role: "user", content: "one" }],
  ...more,
});
const chat = (...messages: readonly object[]) => ({ model: "gpt-5.5", messages });
const developer = (content: string) => ({ role: "developer", content });
const user = (content: string) => ({ role: "user", content });

/** Both strengths, each as `[field, class, path, at]`. */
function places(previous: object, next: object, options: ContinuityOptions) {
  const { bytes, provider } = checkPrefixContinuity(previous, next, options);
  return [bytes, provider].map((found) => found && [found.field, found.class, found.path, found.at]);
}

describe("a head field that differs is named in both strengths", () => {
  const same = (field: string, kind: string, path: string) => [
    [field, kind, path, undefined],
    [field, kind, path, undefined],
  ];

  test("the model, a parameter of the cache key", () => {
    expect(places(claude(), claude({ model: "claude-opus-5" }), onClaude)).toEqual(same("model", "parameter", "$.model"));
    const thinking = { thinking: { type: "enabled", budget_tokens: 2_000 } };
    expect(places(claude(), claude(thinking), onClaude)).toEqual(same("params", "parameter", "$.thinking"));
  });

  test("a tool's words, one more, one less, all of them", () => {
    const two = claude({ tools: [tool("files"), tool("web")] });
    expect(places(claude(), claude({ tools: [tool("files", { description: "!" })] }), onClaude)).toEqual(
      same("tools", "edit", "$.tools[0].description"),
    );
    expect(places(claude(), two, onClaude)).toEqual(same("tools", "insertion", "$.tools[1]"));
    expect(places(two, claude(), onClaude)).toEqual(same("tools", "removal", "$.tools[1]"));
    const none = { ...claude(), tools: undefined };
    expect(places(none, claude(), onClaude)[0]).toEqual(["tools", "insertion", "$.tools", undefined]);
    expect(places(claude(), none, onClaude)[0]).toEqual(["tools", "removal", "$.tools", undefined]);
  });

  test("a system text in a field of its own: its words, and whether there is one", () => {
    const none = { ...claude(), system: undefined };
    expect(places(claude(), claude({ system: "Be long." }), onClaude)[0]).toEqual(["system", "edit", "$.system", undefined]);
    expect(places(none, claude(), onClaude)[0]).toEqual(["system", "insertion", "$.system", undefined]);
    expect(places(claude(), none, onClaude)[0]).toEqual(["system", "removal", "$.system", undefined]);
    const asked = (text: string) => ({
      model: "gemini-3-pro",
      systemInstruction: { parts: [{ text }] },
      contents: [{ role: "user", parts: [{ text: "one" }] }],
    });
    expect(places(asked("Be brief."), asked("Be long."), onGemini)[0]).toEqual([
      "system",
      "edit",
      "$.systemInstruction.parts[0].text",
      undefined,
    ]);
  });

  test("a system text in leading messages, by its index; what follows is counted on from there", () => {
    const before = chat(developer("Be brief."), user("one"));
    expect(places(before, chat(developer("Be long."), user("one")), onChat)).toEqual([
      ["system", "edit", "$.messages[0].content", 0],
      ["system", "edit", "$.messages[0].content", 0],
    ]);
    expect(places(before, chat(developer("Be brief."), user("two")), onChat)).toEqual([
      ["messages", "edit", "$.messages[1].content", 1],
      ["messages", "edit", "$.messages[1].content", 1],
    ]);
  });
});

describe("what only a local cache sees of a head", () => {
  test("a system text as a string or as one block, and a cache mark that moved", () => {
    const block = (more: object = {}) => ({ system: [{ type: "text", text: "Be brief.", ...more }] });
    const mark = { cache_control: { type: "ephemeral" } };
    expect(places(claude(), claude(block()), onClaude)).toEqual([["system", "shape", "$.system", undefined], undefined]);
    expect(places(claude(block()), claude(block(mark)), onClaude)).toEqual([
      ["system", "mark", "$.system[0].cache_control", undefined],
      undefined,
    ]);
    expect(places(claude(), claude({ tools: [tool("files", mark)] }), onClaude)).toEqual([
      ["tools", "mark", "$.tools[0].cache_control", undefined],
      undefined,
    ]);
  });

  test("the order of a tool's keys", () => {
    const [{ name, description, input_schema }] = [tool("files")];
    const turned = claude({ tools: [{ input_schema, description, name }] });
    expect(places(claude(), turned, onClaude)).toEqual([["tools", "order", "$.tools[0]", undefined], undefined]);
  });

  test("of several differences the first is named as the provider serialises them: tools before a system text, both before the messages", () => {
    const longer = claude({ tools: [tool("files", { description: "!" })], system: "Be long.", messages: [user("two")] });
    expect(places(claude(), longer, onClaude)[0]?.[0]).toBe("tools");
    expect(places(claude({ tools: longer.tools }), longer, onClaude)[0]?.[0]).toBe("system");
    const asked = (text: string, name: string) => ({
      model: "gemini-3-pro",
      systemInstruction: { parts: [{ text }] },
      tools: [{ functionDeclarations: [{ name }] }],
      contents: [{ role: "user", parts: [{ text: "one" }] }],
    });
    expect(places(asked("Be brief.", "a"), asked("Be long.", "b"), onGemini)[0]?.[0]).toBe("system");
  });
});

describe("tokens behind a difference are those from its place on", () => {
  const behind = (previous: object, next: object, options: ContinuityOptions) =>
    checkPrefixContinuity(previous, next, { ...options, count: () => 1_000 }).tokensBehind;
  /** Tokens of a head field: what a difference in it costs beyond the messages. */
  const head = (previous: object, next: object, options: ContinuityOptions) => behind(previous, next, options) % 1_000;

  test("of messages alone where they differ, the leading ones not counted", () => {
    const before = chat(developer("Be brief."), user("one"), user("two"), user("three"));
    const after = (...words: readonly string[]) => chat(developer("Be brief."), ...words.map(user));
    expect(behind(before, after("1", "two", "three"), onChat)).toBe(3_000);
    expect(behind(before, after("one", "2", "three"), onChat)).toBe(2_000);
    expect(behind(before, after("one", "two", "3"), onChat)).toBe(1_000);
  });

  test("all messages behind a head field, with the fields from it on", () => {
    const system = head(claude(), claude({ system: "Be long." }), onClaude);
    const tools = head(claude(), claude({ tools: [] }), onClaude);
    expect(behind(claude(), claude({ system: "Be long." }), onClaude)).toBe(1_000 + system);
    expect(system).toBeGreaterThan(0);
    expect(tools).toBeGreaterThan(system + 5);
    const model = claude({ model: "claude-opus-5" });
    const params = claude({ thinking: { type: "enabled", budget_tokens: 2_000 } });
    expect([head(claude(), model, onClaude), head(claude(), params, onClaude)]).toEqual([tools, tools]);
    const none = claude({ tools: [], system: undefined });
    expect(head(none, { ...none, model: "claude-opus-5" }, onClaude)).toBe(0);
    const untold = claude({ tools: [] });
    expect(head(untold, { ...untold, model: "claude-opus-5" }, onClaude)).toBe(system);
  });

  test("where the system text comes first, the tools are behind it; where it is messages, before them", () => {
    const asked = (text: string, name: string) => ({
      model: "gemini-3-pro",
      systemInstruction: { parts: [{ text }] },
      tools: [{ functionDeclarations: [{ name }] }],
      contents: [{ role: "user", parts: [{ text: "one" }] }],
    });
    const [words, tools] = [asked("Be long.", "a"), asked("Be brief.", "b")].map((next) => head(asked("Be brief.", "a"), next, onGemini));
    expect(words).toBeGreaterThan(tools as number);
    expect(tools).toBeGreaterThan(0);
    const offered = (content: string, name: string) => ({
      ...chat(developer(content), user("one")),
      tools: [{ type: "function", function: { name, parameters: { type: "object" } } }],
    });
    const text = head(offered("Be brief.", "a"), offered("Be long.", "a"), onChat);
    expect(text).toBeGreaterThan(0);
    expect(head(offered("Be brief.", "a"), offered("Be brief.", "b"), onChat)).toBeGreaterThan(text);
  });
});

describe("reasoning that a difference voids (rule 27)", () => {
  const thinking = (signature: string) => ({ type: "thinking", thinking: `thought ${signature}`, signature });
  const reply = (...content: readonly object[]) => ({ role: "assistant", content });
  const text = (words: string) => ({ type: "text", text: words });
  const history = (first: string, ...replies: readonly object[]) =>
    claude({ messages: [user(first), ...replies.flatMap((each, index) => [each, user(`more ${index}`)])] });
  const voided = (previous: object, next: object, options: ContinuityOptions = onClaude) =>
    checkPrefixContinuity(previous, next, options).reasoningVoided;
  const both = [reply(thinking("a"), text("x")), reply(thinking("b"), text("y"))];

  test("another model's, unless the new one reads it", () => {
    const made = (model: string) => ({ ...history("one", ...both), model });
    expect(voided(made("claude-opus-5"), made("claude-opus-5-5"))).toEqual([]);
    expect(voided(made("claude-sonnet-4-5"), made("claude-opus-5-5"))).toEqual(["$.messages[1].content[0]", "$.messages[3].content[0]"]);
    const edited = { ...made("claude-opus-5-5"), system: "Be long." };
    expect(voided(made("claude-opus-5-5"), edited)).toHaveLength(2);
  });

  test("none on a model that binds nothing", () => {
    const unbound = { ...history("one", ...both), model: "claude-sonnet-4-5" };
    expect(voided(unbound, { ...unbound, system: "Be long." })).toEqual([]);
  });

  test("what stands behind the place in the same message too, and what is the place itself", () => {
    const previous = history("one", reply(thinking("a"), text("x"), thinking("b"), text("y")));
    const next = (...content: readonly object[]) => history("one", reply(...content));
    const at = (index: number) => `$.messages[1].content[${index}]`;
    expect(voided(previous, next(thinking("a"), text("2"), thinking("b"), text("y")))).toEqual([at(2)]);
    expect(voided(previous, next(thinking("a"), text("x"), thinking("c"), text("y")))).toEqual([at(2)]);
    expect(voided(previous, next(thinking("a"), text("x"), thinking("b"), text("2")))).toEqual([]);
    expect(voided(previous, next(thinking("c"), text("x"), thinking("b"), text("y")))).toEqual([at(0), at(2)]);
  });

  test("only what bears a proof", () => {
    const bare = reply({ type: "thinking", thinking: "aloud" }, text("x"));
    const redacted = reply({ type: "redacted_thinking", data: "sealed" }, text("y"));
    expect(voided(history("one", bare, redacted), history("1", bare, redacted))).toEqual(["$.messages[3].content[0]"]);
  });

  test("named by its place in the next request, whatever was put in before it", () => {
    const more = claude({ messages: [user("new"), reply(text("hm")), ...history("one", ...both).messages] });
    expect(voided(history("one", ...both), more)).toEqual(["$.messages[3].content[0]", "$.messages[5].content[0]"]);
  });

  test("a message that the wire cannot read has none", () => {
    const broken = { role: "assistant", content: [text("x"), "no block"] };
    const previous = claude({ messages: [user("one"), both[0], user("more"), broken] });
    const next = claude({ messages: [user("1"), both[0], user("more"), broken] });
    expect(voided(previous, next)).toEqual(["$.messages[1].content[0]"]);
  });

  test("a proof that is a member of another block is named as that member", () => {
    const asked = (first: string) => ({
      model: "gemini-3-pro",
      contents: [
        { role: "user", parts: [{ text: first }] },
        {
          role: "model",
          parts: [{ text: "I look." }, { functionCall: { name: "look", args: {} }, thoughtSignature: "proof" }],
        },
        { role: "user", parts: [{ functionResponse: { name: "look", response: { output: "x" } } }] },
      ],
    });
    const bound = { wire: gemini({ profiles: { "gemini-3-pro": { bindsReasoning: "yes" } } }) as unknown as Wire };
    expect(voided(asked("one"), asked("1"), bound)).toEqual(["$.contents[1].parts[1].thoughtSignature"]);
  });

  test("of one model only the places behind, counted with the leading messages", () => {
    const tiny = tinyWire({ merging: false });
    const wire = {
      ...tiny,
      open: (request: { readonly messages: readonly object[] }) => ({
        ...tiny.open(request),
        head: { ...tiny.open(request).head, system: [request.messages[0]] },
        messages: request.messages.slice(1),
        lead: 1,
      }),
    } as unknown as Wire;
    const think = (seal: string) => ({ role: "assistant", content: [{ type: "think", text: "hm", seal }] });
    const said = (...words: readonly string[]) => ({
      model: "m",
      messages: [{ role: "system", content: "s" }, ...words.flatMap((word, index) => [user(word), think(`seal ${index}`)])],
    });
    expect(voided(said("one", "two", "three"), said("one", "2", "three"), { wire })).toEqual([
      "$.messages[4].content[0]",
      "$.messages[6].content[0]",
    ]);
  });
});
