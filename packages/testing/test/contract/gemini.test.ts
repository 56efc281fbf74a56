import type { ObjectValue } from "@tidemark/core";
import { gemini } from "@tidemark/core/gemini";
import { geminiRuleSamples } from "../../../core/test/rule-samples/gemini.ts";
import { type Said, type WireSubject, wireContract } from "../../src/contract.ts";
import { streamOf } from "../../src/simulator/gemini/stream.ts";

const model = "gemini-3.8-flash";
const usageMetadata = {
  promptTokenCount: 40,
  cachedContentTokenCount: 16,
  candidatesTokenCount: 9,
  thoughtsTokenCount: 3,
  totalTokenCount: 52,
};
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};
const functionDeclarations = ["look", "ask"].map((name) => ({ name, parametersJsonSchema: { type: "object" } }));
const noMarks = "caching is implicit, and there is nothing to mark";

const answer = (parts: readonly ObjectValue[], more: ObjectValue = { usageMetadata }): ObjectValue => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
  modelVersion: model,
  responseId: "r",
  ...more,
});

/** A thought is shown, and what it was about is signed: the first call, or an empty text behind the last words, as in a stream. */
function partsOf({ reasoning, text, calls = [] }: Said): readonly ObjectValue[] {
  const signature = reasoning === undefined ? undefined : btoa(encodeURIComponent(reasoning));
  const words = text === undefined ? [] : [{ text }];
  const called = calls.map(({ id, name, input }, at) => ({
    functionCall: { id, name, args: input },
    // The provider signs the first call of every reply.
    ...(at === 0 && { thoughtSignature: signature ?? "c2ln" }),
  }));
  const thought = reasoning === undefined ? [] : [{ thought: true, text: reasoning }];
  const seal = signature === undefined || calls.length > 0 ? [] : [{ text: "", thoughtSignature: signature }];
  return [...thought, ...words, ...called, ...seal] as readonly ObjectValue[];
}

const unsigned = (part: ObjectValue): readonly ObjectValue[] => {
  const { thoughtSignature: _signature, ...rest } = part;
  return rest.thought === true || rest.text === "" ? [] : [rest as ObjectValue];
};

const bodyOf = (messages: readonly ObjectValue[], asked: string) => ({
  model: asked,
  systemInstruction: { parts: [{ text: "You keep lamps." }] },
  tools: [{ functionDeclarations }],
  contents: messages,
});
const paramsOf = (messages: readonly ObjectValue[], asked: string) => ({
  model: asked,
  contents: messages,
  config: { systemInstruction: { parts: [{ text: "You keep lamps." }] }, tools: [{ functionDeclarations }] },
});

const user = (...parts: readonly ObjectValue[]): ObjectValue => ({ role: "user", parts });
const callAndResult = (args: ObjectValue): readonly ObjectValue[] => [
  user({ text: "Look." }),
  { role: "model", parts: [{ functionCall: { name: "look", args }, thoughtSignature: "c2ln" }] },
  user({ functionResponse: { name: "look", response: { output: "Lit." } } }),
];

