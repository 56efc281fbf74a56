import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Checkpoint } from "@tidemark/core";
import { generateText, isStepCount, type ModelMessage, Output, pruneMessages } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiSdkWire, withTidemark } from "../src/index.ts";
import { breaks, chat, claude, google, type Host, haiku, named, openrouter, refused, responses, tools, turnOf, working } from "./hosts.ts";

/** What a host does today that changes the start of its prompt. `prefix`: where the requests differ without Tidemark. */
type Instability = {
  readonly title: string;
  readonly host: Host;
  readonly prefix: RegExp;
  /** What becomes of it: the requests continue, or a checkpoint says so, by its reason and path. */
  readonly becomes: "whole" | { readonly reason: string; readonly path: RegExp };
  /** The provider's package throws before anything is sent. */
  readonly throwsWithout?: true;
  /** The provider refuses what the host asks for, with and without Tidemark. */
  readonly refused?: true;
  readonly play: (model: LanguageModelV4) => Promise<void>;
};

const id = named("one");

const instabilities: readonly Instability[] = [
  {
    title: "generate and stream in turn",
    host: claude,
    prefix: /^\$\.tools\[0\]\.eager_input_streaming$/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", { ...id, way: "generate" });
      await turnOf(model, history, "Read b.ts.", { ...id, way: "stream" });
      await turnOf(model, history, "Read c.ts.", { ...id, way: "generate" });
    },
  },
  {
    title: "other active tools",
    host: chat,
    prefix: /^\$\.tools\[1\]$/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      await turnOf(model, history, "Read b.ts.", { ...id, activeTools: ["read"] as never });
      await turnOf(model, history, "Read c.ts.", id);
    },
  },
  {
    title: "other active tools in a step of a loop, with thinking that is bound to them",
    host: claude,
    prefix: /^\$\.tools\[1\]$/,
    becomes: "whole",
    play: async (model) => {
      const prepareStep = ({ stepNumber }: { stepNumber: number }) => ({ activeTools: stepNumber % 2 === 0 ? undefined : ["read"] });
      await turnOf(model, [], "Read a.ts.", { ...id, prepareStep: prepareStep as never });
    },
  },
  {
    title: "a tool that comes later",
    host: chat,
    prefix: /^\$\.tools\[1\]$/,
    becomes: { reason: "tools", path: /^\$\.tools\[1\]/ },
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", { ...id, tools: { read: tools.read } as never });
      await turnOf(model, history, "Read b.ts.", id);
    },
  },
  {
    title: "a tool that the model has to use, where it cannot be forced (Anthropic)",
    host: claude,
    prefix: /^\$\.tools\[1\]$/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      await turnOf(model, history, "Read b.ts.", { ...id, toolChoice: { type: "tool", toolName: "read" } as never }).catch(() => undefined);
    },
  },
  {
    title: "an output schema in a later turn",
    host: chat,
    prefix: /^\$\.response_format$/,
    becomes: { reason: "params", path: /responseFormat/ },
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      const messages: ModelMessage[] = [...history, { role: "user", content: "As JSON." }];
      const output = Output.object({ schema: z.object({ done: z.string() }) });
      await generateText({ model, tools, instructions: "You read files.", messages, output, ...id });
    },
  },
  {
    title: "an output schema in a later turn (Anthropic)",
    host: claude,
    prefix: /^\$\.output_config/,
    becomes: { reason: "params", path: /responseFormat/ },
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      const messages: ModelMessage[] = [...history, { role: "user", content: "As JSON." }];
      const output = Output.object({ schema: z.object({ done: z.string() }) });
      await generateText({ model, tools, instructions: "You read files.", messages, output, ...id });
    },
  },
  {
    title: "a reply that the host begins, with blanks around it (Anthropic)",
    host: haiku,
    prefix: /^\$\.messages\[1\]\.content\[0\]\.text$/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [
        { role: "user", content: "Read a.ts." },
        { role: "assistant", content: "  It says  " },
      ];
      history.push(...(await generateText({ model, messages: history, ...id })).responseMessages);
      await generateText({ model, messages: [...history, { role: "user", content: "Read b.ts." }], ...id });
    },
  },
  {
    title: "another effort",
    host: chat,
    prefix: /^\$\.reasoning_effort$/,
    becomes: { reason: "params", path: /reasoningEffort/ },
    play: async (model) => {
      const history: ModelMessage[] = [];
      const effort = (reasoningEffort: string) => ({ providerOptions: { ...id.providerOptions, openai: { reasoningEffort } } });
      await turnOf(model, history, "Read a.ts.", effort("low"));
      await turnOf(model, history, "Read b.ts.", effort("high"));
    },
  },
  {
    title: "another effort (Anthropic)",
    host: claude,
    prefix: /^\$\.output_config/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      const asked = (effort: string) => ({ providerOptions: { ...id.providerOptions, anthropic: { effort } } });
      await turnOf(model, history, "Read a.ts.", asked("low"));
      await turnOf(model, history, "Read b.ts.", asked("max"));
      await turnOf(model, history, "Read c.ts.", { ...asked("low"), way: "stream" });
    },
  },
  {
    title: "a tool that comes later (Anthropic)",
    host: claude,
    prefix: /^\$\.tools\[1\]$/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", { ...id, tools: { read: tools.read } as never });
      await turnOf(model, history, "Read b.ts.", id);
      await turnOf(model, history, "Read c.ts.", { ...id, way: "stream" });
    },
  },
  {
    title: "a store that is switched on in the middle (OpenAI Responses)",
    host: responses,
    prefix: /^\$\.(?:input|store|include)/,
    becomes: { reason: "params", path: /^\$\.providerOptions/ },
    refused: true,
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      await turnOf(model, history, "Read b.ts.", { providerOptions: { ...id.providerOptions, openai: { store: true } } }).catch(
        () => undefined,
      );
    },
  },
  {
    title: "a late system message where there was none",
    host: claude,
    prefix: /^\$\.system/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", { ...id, instructions: undefined as never });
      history.push({ role: "system", content: "The user is in a hurry." });
      await turnOf(model, history, "Read b.ts.", { ...id, instructions: undefined as never, allowSystemInMessages: true });
    },
  },
  {
    title: "a late system message (Google, whose package refuses it)",
    host: google,
    prefix: /^/,
    becomes: "whole",
    throwsWithout: true,
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      history.push({ role: "system", content: "The user is in a hurry." });
      await turnOf(model, history, "Read b.ts.", { ...id, allowSystemInMessages: true });
    },
  },
  {
    title: "reasoning that a host prunes between turns (OpenAI Responses)",
    host: responses,
    prefix: /^\$\.input\[\d+\]/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      await turnOf(model, pruneMessages({ messages: history, reasoning: "all" }), "Read b.ts.", id);
    },
  },
  {
    title: "a tool whose description depends on the step",
    host: chat,
    prefix: /^\$\.tools\[0\]\.function\.description$/,
    becomes: { reason: "tools", path: /^\$\.tools\[0\]\.description/ },
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      const read = { ...tools.read, description: "Reads a file, now." };
      await turnOf(model, history, "Read b.ts.", { ...id, tools: { read, list: tools.list } as never });
    },
  },
  {
    title: "a file that is downloaded for each request, and changes meanwhile",
    host: chat,
    prefix: /^\$\.messages\[1\]\.content\[1\]/,
    becomes: { reason: "history", path: /^\$\.prompt\[1\]\.content\[1\]/ },
    play: async (model) => {
      let downloads = 0;
      const experimental_download = async (files: readonly unknown[]) =>
        files.map(() => ({ data: new TextEncoder().encode(`picture ${downloads++}`), mediaType: "image/png" }));
      const file = { type: "file" as const, mediaType: "image/png", data: new URL("ftp://example.com/a.png") };
      const history: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "This one." }, file] }];
      await turnOf(model, history, "What is it?", { ...id, experimental_download } as never);
      await turnOf(model, history, "And now?", { ...id, experimental_download } as never);
    },
  },
  {
    title: "UI messages that were converted without their tools",
    host: chat,
    prefix: /^\$\.messages\[\d+\]\.content/,
    becomes: { reason: "history", path: /^\$\.prompt\[\d+\]\.content\[\d+\]\.output/ },
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      await turnOf(model, history.map(asJson), "Read b.ts.", id);
    },
  },
  {
    title: "errors that the UI may not see",
    host: chat,
    prefix: /^\$\.messages\[\d+\]\.content/,
    becomes: { reason: "history", path: /^\$\.prompt\[\d+\]\.content\[\d+\]\.output/ },
    play: async (model) => {
      const broken = { read: { ...tools.read, execute: () => Promise.reject(new Error("secret path /etc")) }, list: tools.list };
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", { ...id, tools: broken as never });
      await turnOf(model, history.map(redacted), "Read b.ts.", id);
    },
  },
  {
    title: "messages that are pruned in each step",
    host: chat,
    prefix: /^\$\.messages\[2\]/,
    becomes: { reason: "history", path: /^\$\.prompt\[2\]/ },
    play: async (model) => {
      const prepareStep = ({ messages }: { messages: ModelMessage[] }) => ({
        messages: pruneMessages({ messages, toolCalls: "before-last-2-messages" }),
      });
      await turnOf(model, [], "Read everything.", { ...id, prepareStep: prepareStep as never });
    },
  },
  {
    title: "a call whose caller, code that the provider ran, a store has lost (Anthropic)",
    host: claude,
    prefix: /^\$\.messages\[1\]\.content\[0\]\.caller$/,
    becomes: { reason: "history", path: /^\$\.prompt\[1\]\.content\[0\]\.providerOptions/ },
    play: async (model) => {
      const caller = { type: "code_execution_20260120", toolId: "srvtoolu_lost" };
      const call = { toolCallId: "toolu_1", toolName: "list" };
      const history: ModelMessage[] = [
        { role: "user", content: "Read a.ts." },
        { role: "assistant", content: [{ type: "tool-call", ...call, input: { path: "a" }, providerOptions: { anthropic: { caller } } }] },
        { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value: "Empty." } }] },
      ];
      history.push(...(await generateText({ model, tools, messages: history, ...id })).responseMessages);
      await turnOf(model, history.slice(0, 3), "Read b.ts.", { ...id, instructions: undefined as never });
    },
  },
  {
    title: "keys that a store sorted, and thinking that it lost",
    host: claude,
    prefix: /^\$\.messages\[1\]\.content/,
    becomes: "whole",
    play: async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      await turnOf(model, history.map(stored), "Read b.ts.", id);
    },
  },
];

