import type { Path } from "../../src/json/path.ts";

/** A request that breaks a rule, and its nearest neighbour that does not. */
export type GeminiRuleSample = {
  readonly rule: string;
  readonly passes: object;
  readonly fails: object;
  /** A piece of what the provider says. */
  readonly says: string;
  readonly at: Path;
};

/** A live provider takes it for the signature of any call. */
const standIn = "skip_thought_signature_validator";
const user = { role: "user", parts: [{ text: "Hi." }] };
const call = (name: string, thoughtSignature?: string) => ({
  functionCall: { name, args: {} },
  ...(thoughtSignature && { thoughtSignature }),
});
const calls = (...names: readonly string[]) => ({
  role: "model",
  parts: names.map((name, at) => call(name, at === 0 ? standIn : undefined)),
});
const response = (name: string, given: unknown = { output: "blue" }) => ({ functionResponse: { name, response: given } });
const responses = (...names: readonly string[]) => ({ role: "user", parts: names.map((name) => response(name)) });
const contents = (...list: readonly object[]) => ({ model: "gemini-3.8-flash", contents: list });
const declared = (...functionDeclarations: readonly object[]) => ({ ...contents(user), tools: [{ functionDeclarations }] });

/** The requests are made of these. */
export const words = { call, calls, contents, response, responses, user } as const;

const afterUser = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const missing = "Function call is missing a thought_signature in functionCall parts.";

export const geminiRuleSamples: readonly GeminiRuleSample[] = [
  {
    rule: "GE-01",
    passes: contents(user),
    fails: contents(),
    says: "* GenerateContentRequest.contents: contents is not specified",
    at: ["contents"],
  },
  {
    rule: "GE-02",
    passes: contents(user, { parts: [{ text: "More." }] }),
    fails: contents(user, { role: "assistant", parts: [{ text: "So." }] }),
    says: "Please use a valid role: user, model.",
    at: ["contents", 1, "role"],
  },
  {
    rule: "GE-03",
    passes: contents({ role: "user", parts: [{ text: "Hi." }, { inlineData: { mimeType: "image/png", data: "AA==" } }] }),
    fails: contents({ role: "user", parts: [{ text: "Hi.", inlineData: { mimeType: "image/png", data: "AA==" } }] }),
    says: "contents[0].parts[0].data: required oneof field 'data' must have one initialized field",
    at: ["contents", 0, "parts", 0],
  },
  {
    rule: "GE-03",
    passes: contents(user),
    fails: contents({ role: "user", parts: [] }),
    says: "must not be empty",
    at: ["contents", 0, "parts"],
  },
  {
    rule: "GE-03",
    passes: contents({ role: "user", parts: [{ hologram: {} }] }),
    fails: contents({ role: "user", parts: [{ thought: true }] }),
    says: "must have one initialized field",
    at: ["contents", 0, "parts", 0],
  },
  {
    rule: "GE-04",
    passes: contents(user, { role: "model", parts: [{ text: "I look." }] }, calls("a"), calls("b"), responses("a", "b")),
    fails: contents(calls("a"), responses("a")),
    says: afterUser,
    at: ["contents", 0],
  },
  {
    rule: "GE-05",
    passes: contents(user, calls("a", "b"), responses("a"), responses("b")),
    fails: contents(user, calls("a", "b"), responses("a")),
    says: "the number of function response parts is equal to the number of function call parts",
    at: ["contents", 1],
  },
  {
    rule: "GE-05",
    passes: contents(user, { role: "model", parts: [{ text: "So." }] }),
    fails: contents(user, calls("a")),
    says: "the number of function response parts",
    at: ["contents", 1],
  },
  {
    rule: "GE-06",
    passes: contents(user, calls("a"), { role: "user", parts: [response("a"), { text: "And?" }] }),
    fails: contents(user, calls("a"), { role: "user", parts: [{ text: "And?" }, response("a")] }),
    says: "function response turn comes immediately after a function call turn",
    at: ["contents", 2, "parts", 1],
  },
  {
    rule: "GE-06",
    passes: contents(user, calls("a"), responses("a")),
    fails: contents(responses("a")),
    says: "function response turn comes immediately after a function call turn",
    at: ["contents", 0, "parts", 0],
  },
  {
    rule: "GE-07",
    passes: contents(user, calls("a"), { role: "user", parts: [response("a", { b: 1 })] }),
    fails: contents(user, calls("a"), { role: "user", parts: [response("a", "blue")] }),
    says: "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    at: ["contents", 2, "parts", 0, "functionResponse", "response"],
  },
  {
    rule: "GE-08",
    passes: contents(user, calls("a", "b"), responses("a", "b")),
    fails: contents(user, { role: "model", parts: [call("a"), call("b", standIn)] }, responses("a", "b")),
    says: `${missing} This is required`,
    at: ["contents", 1, "parts", 0],
  },
  {
    rule: "GE-08",
    // A turn that is over is not looked at; each step of the current one is.
    passes: contents(user, { role: "model", parts: [call("a")] }, responses("a"), user, calls("b"), responses("b")),
    fails: contents(user, calls("a"), responses("a"), { role: "model", parts: [call("b")] }, responses("b")),
    says: "function call `default_api:b`, position 4.",
    at: ["contents", 3, "parts", 0],
  },
  {
    rule: "GE-10",
    passes: { ...contents(user), cachedContent: "cachedContents/a" },
    fails: { ...contents(user), cachedContent: "cachedContents/a", systemInstruction: { parts: [{ text: "Be." }] } },
    says: "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.",
    at: ["systemInstruction"],
  },
  {
    rule: "GE-10",
    passes: { ...contents(user), config: { cachedContent: "cachedContents/a" } },
    fails: { ...contents(user), config: { cachedContent: "cachedContents/a", toolConfig: {} } },
    says: "Proposed fix: move those values to CachedContent",
    at: ["config", "toolConfig"],
  },
  {
    rule: "GE-12",
    passes: contents({ role: "user", parts: [{ text: "Hi.", part_metadata: {} }] }),
    fails: contents({ role: "user", parts: [{ text: "Hi.", foo: 1 }] }),
    says: `Unknown name "foo" at 'contents[0].parts[0]': Cannot find field.`,
    at: ["contents", 0, "parts", 0, "foo"],
  },
  {
    rule: "GE-12",
    passes: contents(user),
    fails: contents({ ...user, foo: 1 }),
    says: `Invalid JSON payload received. Unknown name "foo" at 'contents[0]': Cannot find field.`,
    at: ["contents", 0, "foo"],
  },
  {
    rule: "GE-14",
    passes: declared({ name: "_read.file:a-1" }),
    fails: declared({ name: "1read" }),
    says: "Must start with a letter or an underscore",
    at: ["tools", 0, "functionDeclarations", 0, "name"],
  },
  {
    rule: "GE-14",
    passes: declared({ name: "read", parameters: { type: "OBJECT" } }),
    fails: declared({ name: "read", parameters: { type: "OBJECT" }, parametersJsonSchema: { type: "object" } }),
    says: "mutually exclusive",
    at: ["tools", 0, "functionDeclarations", 0, "parametersJsonSchema"],
  },
  {
    rule: "GE-14",
    passes: declared(...Array.from({ length: 128 }, (_, at) => ({ name: `f${at}` }))),
    fails: declared(...Array.from({ length: 129 }, (_, at) => ({ name: `f${at}` }))),
    says: "129 were given",
    at: ["tools"],
  },
];
