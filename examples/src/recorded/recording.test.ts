import { describe, expect, test } from "vitest";
import { readRecording } from "./recording.ts";
import { RecordingError } from "./recording-error.ts";

const question = { role: "user", content: "Is the lamp lit?" };
const answer = { role: "assistant", content: [{ type: "text", text: "Since dusk." }] };
const next = { role: "user", content: "And the horn?" };
const history = [question, answer, next];
const first = { model: "claude-sonnet-5-5", max_tokens: 100, messages: [question] };
const second = { ...first, messages: history };
const lines = (...values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join("\n");

describe("what is read", () => {
  const called = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "horn", arguments: "{}" } }],
  };
  const chat = [question, called, { role: "tool", tool_call_id: "c1", content: "on" }];

  test.each([
    ["an array of messages", JSON.stringify(history)],
    ["messages, one a line", lines(...history)],
    ["a history with its head", JSON.stringify({ system: "Keep the light.", tools: [], messages: history }, null, 2)],
    ["an array of bodies", JSON.stringify([first, second])],
    ["bodies, one a line, with empty lines between", `${JSON.stringify(first)}\n\n${JSON.stringify(second)}\n`],
    ["bodies wrapped in request", lines({ request: first }, { request: second })],
    ["bodies wrapped in body", lines({ at: 1, body: first }, { at: 2, body: second })],
    [
      "bodies that are text in their wrapper",
      lines({ request: { body: JSON.stringify(first) } }, { request: { body: JSON.stringify(second) } }),
    ],
  ])("%s", (_name, text) => {
    const { steps, wire } = readRecording("a.json", text);
    expect(steps.map(({ body }) => body.messages)).toEqual([[question], history]);
    expect(steps[0]?.reply).toEqual(answer);
    expect(steps[1]?.reply).toBeUndefined();
    expect(["anthropic", "openai-chat"]).toContain(wire);
  });

  test("both wires are told by their shape", () => {
    expect(readRecording("a.jsonl", lines(first, second)).wire).toBe("anthropic");
    expect(readRecording("a.json", JSON.stringify(chat)).wire).toBe("openai-chat");
    expect(readRecording("a.json", JSON.stringify([{ role: "system", content: "Keep the light." }, question])).wire).toBe("openai-chat");
  });

  test("a response beside a request is its reply, on either wire", () => {
    const own = readRecording("a.jsonl", lines({ request: first, response: { content: answer.content } }, { request: first }));
    expect(own.steps[0]?.reply).toEqual(answer);
    const choices = { choices: [{ message: called }] };
    const other = readRecording("a.jsonl", lines({ body: { model: "m", messages: [question] }, response: choices }, { body: first }));
    expect(other.steps[0]?.reply).toEqual(called);
  });

  test("what a store keeps beside a message is not sent, and is named", () => {
    const stored = readRecording("a.json", JSON.stringify([question, { ...answer, id: "msg_1", usage: {} }, next]));
    expect(stored.steps[1]?.body.messages).toEqual(history);
    expect(stored.assumed.join()).toContain("id, usage");
  });

  test("headers that change what the provider takes go along, others do not", () => {
    const headers = { "Anthropic-Beta": "some-beta", Authorization: "secret" };
    const { steps } = readRecording("a.jsonl", lines({ request: { headers, body: first } }, { body: second }));
    expect(steps[0]?.headers).toEqual({ "anthropic-beta": "some-beta" });
  });
});

describe("what cannot be read is named with its file, its line and what was expected", () => {
  test.each([
    ["an empty file", "  \n", undefined, "the file is empty"],
    ["no JSON", "Lamp lit.", 1, "this is no JSON"],
    ["JSON that breaks off", '[\n{"role": "user",\n"content": "Is the', 3, "this is no JSON"],
    ["a comma too many", '{\n"messages": [],\n}', 3, "this is no JSON"],
    ["a line that is no JSON", `${lines(first)}\nlamp`, 2, "this line is no JSON"],
    ["something else among messages", `[\n${JSON.stringify(question)},\n{"lamp": 1}\n]`, 3, "an object with `lamp`, and no message"],
    ["something else among requests", lines(first, { lamp: 1 }), 2, "holds no `messages`"],
    ["a request with a message without role", lines(first, { messages: [7] }), 2, "messages[0] is a number"],
    ["JSON of something else", '{"lamp": {"lit": true}}', 1, "an object with `lamp`, and holds no `messages`"],
    ["an empty array", "[]", undefined, "the array is empty"],
    ["a history without a message", '{"messages": []}', undefined, "nothing to send"],
  ])("%s", (_name, text, line, words) => {
    const read = (): unknown => readRecording("lamp.json", text);
    expect(read).toThrow(RecordingError);
    expect(read).toThrow(expect.objectContaining({ code: "unreadable-recording", file: "lamp.json", line }));
    expect(read).toThrow(words);
    expect(read).toThrow(/^lamp\.json.*Expected .+\.$/s);
  });
});
