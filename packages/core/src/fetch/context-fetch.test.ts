import { describe, expect, it, vi } from "vitest";
import { anthropic } from "../adapters/anthropic/wire.ts";
import { openaiChat } from "../adapters/openai-chat/wire.ts";
import { reset } from "../overflow/reset.ts";
import { createSession } from "../session/create-session.ts";
import { clock } from "../sources/clock.ts";
import { inMemoryArchive } from "../sources/in-memory-archive.ts";
import { OptionError } from "../wire/errors.ts";
import type { Wire } from "../wire/wire.ts";
import { type ContextFetchOptions, contextFetch } from "./context-fetch.ts";
import type { ContextWarning } from "./options.ts";

const url = "https://api.example/v1/messages?beta=true";
const request = { model: "claude-sonnet-4-6", max_tokens: 9, messages: [{ role: "user", content: "Hello" }] };
const answer = {
  type: "message",
  role: "assistant",
  content: [{ type: "text", text: "Hi." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
};
const post = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers,
});

/** A contextFetch over a server that answers all alike and keeps what it got. */
function over(options: Partial<ContextFetchOptions> = {}, respond: () => Response = () => Response.json(answer)) {
  const got: { input: string | URL | Request; init: RequestInit | undefined }[] = [];
  const warnings: ContextWarning[] = [];
  const fetch = contextFetch({
    wires: [anthropic(), openaiChat()],
    onWarning: (warning) => warnings.push(warning),
    ...options,
    fetch: async (input, init) => {
      got.push({ input, init });
      return respond();
    },
  });
  return { fetch, got, warnings };
}

describe("what it does not know", () => {
  it.each([
    ["a path that is no wire's", "https://api.example/v1/files", post("{}")],
    ["a batch", "https://api.example/v1/messages/batches", post(JSON.stringify({ requests: [] }))],
    ["another method", url, { method: "GET" }],
    ["no JSON", url, post("hello")],
    ["a form", url, post(new FormData())],
    ["a thread that the server holds", url, post(JSON.stringify({ ...request, thread: { type: "continue" } }))],
    ["bytes that are no text", url, post(new Uint8Array([0xff, 0xfe]))],
  ])("passes with the very objects that came: %s", async (_what, address, init) => {
    const { fetch, got, warnings } = over();
    await fetch(address, init);
    expect(got[0]?.input).toBe(address);
    expect(got[0]?.init).toBe(init);
    expect(warnings).toEqual([]);
  });

  it("passes what a model is asked on a wire that was not given, and says once for each path which adapter is missing", async () => {
    const { fetch, got, warnings } = over({ wires: [anthropic()] });
    const init = post(JSON.stringify({ model: "gpt-5.5", input: "Hello" }));
    for (const path of ["responses", "responses", "chat/completions"]) {
      await fetch(`https://api.example/v1/${path}`, init);
      expect(got.at(-1)?.init).toBe(init);
    }
    expect(warnings).toEqual([
      { code: "wire-unknown", message: expect.stringMatching(/^No wire takes \/v1\/responses \(given: anthropic\).*`wires`/) },
      { code: "wire-unknown", message: expect.stringContaining("/v1/chat/completions") },
    ]);
  });

  it("passes what the wire cannot read, and says which part", async () => {
    const { fetch, got, warnings } = over();
    const init = post(JSON.stringify({ ...request, messages: [{ role: "user", content: 7 }] }));
    await fetch(url, init);
    expect(got[0]?.init).toBe(init);
    expect(warnings).toMatchObject([{ message: expect.stringContaining("$.messages[0].content") }]);
  });

  it("passes a request whose calls have no results, for the provider to refuse", async () => {
    const { fetch, got, warnings } = over();
    const call = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
    const init = post(JSON.stringify({ ...request, messages: [...request.messages, { role: "assistant", content: [call] }] }));
    await fetch(url, init);
    expect(got[0]?.init).toBe(init);
    expect(warnings).toMatchObject([{ code: "pending-calls" }]);
  });

  it("passes a refusal with its body", async () => {
    const { fetch } = over({}, () => Response.json({ error: { message: "Overloaded" } }, { status: 529 }));
    const response = await fetch(url, post(JSON.stringify(request)));
    expect([response.status, await response.json()]).toEqual([529, { error: { message: "Overloaded" } }]);
  });

  it("passes a reply that is none, and says so once", async () => {
    const { fetch, warnings } = over({}, () => Response.json([1]));
    for (let time = 0; time < 2; time++) expect(await (await fetch(url, post(JSON.stringify(request)))).json()).toEqual([1]);
    expect(warnings).toEqual([]);
    const odd = over({}, () => Response.json({ content: 7, stop_reason: "end_turn" }));
    for (let time = 0; time < 2; time++) await (await odd.fetch(url, post(JSON.stringify(request)))).json();
    expect(odd.warnings).toMatchObject([{ code: "reply-unread" }]);
  });
});