function asJson(message: ModelMessage): ModelMessage {
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && part.output.type === "content" ? { ...part, output: { type: "json" as const, value: "Folder" } } : part,
  );
  return { ...message, content };
}

function redacted(message: ModelMessage): ModelMessage {
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && part.output.type === "error-text"
      ? { ...part, output: { type: "error-text" as const, value: "An error occurred." } }
      : part,
  );
  return { ...message, content };
}

function stored(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const sorted = (value: object) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? 1 : -1)));
  return { ...message, content: message.content.filter(({ type }) => type !== "reasoning").map(sorted) as never };
}

describe.each(instabilities)("$title", ({ host, prefix, becomes, refused: isRefused, throwsWithout, play }) => {
  it(throwsWithout ? "fails without Tidemark" : "changes the start of the prompt without Tidemark", async () => {
    const sim = host.simulate(working(3));
    if (throwsWithout) return expect(play(host.model(sim))).rejects.toThrow();
    await play(host.model(sim)).catch(() => undefined);
    expect(breaks(sim, host.wire).filter((path) => prefix.test(path))).not.toEqual([]);
  });

  it(becomes === "whole" ? "is whole with Tidemark" : "is reported with its path", async () => {
    const sim = host.simulate(working(3));
    const checkpoints: Checkpoint[] = [];
    await play(withTidemark(host.model(sim), { onCheckpoint: (checkpoint) => checkpoints.push(checkpoint) }));
    if (isRefused !== true) expect(refused(sim)).toEqual([]);
    if (becomes === "whole") {
      expect(breaks(sim, host.wire)).toEqual([]);
      expect(checkpoints).toEqual([]);
    } else {
      expect(checkpoints.map(({ reason }) => reason)).toContain(becomes.reason);
      expect(checkpoints.find(({ reason }) => reason === becomes.reason)?.path).toMatch(becomes.path);
    }
  });
});

