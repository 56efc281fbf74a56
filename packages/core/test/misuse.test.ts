import { describe, expect, test } from "vitest";
import { anthropic, anthropicSummarizer } from "../src/adapters/anthropic/index.ts";
import { bedrock, bedrockSummarizer } from "../src/adapters/bedrock/index.ts";
import { gemini, geminiInteractions, geminiSummarizer } from "../src/adapters/gemini/index.ts";
import { ollama, ollamaSummarizer } from "../src/adapters/ollama/index.ts";
import { openaiChat, openaiChatSummarizer } from "../src/adapters/openai-chat/index.ts";
import { openaiResponses, openaiResponsesSummarizer } from "../src/adapters/openai-responses/index.ts";
import { contextFetch } from "../src/fetch/index.ts";
import * as tidemark from "../src/index.ts";
import { plainSchema } from "./plain-schema.ts";

// What a host without types may write: each is told at once, by its path, with what is to be written instead.

const { createSession, OptionError, state } = tidemark;
// biome-ignore lint/suspicious/noExplicitAny: hosts without types
type Untyped = (...given: readonly any[]) => unknown;

const user = (content: unknown): object => ({ role: "user", content });
const asks = (messages: unknown, more: object = {}): never => ({ model: "claude-opus-5-5", max_tokens: 100, messages, ...more }) as never;
const reply = {
  ...{ id: "msg_1", type: "message", role: "assistant", content: [{ type: "text", text: "a" }], stop_reason: "end_turn" },
  usage: { input_tokens: 1, output_tokens: 1 },
};

const stray = "there is no such option";
const strategy = "expected a strategy, such as reset()";
const summariser = "expected a summariser, such as anthropicSummarizer(client)";
const openai = "expected a client, such as new OpenAI()";

const makers: readonly (readonly [maker: string, given: readonly unknown[], path: string, problem: string])[] = [
  ["summarize", [null], "$", "expected an object"],
  ["summarize", [{ summarizer: {} }], "$.summarizer", summariser],
  ["summarize", [{ summariser: () => 0 }], "$.summariser", stray],
  ["anchored", [{ sections: [{}] }], "$.sections[0].title", "expected a string"],
  ["anchored", [{ summarizer: "haiku" }], "$.summarizer", summariser],
  ["elide", [{ protect: -1 }], "$.protect", "expected a whole number of at least 0"],
  ["chain", [tidemark.reset(), tidemark.summarize], "$[1]", strategy],
  ["chain", [[tidemark.reset()]], "$[0]", strategy],
  ["background", [], "$.strategy", strategy],
  ["when", [tidemark.cold, tidemark.reset()], "$.condition", "expected an object"],
  ["when", [tidemark.cold()], "$.strategy", strategy],
  ["tokensAbove", ["150k"], "$.tokens", "expected a whole number of at least 0"],
  ["onDemandCompaction", [{ model: "x" }], "$.model", stray],
  ["onDemandCompaction", [{}], "$.send", "expected a function"],
  ["server", [{}], "$.tokens", "expected a whole number of at least 1"],
  ["state", ["todo"], "$", "expected an object"],
  ["state", ["todo", { schema: {} }], "$.schema", "expected a schema, such as z.string()"],
  ["memory", [{ store: new Map() }], "$.store.read", "expected a function"],
  ["memory", [{ store: tidemark.inMemoryStore(), ttl: { hours: 1 } }], "$.ttl.hours", stray],
  ["clock", [{ granularity: "second" }], "$.granularity", 'expected one of "day", "hour", "minute"'],
  ["handoff", [{ from: 65 }], "$.from", "expected a share of the limit, above 0 and at most 1"],
  ["recallable", [{}], "$.store.put", "expected a function"],
  ["textSummarizer", [{}], "$.write", "expected a function"],
  ["through", [{}, openaiChat()], "$.session", "expected a session, such as createSession({ wire }) makes"],
  ["through", [createSession({ wire: anthropic() })], "$.wire", "expected a wire, such as anthropic()"],
  ["translateHistory", [[], { from: "anthropic", to: openaiChat() }], "$.from", "expected a wire, such as anthropic()"],
  ["translateHistory", [{}, { from: anthropic(), to: openaiChat() }], "$.messages", "expected an array"],
  ["checkPrefixContinuity", [{}, {}, { wire: "anthropic" }], "$.wire", "expected a wire, such as anthropic()"],
  ["checkPrefixContinuity", [{}, {}, { wire: anthropic(), strength: "bytes" }], "$.strength", stray],
];

const elsewhere: readonly (readonly [name: string, make: Untyped, given: readonly unknown[], path: string, problem: string])[] = [
  ["anthropic", anthropic, [{ headers: true }], "$.headers", stray],
  ["anthropic", anthropic, [{ profiles: [] }], "$.profiles", "expected profiles by the exact ids of models, or a function of the id"],
  ["bedrock", bedrock, [{ region: "eu" }], "$.region", stray],
  ["gemini", gemini, ["key"], "$", "expected an object"],
  ["geminiInteractions", geminiInteractions, [{ store: false }], "$.store", stray],
  ["ollama", ollama, [{ host: "x" }], "$.host", stray],
  ["openaiChat", openaiChat, [{ dialects: "qwen" }], "$.dialects", stray],
  ["openaiResponses", openaiResponses, [{ asksForReasoning: "no" }], "$.asksForReasoning", "expected true or false"],
  ["anthropicSummarizer", anthropicSummarizer, [], "$.client", "expected a client, such as new Anthropic()"],
  ["anthropicSummarizer", anthropicSummarizer, [{ messages: { create: () => 0 } }, "haiku"], "$", "expected an object"],
  [
    "bedrockSummarizer",
    bedrockSummarizer,
    [{}],
    "$.client",
    "expected a function, such as (input, options) => client.send(new ConverseCommand(input), options)",
  ],
  ["geminiSummarizer", geminiSummarizer, [{ models: {} }], "$.client", "expected a client, such as new GoogleGenAI({})"],
  ["ollamaSummarizer", ollamaSummarizer, [null], "$.client", "expected a client, such as new Ollama()"],
  ["openaiChatSummarizer", openaiChatSummarizer, [{ chat: {} }], "$.client", openai],
  ["openaiResponsesSummarizer", openaiResponsesSummarizer, [{ responses: {} }], "$.client", openai],
  ["contextFetch", contextFetch, [{ wires: [] }], "$.wires", "expected at least one wire"],
];

