import type { ObjectValue } from "@tidemark/core";
import { openaiResponses, type RouteName } from "@tidemark/core/openai-responses";
import { responsesRuleSamples } from "../../../core/test/rule-samples/openai-responses.ts";
import { type Said, type WireSubject, wireContract } from "../../src/contract.ts";
import { streamOf } from "../../src/simulator/openai-responses/stream.ts";

const model = "gpt-6.2-sol";
const usage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 16, cache_write_tokens: 8, cache_write_tokens_details: { ttl_30m_tokens: 8, ttl_12h_tokens: 0 } },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 49,
};
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};
const tools = ["look", "ask"].map((name) => ({ type: "function", name, parameters: { type: "object" }, strict: false }));
const lead = { type: "message", role: "developer", content: [{ type: "input_text", text: "You keep lamps." }] };
/** What a route asks of a request beyond the others. */
const members: { readonly [route in RouteName]?: ObjectValue } = {
  "chatgpt-plan": { store: false, stream: true, include: ["reasoning.encrypted_content"] },
};

const response = (output: readonly ObjectValue[], more: ObjectValue = {}): ObjectValue => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  model,
  output,
  usage,
  ...more,
});
const inputText = (text: string): ObjectValue => ({ type: "input_text", text });
const user = (...content: readonly ObjectValue[]): ObjectValue => ({ type: "message", role: "user", content });
const outputText = (text: string, more: ObjectValue = {}): ObjectValue => ({ type: "output_text", text, annotations: [], ...more });

let made = 0;

