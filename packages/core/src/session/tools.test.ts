import { describe, expect, test } from "vitest";
import { anthropicSpeaker, chatSpeaker, type Speaker, speakers } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession } from "./create-session.ts";

type Tool = { readonly [member: string]: unknown };

function tool(speaker: Speaker, name: string, description = `Does ${name}.`): Tool {
  const schema = { type: "object", properties: {} };
  return speaker === anthropicSpeaker
    ? { name, description, input_schema: schema }
    : { type: "function", function: { name, description, parameters: schema } };
}

function offering(talk: Talk, speaker: Speaker, ...names: readonly string[]): void {
  talk.head = { max_tokens: 1_000, tools: names.map((name) => tool(speaker, name)) };
}

function namesIn(talk: Talk): readonly string[] {
  const tools = (talk.turn?.request["tools"] ?? []) as readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
  return tools.map((item) => item.name ?? item.function?.name ?? "");
}

const appends: TalkOptions = { toolChanges: "append" };

async function step(talk: Talk, words = "go on"): Promise<readonly string[]> {
  const before = bytes(talk.turn);
  const turn = await talk.ask(words);
  if (breaks(turn).length === 0) expect(bytes(turn).slice(0, before.length)).toEqual(before);
  talk.answer({ thinking: `about ${words}`, text: "yes" });
  return breaks(turn);
}

describe('tools with toolChanges: "append" (rule 25)', () => {
  test("come and go in band where the wire has a form for it; the declared list stays", async () => {
    const talk = new Talk({ ...appends, headers: true });
    offering(talk, anthropicSpeaker, "read", "grep");
    await step(talk);
    offering(talk, anthropicSpeaker, "read", "grep", "write");
    expect(await step(talk)).toEqual([]);
    expect(namesIn(talk)).toEqual(["read", "grep"]);
    expect(talk.turn?.headers["anthropic-beta"]).toContain("mid-conversation-tool-changes-2026-07-01,inline-tools-2026-09-15");
    expect(sent(talk.turn).at(-1)).toEqual({
      role: "system",
      content: [{ type: "tool_addition", tool: { type: "tool_definition", definition: tool(anthropicSpeaker, "write") } }],
    });
    expect(await step(talk)).toEqual([]);
    expect(talk.turn?.said).toEqual([]);
    offering(talk, anthropicSpeaker, "write");
    expect(await step(talk)).toEqual([]);
    expect(sent(talk.turn).at(-1)).toMatchObject({
      content: [
        { type: "tool_removal", tool: { type: "tool_reference", name: "read" } },
        { type: "tool_removal", tool: { type: "tool_reference", name: "grep" } },
      ],
    });
    expect(talk.session.checkCall("read")).toBe("The tool read is not available now. Go on without it.");
    talk.restore();
    offering(talk, anthropicSpeaker, "write", "read");
    expect(await step(talk)).toEqual([]);
    expect(sent(talk.turn).at(-1)).toMatchObject({ content: [{ type: "tool_addition", tool: { type: "tool_reference", name: "read" } }] });
    expect(talk.session.checkCall("read")).toBeUndefined();
    expect(JSON.stringify(sent(talk.turn))).toContain("about go on");
  });

  test("that are defined anew, or added where the wire has no such form, are a tools checkpoint", async () => {
    const talk = new Talk({ ...appends, headers: true });
    offering(talk, anthropicSpeaker, "read");
    await step(talk);
    offering(talk, anthropicSpeaker, "read", "write");
    await step(talk);
    talk.head = { max_tokens: 1_000, tools: [tool(anthropicSpeaker, "read", "Reads anew."), tool(anthropicSpeaker, "write")] };
    expect(await step(talk)).toEqual(["tools at 0"]);
    // What an event defined is declared in the same place, and the event goes.
    expect(namesIn(talk)).toEqual(["read", "write"]);
    expect(allOf(talk.turn)).not.toContain("tool_addition");
    for (const [speaker, options] of [
      [chatSpeaker, appends],
      [anthropicSpeaker, appends],
    ] as const) {
      const other = new Talk(options, speaker);
      offering(other, speaker, "read");
      await step(other);
      offering(other, speaker, "read", "write");
      expect(await step(other)).toEqual(["tools at 0"]);
      expect(namesIn(other)).toEqual(["read", "write"]);
    }
  });

  test.each(speakers)("that are no longer handed over stay declared on $name, and their calls are refused at dispatch", async (speaker) => {
    const talk = new Talk(appends, speaker);
    offering(talk, speaker, "read", "write");
    await step(talk);
    offering(talk, speaker, "read");
    expect(await step(talk)).toEqual([]);
    expect(namesIn(talk)).toEqual(["read", "write"]);
    expect(talk.session.checkCall("write")).toContain("not available");
    expect(talk.session.checkCall("functions.write")).toContain("not available");
    expect(talk.session.checkCall("read")).toBeUndefined();
    talk.restore();
    expect(talk.session.checkCall("write")).toContain("not available");
    offering(talk, speaker, "read", "write");
    expect(await step(talk)).toEqual([]);
    expect(talk.session.checkCall("write")).toBeUndefined();
  });

  test("that a request leaves out altogether stay declared, and tool_choice says that there are none for once", async () => {
    const talk = new Talk(appends, chatSpeaker);
    offering(talk, chatSpeaker, "read");
    await step(talk);
    talk.head = { max_tokens: 1_000 };
    expect(await step(talk)).toEqual([]);
    expect(talk.turn?.request["tool_choice"]).toBe("none");
    expect(talk.session.checkCall("read")).toContain("not available");
  });

  test("offered for once are a list of allowed tools where the server has one, and a refusal at dispatch everywhere", async () => {
    const speaker: Speaker = { ...chatSpeaker, model: "gpt-5.5", wire: openaiChat() as unknown as Speaker["wire"] };
    const talk = new Talk({}, speaker);
    talk.head = { tools: ["read", "write"].map((name) => tool(speaker, name)) };
    talk.history = [speaker.user("one")];
    const turn = await talk.session.prepare(talk.request(), { offer: ["read"] });
    expect(turn.request["tool_choice"]).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "read" } }] },
    });
    expect(talk.session.checkCall("write")).toContain("not available");
    const next = await talk.session.prepare(talk.request());
    expect(next.request).not.toHaveProperty("tool_choice");
    expect(talk.session.checkCall("write")).toBeUndefined();
  });
});

