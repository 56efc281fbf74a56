import { describe, expect, test } from "vitest";
import { anthropicSpeaker, type Block, chatSpeaker, type Message, text, thinking } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { gemini } from "../adapters/gemini/index.ts";
import { ollama } from "../adapters/ollama/index.ts";
import { createSession, type ObjectValue, restoreSession, type Wire } from "../index.ts";

/** Replies as frameworks write them anew before they hand them back. */
describe("a settled reply is found again by what it says and calls, however a framework wrote it (rule 6)", () => {
  test("with a name beside it: its reasoning goes out, and so does the name", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("read it");
    const reply = talk.message({ thinking: "which?", calls: [{ id: "c1" }] });
    talk.turn?.settle(chatSpeaker.replied(reply));
    const { reasoning_content: _lost, ...kept } = reply;
    talk.history = [...talk.history, { ...kept, name: "model" }];
    const turn = await talk.results(["c1", "text"]);
    expect(allOf(turn)).toContain("which?");
    expect(allOf(turn)).toContain(`"name":"model"`);
    expect(breaks(turn)).toEqual([]);
    talk.restore();
    talk.history = JSON.parse(JSON.stringify(talk.history)) as Message[];
    const again = await talk.ask("go on");
    expect(bytes(again).slice(0, bytes(turn).length)).toEqual(bytes(turn));
    expect(breaks(again)).toEqual([]);
  });

  test("of nothing but reasoning is not met where the host has another reply", async () => {
    const talk = new Talk();
    await talk.ask("go");
    talk.turn?.settle(anthropicSpeaker.replied(talk.message([thinking("only")])));
    talk.store({ text: "another" });
    const turn = await talk.ask("go on");
    expect(sent(turn)[1]).toEqual({ role: "assistant", content: [text("another")] });
    expect(sent(turn)).toHaveLength(3);
  });

  test.each([
    ["in the same message, which is another one then", (said: readonly Block[]) => [{ role: "assistant", content: said }], false],
    ["in a message of their own", (said: readonly Block[]) => said.map((block) => ({ role: "assistant", content: [block] })), true],
  ] as const)("other words may stand behind it %s", async (_where, stored, isMet) => {
    const talk = new Talk({ strict: false });
    await talk.ask("go");
    talk.turn?.settle(anthropicSpeaker.replied(talk.message([thinking("which?"), text("here")])));
    talk.history = [...talk.history, ...stored([text("here"), text("and there")])];
    const turn = await talk.ask("go on");
    expect(allOf(turn).includes("which?")).toBe(isMet);
    expect(allOf(turn)).toContain("and there");
  });

  test("two of them in a row, each with a name: the second is the host's own", async () => {
    const talk = new Talk({}, chatSpeaker);
    await talk.ask("go");
    const reply = talk.message({ thinking: "which?", text: "here" });
    talk.turn?.settle(chatSpeaker.replied(reply));
    const named = (content: string): Message => ({ role: "assistant", content, name: "model" });
    talk.history = [...talk.history, named("here"), named("and there")];
    const turn = await talk.ask("go on");
    expect(allOf(turn)).toContain("which?");
    expect(breaks(turn)).toEqual([]);
  });

  test("another text, another call or other arguments are another reply", async () => {
    for (const other of [{ text: "there" }, { calls: [{ id: "c1", input: { path: "other" } }] }, { calls: [{ id: "c2" }] }]) {
      const talk = new Talk({}, chatSpeaker);
      await talk.ask("go");
      const made = other.text === undefined ? { calls: [{ id: "c1" }] } : { text: "here" };
      talk.turn?.settle(chatSpeaker.replied(talk.message({ thinking: "which?", ...made })));
      talk.history = [...talk.history, { ...talk.message(other), name: "model" }];
      const ids = other.calls?.map(({ id }) => [id, "text"] as const) ?? [];
      const turn = await (ids.length > 0 ? talk.results(...ids) : talk.ask("go on"));
      expect(allOf(turn)).not.toContain("which?");
    }
  });

  test.each([
    ["the same call", { id: "c1" }, true],
    ["a call of another id", { id: "c2" }, false],
    ["a call of another tool", { id: "c1", name: "write" }, false],
  ] as const)("behind a framework that fills in a schema's defaults by id and name: %s", async (_what, other, isMeant) => {
    const { abilities } = chatSpeaker.wire;
    const speaker = { ...chatSpeaker, wire: { ...chatSpeaker.wire, abilities: { ...abilities, callsRewritten: true } } };
    const talk = new Talk({}, speaker);
    await talk.ask("read it");
    const made = talk.message({
      thinking: "which?",
      calls: [
        { id: "c0", input: { path: "z.ts" } },
        { id: "c1", input: { path: "a.ts" } },
      ],
    });
    talk.turn?.settle(speaker.replied(made));
    const filledIn = { path: "a.ts", limit: 100 };
    talk.store({
      calls: [
        { id: "c0", input: { path: "z.ts" } },
        { ...other, input: filledIn },
      ],
    });
    const turn = await talk.results(["c0", "z"], [other.id, "text"]);
    expect(allOf(turn).includes("which?")).toBe(isMeant);
    expect(allOf(turn).includes("limit")).toBe(!isMeant);
  });

  const calls = (ids: readonly (string | undefined)[]): readonly ObjectValue[] =>
    ids.map((id, index) => ({ ...(id !== undefined && { id }), function: { name: "read", arguments: { path: `${index}.ts` } } }));

  test.each([
    ["ids of the framework's own, and results with them", ["u1", "u2"], true],
    ["ids of the framework's own, and results without", ["u1", "u2"], false],
    ["no ids", [undefined, undefined], false],
  ] as const)("on Ollama with %s", async (_what, ids, answersById) => {
    const wire = ollama() as unknown as Wire;
    const user = (content: string): ObjectValue => ({ role: "user", content });
    const result = (id: string | undefined, content: string): ObjectValue =>
      answersById && id !== undefined ? { role: "tool", content, tool_call_id: id } : { role: "tool", content };
    const request = (messages: readonly ObjectValue[]): object => ({ model: "qwen3:8b", messages });
    let session = createSession({ wire, strict: true, selfCheck: true });
    const history = [user("read them")];
    const made = { role: "assistant", content: "", thinking: "which?", tool_calls: calls(["c1", "c2"]) };
    (await session.prepare(request(history))).settle({ message: made, done: true, done_reason: "stop" });
    history.push({ role: "assistant", content: "", tool_calls: calls(ids) }, result(ids[0], "first"), result(ids[1], "second"));
    const turn = await session.prepare(request(history));
    const { messages } = turn.request as unknown as { readonly messages: readonly ObjectValue[] };
    expect(messages[1]).toEqual(made);
    expect(messages.slice(2).map(({ content, tool_call_id }) => [content, tool_call_id])).toEqual([
      ["first", answersById ? "c1" : undefined],
      ["second", answersById ? "c2" : undefined],
    ]);
    session = restoreSession(JSON.parse(JSON.stringify(session.snapshot())), { wire, strict: true });
    history.push({ role: "assistant", content: "done" }, user("go on"));
    const next = await session.prepare(request(structuredClone(history)));
    expect((next.request as unknown as { readonly messages: readonly ObjectValue[] }).messages.slice(0, 4)).toEqual(messages);
    expect(next.continuity.checkpoints).toEqual([]);
  });

  test("on Gemini without ids, and with a signature on a call that had none", async () => {
    const session = createSession({ wire: gemini() as unknown as Wire, strict: true, selfCheck: true });
    const call = (path: string, more: object = {}): ObjectValue => ({ functionCall: { ...more, name: "read", args: { path } } });
    const contents: ObjectValue[] = [{ role: "user", parts: [{ text: "read them" }] }];
    const request = (): object => ({ model: "gemini-3.8-flash", contents: [...contents] });
    const made = { role: "model", parts: [{ ...call("a", { id: "c1" }), thoughtSignature: "c2lnbmVk" }, call("b", { id: "c2" })] };
    (await session.prepare(request())).settle({ candidates: [{ content: made, finishReason: "STOP" }] });
    contents.push({
      role: "model",
      parts: [
        { ...call("a"), thoughtSignature: "c2lnbmVk" },
        { ...call("b"), thoughtSignature: "bWFkZSB1cA==" },
      ],
    });
    const response = (output: string): ObjectValue => ({ functionResponse: { name: "read", response: { output } } });
    contents.push({ role: "user", parts: [response("first"), response("second")] });
    const turn = await session.prepare(request());
    const sent = (turn.request as unknown as { readonly contents: readonly ObjectValue[] }).contents;
    expect(sent[1]).toEqual(made);
    expect(JSON.stringify(sent[2])).toMatch(/"id":"c1".*first.*"id":"c2".*second/);
    contents.push({ role: "model", parts: [{ text: "done" }] }, { role: "user", parts: [{ text: "go on" }] });
    const next = await session.prepare(request());
    expect((next.request as unknown as { readonly contents: readonly ObjectValue[] }).contents.slice(0, 3)).toEqual(sent);
    expect(next.continuity.checkpoints).toEqual([]);
  });
});