describe("what Anthropic takes in the conversation", () => {
  const sentBy = async (play: (model: LanguageModelV4) => Promise<void>, more: object = {}) => {
    const sim = claude.simulate(working(2));
    await play(withTidemark(claude.model(sim), more));
    expect(refused(sim)).toEqual([]);
    return sim.requests.map(({ body, headers }) => ({
      body: body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] } & Readonly<
        Record<string, unknown>
      >,
      betas: String(headers["anthropic-beta"]).split(",").sort().join(),
    }));
  };
  const asking = (efforts: readonly (string | undefined)[]) => async (model: LanguageModelV4) => {
    const history: ModelMessage[] = [];
    for (const effort of efforts)
      await turnOf(model, history, "Read a.ts.", {
        providerOptions: { ...id.providerOptions, ...(effort !== undefined && { anthropic: { effort } }) },
      });
  };

  it("is told of another effort where it changes, and the request keeps the one that it was sent with (rule 25)", async () => {
    const requests = await sentBy(asking(["low", "max", "max", undefined]));
    expect(requests.map(({ body }) => body.output_config)).toEqual(requests.map(() => ({ effort: "low" })));
    const said = requests.at(-1)?.body.messages.filter(({ role }) => role === "system");
    expect(said).toEqual(["max", "medium"].map((effort) => ({ role: "system", content: [], output_config: { effort } })));
    // Betas enter the prompt: those that may be needed are named from the first request on.
    expect(new Set(requests.map(({ betas }) => betas)).size).toBe(1);
    expect(requests[0]?.betas).toContain("mid-conversation-output-config-2026-07-01");
  });

  it("is told of nothing where the host wants a checkpoint, or another backend may not know the form", async () => {
    const reasons: string[] = [];
    const onCheckpoint = ({ reason }: Checkpoint) => reasons.push(reason);
    const requests = await sentBy(asking(["low", "max"]), { sessions: { settingChanges: "checkpoint" }, onCheckpoint });
    expect(reasons).toEqual(["params"]);
    expect(requests.at(-1)?.body.output_config).toEqual({ effort: "max" });
    const { profile } = aiSdkWire();
    expect(profile("anthropic.messages/claude-opus-5-5").inBand).toContain("effort");
    expect(profile("vertex.anthropic.messages/claude-opus-5-5").inBand).toEqual([]);
  });

  it("gets what a host says itself without words, as the host wrote it", async () => {
    const requests = await sentBy(async (model) => {
      const history: ModelMessage[] = [];
      await turnOf(model, history, "Read a.ts.", id);
      history.push({ role: "system", content: "", providerOptions: { anthropic: { effort: "max" } } });
      await turnOf(model, history, "Read b.ts.", { ...id, allowSystemInMessages: true });
      await turnOf(model, history, "Read c.ts.", { ...id, allowSystemInMessages: true });
    });
    const said = requests.at(-1)?.body.messages.filter(({ role }) => role === "system");
    expect(said).toEqual([{ role: "system", content: [], output_config: { effort: "max" } }]);
  });

  it.each([true, false])(
    "gets a late system message with words and options of its own as the host wrote it (instructions: %s)",
    async (instructed) => {
      const more = { ...id, ...(!instructed && { instructions: undefined as never }), allowSystemInMessages: true };
      const said = { role: "system" as const, content: "Be thorough now.", providerOptions: { anthropic: { effort: "max" } } };
      const requests = await sentBy(async (model) => {
        const history: ModelMessage[] = [];
        await turnOf(model, history, "Read a.ts.", more);
        history.push({ role: "user", content: "Read b.ts." }, said);
        const options = { model, tools, instructions: "You read files.", ...more, stopWhen: isStepCount(9), messages: history };
        history.push(...(await generateText(options)).responseMessages);
        await turnOf(model, history, "Read c.ts.", more);
      });
      for (const { body } of requests.slice(2)) {
        expect(body.messages.filter(({ role }) => role === "system")).toEqual([
          { role: "system", content: [{ type: "text", text: "Be thorough now." }], output_config: { effort: "max" } },
        ]);
        expect(body.output_config).toBeUndefined();
      }
    },
  );

  it("is told of tools that come and go, by definition and by name", async () => {
    const requests = await sentBy(async (model) => {
      const history: ModelMessage[] = [];
      const { read, list } = tools;
      for (const offered of [{ read }, { read, list }, { list }]) await turnOf(model, history, "Look.", { ...id, tools: offered as never });
    });
    expect(requests.map(({ body }) => (body.tools as readonly object[]).length)).toEqual(requests.map(() => 1));
    const changes = requests
      .at(-1)
      ?.body.messages.filter(({ role }) => role === "system")
      .map(({ content }) => content);
    expect(changes).toMatchObject([
      [{ type: "tool_addition", tool: { type: "tool_definition", definition: { name: "list", description: "Lists a folder." } } }],
      [{ type: "tool_removal", tool: { type: "tool_reference", name: "read" } }],
    ]);
    expect(requests.at(-1)?.betas).toContain("inline-tools-2026-09-15");
  });
});