test("a choice names each tool as its kind is named, those that were added in band among them (rule 25)", async () => {
  const session = createSession({ wire: openaiResponses(), strict: true, toolChanges: "append" });
  const named = (name: string, type = "function"): object => ({
    type,
    name,
    ...(type === "function" ? { parameters: { type: "object" } } : {}),
  });
  const input: object[] = [{ role: "user", content: "one" }];
  const provided = [{ type: "web_search" }, { type: "mcp", server_label: "docs", server_url: "https://docs.example" }];
  const tools = [named("read"), named("patch", "custom"), ...provided];
  const turn = await session.prepare({ model: "gpt-5.5", store: false, tools, input });
  turn.settle({
    status: "completed",
    output: [{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "a" }] }],
  });
  input.push({ role: "assistant", content: "a" }, { role: "user", content: "two" });
  const next = await session.prepare(
    { model: "gpt-5.5", store: false, tools: [...tools, named("write")], input },
    { offer: ["patch", "write", "web_search", "mcp docs"] },
  );
  expect(next.request).toMatchObject({
    tools,
    tool_choice: {
      type: "allowed_tools",
      tools: [
        { type: "custom", name: "patch" },
        { type: "web_search" },
        { type: "mcp", server_label: "docs" },
        { type: "function", name: "write" },
      ],
    },
  });
});

