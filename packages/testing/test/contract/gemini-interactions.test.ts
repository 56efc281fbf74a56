import type { ObjectValue } from "@tidemark/core";
import { geminiInteractions } from "@tidemark/core/gemini";
import { interactionRuleSamples } from "../../../core/test/rule-samples/gemini-interactions.ts";
import { type Said, type WireSubject, wireContract } from "../../src/contract.ts";
import { interactionEvents } from "../../src/simulator/gemini/interaction-reply.ts";

const model = "gemini-3.8-flash";
const usage = {
  total_tokens: 52,
  total_input_tokens: 40,
  total_cached_tokens: 16,
  total_output_tokens: 9,
  total_thought_tokens: 3,
  total_tool_use_tokens: 0,
};
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};
const tools = ["look", "ask"].map((name) => ({ type: "function", name, parameters: { type: "object" } }));

const answer = (steps: readonly ObjectValue[], more: ObjectValue = { usage }): ObjectValue => ({
  id: "v1",
  status: "completed",
  object: "interaction",
  model,
  steps,
  ...more,
});
const words = (type: string, text: string): ObjectValue => ({ type, content: [{ type: "text", text }] });
const user = (text: string): ObjectValue => words("user_input", text);

function stepsOf({ reasoning, text, calls = [] }: Said): readonly ObjectValue[] {
  const thought =
    reasoning === undefined
      ? []
      : [{ type: "thought", signature: btoa(encodeURIComponent(reasoning)), summary: [{ type: "text", text: reasoning }] }];
  const output = text === undefined ? [] : [words("model_output", text)];
  return [
    ...thought,
    ...output,
    ...calls.map(({ id, name, input }) => ({ type: "function_call", id, name, arguments: input })),
  ] as readonly ObjectValue[];
}

wireContract({
  name: "gemini-interactions",
  wire: geminiInteractions() as unknown as WireSubject["wire"],
  model,
  otherModel: "gemini-2.5-flash",
  request: (messages, asked) => ({ model: asked, system_instruction: "You keep lamps.", tools, store: false, input: messages }),
  user,
  results: (results) => results.map(({ id, name, text }) => ({ type: "function_result", call_id: id, name, result: text })),
  reply: (said) => answer(stepsOf(said)),
  stream: (reply, pieceUnits) => interactionEvents(reply, pieceUnits).map(({ data }) => data as ObjectValue),
  withoutReasoning: (message) => (message.type === "thought" ? { type: "model_output", content: [] } : message),
  samples: {
    replies: [
      {
        title: "a server tool",
        reply: answer([
          { type: "google_search_call", id: "s", arguments: { queries: ["a"] }, signature: "YQ==" },
          { type: "google_search_result", call_id: "s", is_error: false, result: [{ b: 1 }] },
          words("model_output", "So."),
        ]),
      },
      { title: "two outputs in a row", reply: answer([words("model_output", "So."), words("model_output", "Then.")]) },
      {
        title: "words with annotations and a picture",
        reply: answer([
          {
            type: "model_output",
            content: [
              { type: "text", text: "Lit.", annotations: [{ type: "url_citation", url: "u" }] },
              { type: "image", mime_type: "image/png", data: "AA==" },
            ],
          },
        ]),
      },
      { title: "a thought without a summary", reply: answer([{ type: "thought", signature: "YQ==" }, words("model_output", "So.")]) },
    ],
    rules: interactionRuleSamples,
    alike: [
      { title: "a string and one text", given: [user("Hello.")], again: [{ type: "user_input", content: "Hello." }] },
      {
        title: "blank text beside words and none",
        given: [user("Hello.")],
        again: [
          {
            type: "user_input",
            content: [
              { type: "text", text: "Hello." },
              { type: "text", text: "" },
            ],
          },
        ],
      },
      { title: "a member that is null and one that is absent", given: [user("Hello.")], again: [{ ...user("Hello."), name: null }] },
    ],
    usages: [
      {
        title: "cached tokens",
        reply: answer([]),
        usage: { ...unreported, prompt: 40, uncached: 24, cacheRead: 16, output: 12, reasoning: 3 },
      },
      {
        title: "none cached",
        reply: answer([], { usage: { total_input_tokens: 40, total_cached_tokens: 0, total_output_tokens: 9 } }),
        usage: { ...unreported, prompt: 40, uncached: 40, cacheRead: 0, output: 9 },
      },
      { title: "no usage", reply: answer([], {}), usage: unreported },
    ],
    overflows: [
      {
        error: {
          error: {
            message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
            code: "invalid_request",
          },
        },
        says: { tokens: 1_200_293, limit: 1_048_576 },
      },
      { error: { error: { message: "invalid JSON in genai.Interaction", code: "invalid_request" } }, says: undefined },
    ],
    marked: [],
    unknown: [
      {
        title: "a content",
        message: {
          type: "user_input",
          content: [
            { type: "text", text: "So." },
            { type: "hologram", data: { b: 1, a: [2] } },
          ],
        },
      },
      { title: "a member of a step", message: { ...user("So."), mood: { b: 1, a: 2 } } },
      { title: "a step", message: { type: "of_tomorrow", id: "t", said: [1] } },
    ],
  },
  exempt: { hostMarks: "caching is implicit, and there is nothing to mark" },
});