describe("a request of a wire", () => {
  it("is prepared from a text, bytes or a Request, and loses the length that its body no longer has", async () => {
    const { fetch, got } = over();
    const text = JSON.stringify(request);
    await fetch(url, post(text, { "Content-Length": String(text.length), "x-own": "1" }));
    await fetch(new URL(url), post(new TextEncoder().encode(text)));
    await fetch(new Request(url, post(text, { "x-own": "1" })));
    const blocks = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];
    expect(JSON.parse(String(got[0]?.init?.body)).messages).toEqual(blocks);
    expect(JSON.parse(String(got[1]?.init?.body)).messages).toEqual(blocks);
    const sent = got[2]?.input as Request;
    expect(await sent.json()).toMatchObject({ messages: blocks });
    expect(sent.headers.get("x-own")).toBe("1");
    expect(got[0]?.init?.headers).toEqual({ "x-own": "1" });
  });

  it("rejects with the signal's own reason before anything is sent", async () => {
    const { fetch, got } = over();
    const reason = new Error("no more");
    await expect(fetch(url, { ...post(JSON.stringify(request)), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(got).toEqual([]);
  });

  it("goes out as the very text that it was, its spaces and escapes too, while nothing needs a change", async () => {
    const { fetch, got } = over({ session: () => "one" });
    const messages: object[] = [];
    for (const content of ["Hello", "And \\u00e9?"]) {
      messages.push({ role: "user", content });
      const text = `${JSON.stringify({ messages, model: "gpt-5.5" }, null, 2).replaceAll("\\\\", "\\")}\n`;
      await (await fetch("https://api.example/v1/chat/completions", post(text, { "content-length": String(text.length) }))).json();
      expect(got.at(-1)?.init?.body).toBe(text);
      expect(got.at(-1)?.init?.headers).toHaveProperty("content-length", String(text.length));
      messages.push({ role: "assistant", content: "Hi." });
    }
  });

  it("hands the first part of its reply on before the second is read, and settles only on the last", async () => {
    const parts = [
      { type: "message_start", message: { ...answer, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    let read = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      const part = parts[read++];
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    };
    const settled: number[] = [];
    const { fetch } = over(
      { session: () => "one", onSettled: () => settled.push(read) },
      () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { "content-type": "text/event-stream" } }),
    );
    const reader = (await fetch(url, post(JSON.stringify({ ...request, stream: true })))).body?.getReader();
    expect(read).toBe(0);
    for (const [index, part] of parts.entries()) {
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(part);
      expect(read).toBe(index + 1);
    }
    expect((await reader?.read())?.done).toBe(true);
    expect(settled).toEqual([parts.length]);
  });

  it("goes to the session that a function names, made by the host where it wants to", async () => {
    const asked: string[] = [];
    const session = createSession({ wire: anthropic(), headers: true });
    const { fetch } = over({
      session: ({ headers, body, wire }) => `${wire.name}/${headers.get("x-user")}/${(body as typeof request).model}`,
      sessions: async (id: string, wire: Wire) => {
        asked.push(`${id} ${wire.name}`);
        return session;
      },
    });
    for (let time = 0; time < 2; time++) await (await fetch(url, post(JSON.stringify(request), { "x-user": "ada" }))).json();
    expect(asked).toEqual(["anthropic/ada/claude-sonnet-4-6 anthropic"]);
    expect(session.snapshot()).toBeDefined();
    expect(() => session.settle({})).toThrow("No turn is open");
  });

  it("fails with the error of a session that could not be made, which is asked for again", async () => {
    let times = 0;
    const { fetch, got } = over({
      session: () => "one",
      sessions: () => {
        times += 1;
        if (times === 1) throw new Error("the store is away");
        return createSession({ wire: anthropic() });
      },
    });
    await expect(fetch(url, post(JSON.stringify(request)))).rejects.toThrow("the store is away");
    await fetch(url, post(JSON.stringify(request)));
    expect(got).toHaveLength(1);
  });

  it("is not failed by a listener", async () => {
    const { fetch, warnings } = over({
      onTurn: () => {
        throw new Error("mine");
      },
    });
    await fetch(url, post(JSON.stringify(request)));
    expect(warnings).toMatchObject([{ code: "listener-error", message: expect.stringContaining("mine") }]);
  });
});

describe("a request on the side of a named conversation", () => {
  const tools = [{ name: "read", input_schema: { type: "object" } }];
  const named = { "x-tidemark-session": "one" };

  /** What was sent, in turn: under which name, and with which checkpoints. */
  const playing = async (bodies: readonly object[]) => {
    const sent: string[] = [];
    const { fetch } = over({
      onTurn: ({ id, turn }) => sent.push([id ?? "aside", ...turn.continuity.checkpoints.map(({ reason }) => reason)].join(" ")),
    });
    const messages: object[] = [];
    for (const { ask, ...head } of bodies as readonly { readonly ask: string }[]) {
      const asked = [...messages, { role: "user", content: ask }];
      await (await fetch(url, post(JSON.stringify({ ...request, ...head, messages: asked }), named))).json();
      if (ask !== "A title?") messages.push(asked.at(-1) as object, { role: "assistant", content: answer.content });
    }
    return sent;
  };

  it("is no part of it: a title's system text is no checkpoint, there or back", async () => {
    const main = { system: "You read files.", tools };
    expect(
      await playing([
        { ...main, ask: "Hello" },
        { system: "You name things.", ask: "A title?" },
        { ...main, ask: "Go on." },
      ]),
    ).toEqual(["one", "aside ledger", "one"]);
  });

  it("is one only without tools and with another system text: all else is the conversation's own change", async () => {
    const main = { system: "You read files.", tools };
    const changes = [
      { ...main, system: "You write files." },
      { system: main.system },
      { ...main, tools: [{ ...tools[0], name: "write" }] },
    ];
    for (const change of changes) {
      const [, changed] = await playing([
        { ...main, ask: "Hello" },
        { ...change, ask: "Go on." },
      ]);
      expect(changed).toMatch(/^one (system|tools)$/);
    }
  });
});

it("a name without a letter names nothing: such requests are told by their content", async () => {
  const ids: (string | undefined)[] = [];
  const { fetch } = over({ session: () => "", onTurn: ({ id }) => ids.push(id) });
  await fetch(url, post(JSON.stringify(request), { "x-tidemark-session": "" }));
  await fetch(url, post(JSON.stringify(request), { "x-tidemark-session": "two" }));
  expect(ids).toEqual([undefined, "two"]);
});

describe("a conversation that nobody names", () => {
  /** Sends a history and returns its turn's checkpoints and what went out. */
  function talking(options: Partial<ContextFetchOptions> = {}) {
    const reasons: string[][] = [];
    let said = 0;
    const { fetch, got } = over(
      { ...options, onTurn: ({ turn }) => reasons.push(turn.continuity.checkpoints.map(({ reason }) => reason)) },
      () => Response.json({ ...answer, content: [{ type: "text", text: `Answer ${said++}` }] }),
    );
    const ask = async (messages: readonly object[], head: object = {}): Promise<object> => {
      const reply = (await (await fetch(url, post(JSON.stringify({ ...request, ...head, messages })))).json()) as typeof answer;
      return { role: "assistant", content: reply.content };
    };
    const sent = (): string => String(got.at(-1)?.init?.body);
    return { ask, reasons, sent };
  }
  const user = (content: string): object => ({ role: "user", content });

  it("goes on from the reply that it repeats furthest: a branch is no edit", async () => {
    const { ask, reasons } = talking();
    const first = [user("Hello"), await ask([user("Hello")])];
    const left = [...first, user("Left"), await ask([...first, user("Left")])];
    const right = [...first, user("Right"), await ask([...first, user("Right")])];
    await ask([...left, user("More left")]);
    await ask([...right, user("More right")]);
    await ask([...right, user("More right, said anew")]);
    expect(reasons).toEqual([[], [], [], [], [], []]);
  });

  it("reports an edit behind the first reply, and goes on from there", async () => {
    const { ask, reasons } = talking();
    const first = [user("Hello"), await ask([user("Hello")])];
    const second = await ask([...first, user("One")]);
    await ask([...first, user("One, edited"), second, user("Two")]);
    expect(reasons).toEqual([[], [], ["history"]]);
  });

  it("gives another head on known messages a session of its own", async () => {
    const { ask, reasons } = talking();
    const first = [user("Hello"), await ask([user("Hello")])];
    await ask([...first, user("A title?")], { system: "You name things." });
    await ask([...first, user("Go on.")]);
    expect(reasons).toEqual([[], ["ledger"], []]);
  });

  it("leaves a long result whole: nobody could ask for what was left out", async () => {
    const long = "a line of text\n".repeat(10_000);
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: long }] };
    const call = { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] };
    const { ask, sent } = talking({ sessions: { toolResultCap: 64 } });
    await ask([user("Hello"), call, result]);
    expect(sent()).toContain(JSON.stringify(long));
  });

  it("is given no sources, no archive and no identity: those are for a conversation that the host names", async () => {
    const identity = { namespace: "0123456789abcdef0123456789abcdef", client: "cli" };
    const sessions = { sources: [clock()], archive: inMemoryArchive(), identity, now: () => 0 };
    const wires = [openaiChat({ dialect: "openrouter" })];
    const sentTo = async (session: string | undefined) => {
      const { fetch, got, warnings } = over({ wires, sessions, session: () => session });
      await fetch(
        "https://openrouter.ai/api/v1/chat/completions",
        post(JSON.stringify({ model: "z-ai/glm-5", messages: [user("Hello")] })),
      );
      return { warnings, body: String(got[0]?.init?.body), headers: new Headers(got[0]?.init?.headers) };
    };
    const unnamed = await sentTo(undefined);
    expect(Object.keys(JSON.parse(unnamed.body))).toEqual(["model", "messages"]);
    expect(JSON.parse(unnamed.body).messages).toHaveLength(1);
    expect(unnamed.headers.has("x-session-id")).toBe(false);
    expect(unnamed.warnings).toMatchObject([
      { code: "unnamed", message: expect.stringContaining("`sessions.sources`, `sessions.archive`, `sessions.identity`") },
    ]);
    const named = await sentTo("one");
    expect(named.warnings).toEqual([]);
    expect(named.body).toContain("1970");
    expect(named.headers.get("x-session-id")).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(named.body).session_id).toBe(named.headers.get("x-session-id"));
    expect((await sentTo("one")).headers.get("x-session-id")).toBe(named.headers.get("x-session-id"));
    expect((await sentTo("two")).headers.get("x-session-id")).not.toBe(named.headers.get("x-session-id"));
  });

  it("forgets the ones that were idle longest", async () => {
    const { ask, reasons } = talking({ sessionsMax: 1 });
    const first = [user("Hello"), await ask([user("Hello")])];
    await ask([user("Another")]);
    await ask([...first, user("Go on.")]);
    expect(reasons).toEqual([[], [], ["ledger"]]);
  });
});