describe("a banned tool (rule 25)", () => {
  test.each(speakers)("is refused at dispatch on $name, under whatever name it is called, until it is allowed again", async (speaker) => {
    const talk = new Talk({ toolAliases: { shell: "bash", terminal: "bash" } }, speaker);
    offering(talk, speaker, "read", "bash", "mcp__docs__bash");
    await step(talk);
    talk.session.tools.ban("bash", "The user does not allow it.");
    for (const called of ["bash", "Bash", "functions.bash", "mcp__shell__bash", "shell:bash", "shell", "terminal", "default_api.BASH"])
      expect(talk.session.checkCall(called)).toBe(`The tool ${called} may not be used now. The user does not allow it.`);
    for (const called of ["read", "mcp__docs__bash", "rebash"]) expect(talk.session.checkCall(called)).toBeUndefined();
    talk.restore();
    expect(talk.session.checkCall("bash")).toContain("may not be used");
    expect(await step(talk)).toEqual([]);
    expect(namesIn(talk)).toEqual(["read", "bash", "mcp__docs__bash"]);
    talk.session.tools.allow("bash");
    expect(talk.session.checkCall("shell")).toBeUndefined();
  });

  test("is withdrawn in band where the wire has a form for it, and offered again when it is allowed", async () => {
    const talk = new Talk({ ...appends, headers: true });
    offering(talk, anthropicSpeaker, "read", "bash");
    await step(talk);
    talk.session.tools.ban("bash");
    expect(await step(talk)).toEqual([]);
    expect(JSON.stringify(sent(talk.turn).at(-1))).toContain('"tool_removal","tool":{"type":"tool_reference","name":"bash"}');
    talk.session.tools.allow("bash");
    expect(await step(talk)).toEqual([]);
    expect(JSON.stringify(sent(talk.turn).at(-1))).toContain('"tool_addition","tool":{"type":"tool_reference","name":"bash"}');
  });
});

describe("tools that were added in band", () => {
  const toOlder = (talk: Talk): void => {
    talk.head = { ...talk.head, model: "claude-sonnet-5" };
  };

  test("are declared to a model that lacks the form, and once only when the first model is back (rules 15 and 25)", async () => {
    const talk = new Talk({ ...appends, headers: true });
    offering(talk, anthropicSpeaker, "read");
    await step(talk);
    offering(talk, anthropicSpeaker, "read", "write");
    await step(talk);
    await step(talk);
    toOlder(talk);
    expect(await step(talk)).toEqual(["model at 0", "tools at 0"]);
    expect(namesIn(talk)).toEqual(["read", "write"]);
    expect(allOf(talk.turn)).not.toContain("tool_addition");
    expect(await step(talk)).toEqual([]);
    talk.restore();
    offering(talk, anthropicSpeaker, "read", "write");
    expect(await step(talk)).toEqual(["model at 0"]);
    expect([namesIn(talk), allOf(talk.turn).includes("tool_addition")]).toEqual([["read", "write"], false]);
    offering(talk, anthropicSpeaker, "read", "write", "grep");
    expect(await step(talk)).toEqual([]);
    expect(namesIn(talk)).toEqual(["read", "write"]);
  });

  test("and taken back are no matter to a model that lacks the form: what was said comes back with the model that reads it (rule 15)", async () => {
    const talk = new Talk({ ...appends, headers: true });
    offering(talk, anthropicSpeaker, "read", "grep");
    await step(talk);
    offering(talk, anthropicSpeaker, "read");
    await step(talk);
    const before = bytes(talk.turn);
    toOlder(talk);
    expect(await step(talk)).toEqual(["model at 0"]);
    expect(allOf(talk.turn)).not.toContain("tool_removal");
    expect(namesIn(talk)).toEqual(["read", "grep"]);
    expect(talk.session.checkCall("grep")).toContain("not available");
    offering(talk, anthropicSpeaker, "read");
    expect(await step(talk)).toEqual(["model at 0"]);
    expect(bytes(talk.turn).slice(0, before.length)).toEqual(before);
  });

  test("and defined anew are declared, and no event defines them, too; a turn from before that goes back to neither", async () => {
    const talk = new Talk({ ...appends, headers: true });
    offering(talk, anthropicSpeaker, "read");
    await step(talk);
    offering(talk, anthropicSpeaker, "read", "write");
    await step(talk);
    const branch = talk.history;
    talk.head = { max_tokens: 1_000, tools: [tool(anthropicSpeaker, "read"), tool(anthropicSpeaker, "write", "Writes anew.")] };
    expect(await step(talk)).toEqual(["tools at 0"]);
    expect(namesIn(talk)).toEqual(["read", "write"]);
    expect(allOf(talk.turn)).not.toContain("tool_addition");
    expect(await step(talk)).toEqual([]);
    talk.history = branch;
    await step(talk);
    expect([namesIn(talk), allOf(talk.turn).includes("tool_addition")]).toEqual([["read", "write"], false]);
  });
});