describe("tools that are not active for a turn", () => {
  const play = async (host: Host): Promise<ReturnType<Host["simulate"]>> => {
    const sim = host.simulate(working(2));
    const model = withTidemark(host.model(sim));
    const history: ModelMessage[] = [];
    await turnOf(model, history, "Read a.ts.", id);
    await turnOf(model, history, "Read b.ts.", { ...id, activeTools: ["read"] as never });
    expect(refused(sim)).toEqual([]);
    return sim;
  };

  it("stay declared, and the SDK itself answers a call of one with what may be called", async () => {
    const sim = await play(chat);
    expect(sim.requests.map(({ body }) => (body.tools as readonly object[]).length)).toEqual([2, 2, 2, 2]);
    expect(sim.requests[3]?.text).toContain("unavailable tool 'list'. Available tools: read.");
  });

  it("are left out of the choice where the provider has one that is no part of the prefix (OpenAI Responses)", async () => {
    const sim = await play(responses);
    expect(sim.requests.map(({ body }) => body.tool_choice)).toEqual([
      "auto",
      "auto",
      ...Array.from({ length: 2 }, () => ({ type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "read" }] })),
    ]);
  });

  it("are a checkpoint where the host wants it so", async () => {
    const sim = chat.simulate(working(2));
    const reasons: string[] = [];
    const model = withTidemark(chat.model(sim), {
      sessions: { toolChanges: "checkpoint" },
      onCheckpoint: ({ reason }) => reasons.push(reason),
    });
    const history: ModelMessage[] = [];
    await turnOf(model, history, "Read a.ts.", id);
    await turnOf(model, history, "Read b.ts.", { ...id, activeTools: ["read"] as never });
    expect(reasons).toEqual(["tools"]);
    expect(sim.requests.at(-1)?.body.tools).toHaveLength(1);
  });
});

