export type OllamaRuleSample = {
  readonly rule: string;
  /** The server's words. */
  readonly says: string;
  readonly at: string;
  readonly fails: object;
  readonly passes: object;
};

const chat = (message: object, more: object = {}): object => ({ model: "qwen3:8b", messages: [message], ...more });
const hello = { role: "user", content: "Hello." };
const calling = (args: unknown): object => ({
  role: "assistant",
  content: "",
  tool_calls: [{ function: { name: "look", arguments: {} } }, { function: { name: "look", arguments: args } }],
});
const picture = (image: unknown): object => ({ ...hello, images: [image] });
const tools = [{ type: "function", function: { name: "look" } }];

/** A request that breaks a rule, and its nearest neighbour that does not, for each of the wire's rules. */
export const ollamaRuleSamples: readonly OllamaRuleSample[] = [
  {
    rule: "OL-01",
    says: "json: cannot unmarshal string into Go struct field ToolCallFunction.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments",
    at: "messages.0.tool_calls.1.function.arguments",
    fails: chat(calling('{"at":"sky"}')),
    passes: chat(calling({ at: "sky" })),
  },
  {
    rule: "OL-01",
    says: "json: cannot unmarshal array into Go struct field ToolCallFunction.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments",
    at: "messages.0.tool_calls.1.function.arguments",
    fails: chat(calling(["sky"])),
    passes: chat(calling(undefined)),
  },
  {
    rule: "OL-02",
    says: "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string",
    at: "messages.0.content",
    fails: chat({ role: "user", content: [{ type: "text", text: "Hello." }] }),
    passes: chat(hello),
  },
  {
    rule: "OL-03",
    says: "illegal base64 data at input byte 4",
    at: "messages.0.images.0",
    fails: chat(picture("data:image/png;base64,iVBORw0KGgo=")),
    passes: chat(picture("iVBORw0KGgo=")),
  },
  {
    rule: "OL-04",
    says: 'invalid think value: "xhigh" (must be "high", "medium", "low", true, or false)',
    at: "think",
    fails: chat(hello, { think: "xhigh" }),
    passes: chat(hello, { think: "high" }),
  },
  {
    rule: "OL-05",
    says: "registry.ollama.ai/library/gemma3:4b does not support tools",
    at: "tools",
    fails: chat(hello, { model: "gemma3:4b", tools }),
    passes: chat(hello, { tools }),
  },
  {
    rule: "OL-06",
    says: '"llama3.1:8b" does not support thinking',
    at: "think",
    fails: chat(hello, { model: "llama3.1:8b", think: true }),
    passes: chat(hello, { model: "llama3.1:8b", think: false }),
  },
];
