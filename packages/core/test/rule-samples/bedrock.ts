export type BedrockRuleSample = {
  readonly rule: string;
  /** The provider's words. */
  readonly says: string;
  readonly at: string;
  readonly fails: object;
  readonly passes: object;
};

const model = "us.anthropic.claude-sonnet-4-6";
const text = (words: string): object => ({ text: words });
const user = (...content: object[]): object => ({ role: "user", content });
const reply = (...content: object[]): object => ({ role: "assistant", content });
const call = (toolUseId: string): object => ({ toolUse: { toolUseId, name: "look", input: {} } });
const result = (toolUseId: string): object => ({ toolResult: { toolUseId, content: [text("blue")] } });
const point = { cachePoint: { type: "default" } };
const hello = user(text("Hello."));
const toolConfig = { tools: [{ toolSpec: { name: "look", inputSchema: { json: { type: "object" } } } }] };
const document = { document: { format: "txt", name: "notes", source: { bytes: "aGk=" } } };
const image = { image: { format: "png", source: { bytes: "aGk=" } } };
const thinking = (signature?: string): object => ({
  reasoningContent: { reasoningText: { text: "Hm.", ...(signature !== undefined && { signature }) } },
});
const talk = (...messages: object[]): object => ({ modelId: model, toolConfig, messages });
const budget = { additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 1_024 } } };

const mustStart = "A conversation must start with a user message. Try again with a conversation that starts with a user message.";
const mustAlternate =
  "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.";
const behindModel = "The model returned the following errors: ";

/** A request that breaks a rule, and its nearest neighbour that does not, for each of the wire's rules. */
export const bedrockRuleSamples: readonly BedrockRuleSample[] = [
  { rule: "BC-01", says: mustStart, at: "messages", fails: talk(), passes: talk(hello) },
  {
    rule: "BC-01",
    says: mustStart,
    at: "messages",
    fails: talk(reply(text("Hi.")), hello),
    passes: talk(hello, reply(text("Hi.")), hello),
  },
  {
    rule: "BC-12",
    says: "The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.",
    at: "messages.1.content",
    fails: talk(hello, reply(), hello),
    passes: talk(hello, reply(text("Hi.")), hello),
  },
  { rule: "BC-06", says: mustAlternate, at: "messages.1", fails: talk(hello, hello), passes: talk(user(text("Hello."), text("Hello."))) },
  {
    rule: "BC-04",
    says: "The text field in the ContentBlock object at messages.0.content.2 is blank. Add text to the text field, and try again.",
    at: "messages.0.content.2.text",
    fails: talk(user(text("Hello."), point, text(""))),
    passes: talk(user(text("Hello."), point, text("x"))),
  },
  {
    rule: "BC-04",
    says: "The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to the text field, and try again.",
    at: "messages.0.content.0.text",
    fails: talk(user(text(" \n"))),
    passes: talk(user(text(" x "))),
  },
  {
    rule: "BC-09",
    says: "1 validation error detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
    at: "messages.1.content.0.toolUse.toolUseId",
    fails: talk(hello, reply(call("look:1")), user(result("look:1"))),
    passes: talk(hello, reply(call("look_1")), user(result("look_1"))),
  },
  {
    rule: "BC-09",
    says: "The toolResult blocks at messages.2.content contain duplicate Ids: a",
    at: "messages.2.content",
    fails: talk(hello, reply(call("a")), user(result("a"), result("a"))),
    passes: talk(hello, reply(call("a"), call("b")), user(result("a"), result("b"))),
  },
  {
    rule: "BC-03",
    says: "The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.",
    at: "messages.2.content",
    fails: talk(hello, reply(call("a")), user(result("a"), result("b"))),
    passes: talk(hello, reply(call("a")), user(result("a"), text("And?"))),
  },
  {
    rule: "BC-02",
    says: "Expected toolResult blocks at messages.2.content for the following Ids: a, b",
    at: "messages.1",
    fails: talk(hello, reply(call("a"), call("b")), hello),
    passes: talk(hello, reply(call("a"), call("b")), user(result("b"), result("a"))),
  },
  {
    rule: "BC-05",
    says: "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    at: "toolConfig",
    fails: { modelId: model, messages: [hello, reply(call("a")), user(result("a"))] },
    passes: { modelId: model, messages: [hello, reply(text("Hi.")), hello] },
  },
  {
    rule: "BC-07",
    says: `${behindModel}A maximum of 4 blocks with cache_control may be provided. Found 5.`,
    at: "messages.0.content.5",
    fails: { ...talk(user(text("a"), point, text("b"), point, text("c"), point)), system: [text("s"), point, text("t"), point] },
    passes: { ...talk(user(text("a"), point, text("b"), point, text("c"))), system: [text("s"), point, text("t"), point] },
  },
  {
    rule: "BC-07",
    says: "You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.",
    at: "system.1",
    fails: { modelId: "us.deepseek.r1-v1:0", system: [text("s"), point], messages: [hello] },
    passes: { modelId: "an.imported-model", system: [text("s"), point], messages: [hello] },
  },
  {
    rule: "BC-08",
    says: `${behindModel}This model does not support assistant message prefill. The conversation must end with a user message.`,
    at: "messages.1",
    fails: talk(hello, reply(text("It"))),
    passes: { ...talk(hello, reply(text("It"))), modelId: "us.anthropic.claude-sonnet-4-5-20250929-v1:0" },
  },
  {
    rule: "BC-10",
    says: "Images, documents and videos are only supported in messages with the user role.",
    at: "messages.1.content.1",
    fails: talk(hello, reply(text("Here."), image), hello),
    passes: talk(user(text("Here."), image)),
  },
  {
    rule: "BC-10",
    says: "A message with a document must have a text block.",
    at: "messages.0.content",
    fails: talk(user(document)),
    passes: talk(user(document, text("Read it."))),
  },
  {
    rule: "BC-11",
    says: `${behindModel}messages.1.content.0.thinking.signature: Field required`,
    at: "messages.1.content.0.reasoningContent.reasoningText.signature",
    fails: talk(hello, reply(thinking(), text("Hi.")), hello),
    passes: talk(hello, reply(thinking("c2ln"), text("Hi.")), hello),
  },
  {
    rule: "BC-11",
    says: `${behindModel}messages.1.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    at: "messages.1.content.0",
    fails: { ...talk(hello, reply(call("a")), user(result("a"))), ...budget },
    passes: { ...talk(hello, reply(thinking("c2ln"), call("a")), user(result("a"))), ...budget },
  },
];