describe("cache marks", () => {
  it("on a message of several results are one, where the provider's package makes one of each (OpenRouter)", async () => {
    const mark = { providerOptions: { openrouter: { cacheControl: { type: "ephemeral" } } } };
    const part = (index: number) => ({ toolCallId: `c${index}`, toolName: "list" });
    const calls = [0, 1, 2].map((index) => ({ type: "tool-call" as const, ...part(index), input: { path: `${index}` } }));
    const results = [0, 1, 2].map((index) => ({
      type: "tool-result" as const,
      ...part(index),
      output: { type: "text" as const, value: "Empty." },
    }));
    const run = async (wrap: (model: LanguageModelV4) => LanguageModelV4) => {
      const sim = openrouter.simulate(working(1));
      const messages: ModelMessage[] = [
        { role: "user", content: "List." },
        { role: "assistant", content: calls },
        { role: "tool", content: results, ...mark },
      ];
      await generateText({ model: wrap(openrouter.model(sim)), tools, messages, ...id });
      return sim.requests[0]?.text.match(/"cache_control"/g)?.length;
    };
    expect(await run((model) => model)).toBe(3);
    expect(await run((model) => withTidemark(model))).toBe(1);
  });

  const mark = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" as const } } } };
  const messages = (count: number): ModelMessage[] =>
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0
        ? { role: "user", content: [{ type: "text", text: `Question ${index}`, ...mark }] }
        : { role: "assistant", content: [{ type: "text", text: `Answer ${index}`, ...mark }] },
    );

  it("beyond four: the provider's package drops the newest, Tidemark the oldest, and the words stay", async () => {
    const run = async (wrap: (model: LanguageModelV4) => LanguageModelV4) => {
      const sim = claude.simulate(working(1));
      await generateText({ model: wrap(claude.model(sim)), messages: messages(7), ...id });
      const sent = sim.requests[0]?.body.messages as readonly { content: readonly object[] }[];
      return sent.map(({ content }) => (content.some((block) => "cache_control" in block) ? "x" : "-")).join("");
    };
    expect(await run((model) => model)).toBe("xxxx---");
    expect(await run((model) => withTidemark(model))).toBe("---xxxx");
  });

  it("are asked of the provider where the host set none, and left to the host where it did", async () => {
    const sim = claude.simulate(working(1));
    const model = withTidemark(claude.model(sim));
    await generateText({ model, prompt: "Hello", ...id });
    await generateText({ model, messages: messages(1), stopWhen: isStepCount(1), ...named("two") });
    expect(sim.requests[0]?.body).toMatchObject({ cache_control: { type: "ephemeral" } });
    expect(sim.requests[1]?.body).not.toHaveProperty("cache_control");
  });
});