describe("a refusal for length", () => {
  const tooLong = {
    type: "error",
    error: { type: "invalid_request_error", message: "prompt is too long: 201234 tokens > 200000 maximum" },
  };
  const words = (count: number): string => "A line of words that stands for a long file.\n".repeat(count);
  const history = Array.from({ length: 9 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index} ${words(400)}`,
  }));
  const ask = (fetch: ReturnType<typeof contextFetch>) =>
    fetch(url, post(JSON.stringify({ ...request, messages: history }), { "x-tidemark-session": "one" }));

  it("is answered once, before a byte of it reaches the host, by what the session's strategy makes of the request (rule 59)", async () => {
    const sizes: number[] = [];
    const settled: number[] = [];
    const { fetch, got } = over({ sessions: { overflow: reset() }, onSettled: ({ turn }) => settled.push(turn.number) }, () => {
      sizes.push(String(got.at(-1)?.init?.body).length);
      return sizes.length === 1 ? Response.json(tooLong, { status: 400 }) : Response.json(answer);
    });
    const response = await ask(fetch);
    expect([response.status, await response.json()]).toEqual([200, answer]);
    expect(sizes).toHaveLength(2);
    expect(sizes[1]).toBeLessThan((sizes[0] as number) / 2);
    expect(settled).toHaveLength(1);
    await ask(fetch);
    expect(String(got[2]?.init?.body).length).toBeLessThan((sizes[0] as number) / 2);
  });

  it("is answered where the host streams, too: the first byte that it sees is of the second reply", async () => {
    const events = [
      { type: "message_start", message: { ...answer, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
    const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    const statuses: number[] = [];
    const settled: number[] = [];
    const { fetch } = over({ sessions: { overflow: reset() }, onSettled: ({ turn }) => settled.push(turn.number) }, () => {
      statuses.push(statuses.length === 0 ? 400 : 200);
      if (statuses.length === 1) return Response.json(tooLong, { status: 400 });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    });
    const body = JSON.stringify({ ...request, stream: true, messages: history });
    const response = await fetch(url, post(body, { "x-tidemark-session": "one" }));
    expect([response.status, await response.text()]).toEqual([200, stream]);
    expect(statuses).toEqual([400, 200]);
    expect(settled).toHaveLength(1);
  });

  it("goes to the host when it comes twice, when there is no strategy, and when it is about something else", async () => {
    for (const [sessions, refusal, times] of [
      [{ overflow: reset() }, tooLong, 2],
      [{}, tooLong, 1],
      [{ overflow: reset() }, { error: { type: "invalid_request_error", message: "messages: roles must alternate" } }, 1],
    ] as const) {
      const { fetch, got } = over({ sessions }, () => Response.json(refusal, { status: 400 }));
      const response = await ask(fetch);
      expect([response.status, await response.json()]).toEqual([400, refusal]);
      expect(got).toHaveLength(times);
    }
  });

  it("goes to the host where nobody named the conversation: such a session repeats and repairs only", async () => {
    const { fetch, got } = over({ sessions: { overflow: reset() } }, () => Response.json(tooLong, { status: 400 }));
    expect((await fetch(url, post(JSON.stringify({ ...request, messages: history })))).status).toBe(400);
    expect(got).toHaveLength(1);
  });
});

describe("the global fetch", () => {
  it("is what sends, as it is at each call; one in whose place it stands is what it sends by", async () => {
    const got: string[] = [];
    const server = (name: string) => async () => {
      got.push(name);
      return Response.json(answer);
    };
    const ask = (fetch: typeof globalThis.fetch) => fetch(url, post(JSON.stringify(request)));
    vi.stubGlobal("fetch", server("first"));
    const own = contextFetch({ wires: [anthropic()] });
    vi.stubGlobal("fetch", server("second"));
    await ask(own);
    vi.stubGlobal("fetch", contextFetch({ wires: [anthropic()] }));
    await ask(globalThis.fetch);
    await ask(own);
    vi.unstubAllGlobals();
    expect(got).toEqual(["second", "second", "first"]);
  });
});

describe("wrong options", () => {
  const wires = [anthropic()];

  it.each([
    [{ wires: [{}] }, "$.wires[0]"],
    [{ wires: [] }, "$.wires"],
    [{ wires, header: "two words" }, "$.header"],
    [{ wires, sesions: {} }, "$.sesions"],
    [{ wires, sessionsMax: 0 }, "$.sessionsMax"],
    [{ wires, sessions: { overflw: reset() } }, "$.sessions.overflw"],
    [{ wires, sessions: { budget: { context: 1 } } }, "$.sessions.budget.context"],
    [{ wires, sessions: { history: "new" } }, "$.sessions.history"],
    [{ wires, fetch: contextFetch({ wires }) }, "$.fetch"],
  ])("are named by their path: %o", (options, path) => {
    expect(() => contextFetch(options as never)).toThrow(OptionError);
    expect(() => contextFetch(options as never)).toThrow(path);
  });
});