describe("what makes a part of a session looks at what it is given", () => {
  for (const [maker, given, path, problem] of makers)
    test(`${maker}: ${path}: ${problem}`, () => {
      const make = (tidemark as unknown as Readonly<Record<string, Untyped>>)[maker] as Untyped;
      expect(() => make(...given)).toThrow(new OptionError(path, problem));
    });

  for (const [maker, make, given, path, problem] of elsewhere)
    test(`${maker}: ${path}: ${problem}`, () => {
      expect(() => make(...given)).toThrow(new OptionError(path, problem));
    });

  test("a session that is opened names its store and its key", async () => {
    const open = tidemark.openSession as Untyped;
    const store = tidemark.inMemorySessionStore();
    await expect(open()).rejects.toThrow(new OptionError("$", "expected an object"));
    await expect(open({ wire: anthropic(), key: { namespace: "a", session: "b" } })).rejects.toThrow(
      new OptionError("$.store", "expected an object"),
    );
    await expect(open({ wire: anthropic(), store, key: "chat 7" })).rejects.toThrow(
      new OptionError("$.key", "a key is { namespace, session }"),
    );
  });

  test("a snapshot is told apart from its text and from none", () => {
    const text = JSON.stringify(createSession({ wire: anthropic() }).snapshot());
    for (const none of [text, undefined, null, []])
      expect(() => tidemark.restoreSession(none, { wire: anthropic() })).toThrow("what session.snapshot() gave, parsed");
  });
});

describe("what is done with a session is looked at, too", () => {
  test("a signal in place of the options of a request, or no signal among them", async () => {
    const prepare = createSession({ wire: anthropic() }).prepare as Untyped;
    const controller = new AbortController();
    const refused = (options: unknown, path: string, problem: string) =>
      expect(prepare(asks([user("a")]), options)).rejects.toThrow(new OptionError(path, problem));
    await refused(controller.signal, "$", "expected { signal }, not the signal itself");
    await refused({ signal: controller }, "$.signal", "expected an AbortSignal, such as controller.signal");
    await refused({ sigal: controller.signal }, "$.sigal", stray);
    await refused({ offer: "read" }, "$.offer", "expected an array");
    await refused(null, "$", "expected an object");
    await expect(prepare(asks([user("a")]), { signal: undefined })).resolves.toBeDefined();
  });

  test("an event that there is none of, and a listener that is none", () => {
    const on = createSession({ wire: anthropic() }).on as Untyped;
    expect(() => on("checkpiont", () => 0)).toThrow(/^\$\.event: expected one of "checkpoint", "repair", /);
    expect(() => on("checkpoint")).toThrow(new OptionError("$.listener", "expected a function"));
  });

  test("a source that is named, or is none", () => {
    const { set, clear } = createSession({ wire: anthropic(), sources: [state("todo", { schema: plainSchema() })] }) as unknown as Record<
      string,
      Untyped
    >;
    expect(() => set?.("todo", 1)).toThrow(
      'There is no source "todo" in this session. Name it in the option `sources`, and hand over the source itself',
    );
    expect(() => clear?.(undefined)).toThrow(tidemark.SourceUnknownError);
  });

  test("a request in place of the stored messages, and a fold without a text", () => {
    const { verify, fold } = createSession({ wire: anthropic() }) as unknown as Record<string, Untyped>;
    expect(() => verify?.(asks([]))).toThrow("$.messages: the stored messages must be an array");
    expect(() => verify?.()).toThrow(tidemark.InvalidRequestError);
    expect(() => fold?.("call")).toThrow(new OptionError("$.text", "expected a string"));
  });

  test("a promise of a reply; a reply to a turn that later ones left behind", async () => {
    const session = createSession({ wire: anthropic() });
    const turn = await session.prepare(asks([user("a")]));
    expect(() => turn.settle(Promise.resolve(reply))).toThrow("await it first");
    turn.settle(reply);
    const messages = [user("a"), { role: "assistant", content: reply.content }, user("b")];
    (await session.prepare(asks(messages))).settle(reply);
    expect(() => turn.settle(reply)).toThrow("a later one was settled since");
  });
});

describe("a request of another wire is told from one of the session's", () => {
  const called = [user("a"), { role: "assistant", content: [{ type: "tool_use", id: "c", name: "read", input: {} }] }];

  test("messages where Responses has input: they would be left out", async () => {
    await expect(createSession({ wire: openaiResponses() }).prepare(asks([user("a")]))).rejects.toThrow(
      "make the session with openaiChat(), or anthropic()",
    );
  });

  test("blocks of Anthropic Messages on Chat Completions", async () => {
    const results = user([{ type: "tool_result", tool_use_id: "c", content: "x" }]);
    await expect(createSession({ wire: openaiChat() }).prepare(asks([...called, results]))).rejects.toThrow(
      "make the session with anthropic()",
    );
  });
});