/** Item ids go out beside the reasoning that they belong to, and nowhere else. They never come again. */
function outputOf({ reasoning, text, calls = [] }: Said): readonly ObjectValue[] {
  const seal = reasoning === undefined ? "" : Buffer.from(reasoning).toString("hex").slice(0, 12);
  made += 1;
  const id = (prefix: string, position = 0): ObjectValue => (reasoning === undefined ? {} : { id: `${prefix}_${made}_${position}` });
  const thought = {
    type: "reasoning",
    ...id("rs"),
    summary: [{ type: "summary_text", text: reasoning ?? "" }],
    encrypted_content: `g${seal}`,
  };
  return [
    ...(reasoning === undefined ? [] : [thought]),
    ...(text === undefined ? [] : [{ type: "message", ...id("msg"), role: "assistant", status: "completed", content: [outputText(text)] }]),
    ...calls.map(({ id: call_id, name, input }, position) => ({
      type: "function_call",
      ...id("fc", position),
      status: "completed",
      call_id,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
}

function resultItem({ id, name, text }: { readonly id: string; readonly name: string; readonly text: string }): ObjectValue {
  return { type: name === "sketch" ? "custom_tool_call_output" : "function_call_output", call_id: id, output: text };
}

const marked = { ...inputText("Hello."), prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } };
const words = response([{ type: "message", role: "assistant", status: "completed", content: [outputText("Yes.")] }]);
const callAndResult = (call: ObjectValue, output: ObjectValue): readonly ObjectValue[] => [
  user(inputText("Look.")),
  { type: "function_call", call_id: "call_1", name: "look", arguments: '{"z":1,"a":2}', ...call },
  { type: "function_call_output", call_id: "call_1", output: "Lit.", ...output },
];

function subjectOf(route: RouteName): WireSubject {
  const wire = openaiResponses({ route });
  const request = (messages: readonly ObjectValue[], asked: string): ObjectValue => ({
    model: asked,
    tools,
    input: [lead, ...messages],
    ...members[route],
  });
  return {
    name: `openai-responses, ${route}`,
    wire: wire as unknown as WireSubject["wire"],
    model,
    otherModel: "gpt-4.1",
    request,
    user: (text) => user(inputText(text)),
    results: (results) => results.map(resultItem),
    reply: (said) => response(outputOf(said)),
    stream: (reply, pieceUnits) => streamOf(reply, pieceUnits).map(({ data }) => data as ObjectValue),
    // A store that drops reasoning keeps nothing of such an item; an empty message bears nothing either.
    withoutReasoning: (item) => (item.type === "reasoning" ? { type: "message", role: "assistant", content: [] } : item),
    samples: {
      replies: [
        {
          title: "a refusal",
          reply: response([
            { type: "message", role: "assistant", status: "completed", content: [{ type: "refusal", refusal: "I must not." }] },
          ]),
        },
        {
          title: "a call of a custom tool, after commentary",
          reply: response([
            { type: "reasoning", id: "rs_c", summary: [], encrypted_content: "gc" },
            { type: "message", id: "msg_c", role: "assistant", status: "completed", phase: "commentary", content: [outputText("A line.")] },
            { type: "custom_tool_call", id: "ctc_c", status: "completed", call_id: "call_c", name: "sketch", input: "line 1 2" },
          ]),
        },
        {
          title: "a search, its reasoning on both sides, and citations",
          reply: response([
            { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "g1" },
            { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "lamps", sources: null } },
            { type: "reasoning", id: "rs_2", summary: [], content: [], encrypted_content: "g2" },
            {
              type: "message",
              id: "msg_s",
              role: "assistant",
              status: "completed",
              phase: "final_answer",
              content: [
                outputText("Lit.", {
                  annotations: [{ type: "url_citation", url: "https://lamps.example", start_index: 0, end_index: 4, title: "L" }],
                }),
              ],
            },
          ]),
        },
        {
          title: "a compaction by the server",
          reply: response([
            { type: "compaction", id: "cmp_1", encrypted_content: "gcmp" },
            { type: "message", role: "assistant", status: "completed", content: [outputText("Where were we?")] },
          ]),
        },
      ],
      rules: responsesRuleSamples
        .filter(({ route: own }) => own === undefined || own === route)
        .map((sample) => ({ ...sample, ...onRoute(sample, route) })),
      alike: [
        { title: "a string and one text part", given: [{ role: "user", content: "Hello." }], again: [user(inputText("Hello."))] },
        { title: "one text part and a string", given: [user(inputText("Hello."))], again: [{ role: "user", content: "Hello." }] },
        {
          title: "a member that is null and one that is absent",
          given: [user(inputText("Hello."))],
          again: [{ ...user(inputText("Hello.")), id: null }],
        },
        {
          title: "an output that is a string and one text part",
          given: callAndResult({}, {}),
          again: callAndResult({}, { output: [inputText("Lit.")] }),
        },
        {
          title: "item ids and status that a store drops",
          given: callAndResult({ id: "fc_1", status: "completed" }, { id: "fco_1" }),
          again: callAndResult({}, {}),
        },
        {
          title: "arguments that parse to the same value",
          given: callAndResult({}, {}),
          again: callAndResult({ arguments: '{ "a": 2, "z": 1 }' }, {}),
        },
      ],
      usages: [
        {
          title: "read, written by lifetime, and reasoning",
          reply: words,
          usage: {
            ...unreported,
            prompt: 40,
            uncached: 16,
            cacheRead: 16,
            cacheWrite: 8,
            cacheWriteByLifetime: { "30m": 8, "12h": 0 },
            output: 9,
            reasoning: 3,
          },
        },
        {
          title: "none of them cached",
          reply: { ...words, usage: { input_tokens: 40, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9 } },
          usage: { ...unreported, prompt: 40, uncached: 40, cacheRead: 0, output: 9 },
        },
        {
          title: "nothing said of a cache",
          reply: { ...words, usage: { input_tokens: 40, output_tokens: 9 } },
          usage: { ...unreported, prompt: 40, output: 9 },
        },
        { title: "no usage", reply: { ...words, usage: null }, usage: unreported },
      ],
      overflows: [
        {
          error: {
            error: {
              message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
              type: "invalid_request_error",
              param: "input",
              code: "context_length_exceeded",
            },
          },
          says: {},
        },
        {
          error: {
            error: { message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens." },
          },
          says: { tokens: 9_001, limit: 8_192 },
        },
        { error: { error: { message: "Rate limit reached.", type: "rate_limit_exceeded", code: null } }, says: undefined },
      ],
      marked:
        route === "xai"
          ? []
          : [
              { ...request([user(inputText("Before."), marked), ...outputOf({ text: "Hi." })], model) },
              {
                model,
                input: [
                  { ...lead, content: [{ ...inputText("You keep lamps."), prompt_cache_breakpoint: { mode: "explicit" } }] },
                  user(inputText("Hi.")),
                ],
                ...members[route],
              },
              request(
                [
                  user(inputText("Look.")),
                  ...callAndResult({}, { output: [{ ...inputText("Lit."), prompt_cache_breakpoint: { mode: "explicit" } }] }).slice(1),
                ],
                model,
              ),
            ],
      unknown: [
        { title: "a part", message: user(inputText("So."), { type: "hologram", data: { b: 1, a: [2] } }) },
        { title: "a member of a message", message: { ...user(inputText("So.")), mood: { b: 1, a: 2 } } },
        { title: "a member of a reply", message: { type: "message", role: "assistant", content: [outputText("So.")], mood: "calm" } },
        { title: "an item", message: { type: "hologram_call", id: "hc_1", beams: [{ b: 1, a: 2 }] } },
        { title: "a reference", message: { type: "item_reference", id: "msg_stored" } },
      ],
    },
  };
}

/** On a plan's route every request has what that asks for. */
function onRoute({ rule, passes, fails }: { readonly rule: string; readonly passes: object; readonly fails: object }, route: RouteName) {
  return rule === "OR-22" ? {} : { passes: { ...members[route], ...passes }, fails: { ...members[route], ...fails } };
}

for (const route of ["openai", "azure", "chatgpt-plan", "openrouter", "xai"] as const) wireContract(subjectOf(route));