function subject(name: string, request: WireSubject["request"]): WireSubject {
  return {
    name,
    wire: gemini() as unknown as WireSubject["wire"],
    model,
    otherModel: "gemini-2.5-flash",
    request,
    user: (text) => user({ text }),
    results: (results) => [
      user(...results.map(({ id, name: called, text }) => ({ functionResponse: { id, name: called, response: { output: text } } }))),
    ],
    reply: (said) => answer(partsOf(said)),
    stream: (reply, pieceUnits) => streamOf(reply, pieceUnits).map(({ data }) => data as ObjectValue),
    withoutReasoning: (message) => ({ ...message, parts: (message.parts as readonly ObjectValue[]).flatMap(unsigned) }),
    samples: {
      replies: [
        {
          title: "code that ran",
          reply: answer([
            { executableCode: { language: "PYTHON", code: "1" }, thoughtSignature: "c2ln" },
            { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
            { text: "One." },
          ]),
        },
        {
          title: "a server tool",
          reply: answer([
            { toolCall: { id: "t", toolType: "GOOGLE_SEARCH_WEB", args: { q: ["a"] } }, thoughtSignature: "YQ==" },
            { toolResponse: { id: "t", response: {} }, thoughtSignature: "Yg==" },
            { text: "So." },
          ]),
        },
        {
          title: "a picture",
          reply: answer([{ text: "Here." }, { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" }, thoughtSignature: "c2ln" }]),
        },
        { title: "signed words", reply: answer([{ text: "Far.", thoughtSignature: "c2ln" }]) },
        {
          title: "calls without ids",
          reply: answer([
            { functionCall: { name: "look", args: {} }, thoughtSignature: "c2ln" },
            { functionCall: { name: "look", args: { a: 1 } } },
          ]),
        },
      ],
      rules: geminiRuleSamples,
      alike: [
        { title: "a role and none", given: [user({ text: "Hello." })], again: [{ parts: [{ text: "Hello." }] }] },
        { title: "blank text beside words and none", given: [user({ text: "Hello." })], again: [user({ text: "Hello." }, { text: "" })] },
        {
          title: "names in camelCase and snake_case",
          given: [user({ inlineData: { mimeType: "image/png", data: "AA==" } })],
          again: [user({ inline_data: { mime_type: "image/png", data: "AA==" } })],
        },
        {
          title: "a member that is null and one that is absent",
          given: [user({ text: "Hello." })],
          again: [user({ text: "Hello.", thought: null, functionCall: null })],
        },
        {
          title: "contents cut otherwise",
          given: [user({ text: "Hello." }, { text: "You." })],
          again: [user({ text: "Hello." }), user({ text: "You." })],
        },
        { title: "a result whose store lost its signature", given: callAndResult({ b: 1, a: 2 }), again: callAndResult({ a: 2, b: 1 }) },
      ],
      usages: [
        {
          title: "cached tokens",
          reply: answer([]),
          usage: { ...unreported, prompt: 40, uncached: 24, cacheRead: 16, output: 12, reasoning: 3 },
        },
        {
          title: "none cached",
          reply: answer([], { usageMetadata: { promptTokenCount: 40, cachedContentTokenCount: 0, candidatesTokenCount: 9 } }),
          usage: { ...unreported, prompt: 40, uncached: 40, cacheRead: 0, output: 9 },
        },
        {
          title: "a server tool's own prompt",
          reply: answer([], { usageMetadata: { promptTokenCount: 40, toolUsePromptTokenCount: 5, candidatesTokenCount: 9 } }),
          usage: { ...unreported, prompt: 45, output: 9 },
        },
        { title: "no usage", reply: answer([], {}), usage: unreported },
      ],
      overflows: [
        {
          error: {
            error: {
              code: 400,
              message: "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).",
              status: "INVALID_ARGUMENT",
            },
          },
          says: { tokens: 3_475_108, limit: 1_048_576 },
        },
        { error: { error: { code: 429, message: "You exceeded your current quota.", status: "RESOURCE_EXHAUSTED" } }, says: undefined },
      ],
      marked: [],
      unknown: [
        { title: "a part", message: user({ text: "So." }, { hologram: { b: 1, a: [2] } }) },
        { title: "a member of a part", message: user({ text: "So.", mood: { b: 1, a: 2 } }) },
        { title: "a member of a content", message: { ...user({ text: "So." }), mood: "calm" } },
        { title: "a part of a reply", message: { role: "model", parts: [{ text: "So." }, { hologram: [1] }] } },
      ],
    },
    exempt: { hostMarks: noMarks, emptyText: "blank text alone is taken by the provider (recorded), and kept" },
  };
}

wireContract(subject("gemini, the REST body", bodyOf));
wireContract(subject("gemini, the SDK's parameters", paramsOf));
