import { inWords } from "../../json/in-words.ts";
import type { Path } from "../../json/path.ts";
import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { type Found, first, ruleOf } from "../../wire/rule-parts.ts";
import { innerOf, isCachePoint, kindOf, listOf } from "./blocks.ts";
import { cacheMarksMax } from "./cache.ts";

// Texts: facts 4. The service checks shapes itself (BC-01 to 06, 09, 12); what the model behind it refuses comes with a sentence before it.

type Look = { readonly request: ObjectValue; readonly messages: readonly Message[]; readonly context: RuleContext };
/** A message without its cache points; `at` is its index, `places` are those of its blocks in the content as it was sent. */
type Message = { readonly role: Value; readonly at: number; readonly blocks: readonly ObjectValue[]; readonly places: readonly number[] };

function rule(id: string, grade: Grade, look: (at: Look) => Found, status?: number): ShapeRule {
  return ruleOf(id, grade, (request, context) => look({ request, messages: listOf(request.messages).map(readMessage), context }), status);
}

const behindModel = "The model returned the following errors: ";

export const rules: readonly ShapeRule[] = [
  rule("BC-01", "sure", ({ messages }) => {
    const first = messages.find(({ role }) => role !== "system");
    if (first?.role === "user") return undefined;
    return [["messages"], "A conversation must start with a user message. Try again with a conversation that starts with a user message."];
  }),
  rule("BC-12", "likely", ({ messages }) =>
    first(messages, ({ at, blocks }) =>
      blocks.length > 0
        ? undefined
        : [
            ["messages", at, "content"],
            `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`,
          ],
    ),
  ),
  rule("BC-06", "likely", ({ messages }) => {
    const turns = messages.filter(({ role }) => role !== "system");
    const second = turns.find(({ role }, index) => turns[index - 1]?.role === role);
    const text =
      "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.";
    return second === undefined ? undefined : [["messages", second.at], text];
  }),
  rule("BC-04", "sure", ({ messages }) => blankIn(messages, (text) => text === "")),
  // A recording has a line break beside other text that was taken.
  rule("BC-04", "weak", ({ messages }) => blankIn(messages, (text) => text.trim() === "")),
  // Texts of the service's own validation: places count from 1, lists as members [general knowledge]. Kimi's own ids have dots and colons and were taken back (recorded).
  rule("BC-09", "likely", ({ messages, context }) =>
    blockOf(messages, (block, path) => {
      const kind = context.profile.traits.includes("claude") ? kindOf(block) : undefined;
      const inner = kind === "toolUse" || kind === "toolResult" ? innerOf(block, kind) : undefined;
      if (kind === undefined || inner === undefined || /^[a-zA-Z0-9_-]{1,64}$/.test(inWords(inner.toolUseId))) return undefined;
      const place = `messages.${Number(path[1]) + 1}.member.content.${Number(path[3]) + 1}.member.${kind}.toolUseId`;
      const text = `1 validation error detected: Value at '${place}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`;
      return [[...path, kind, "toolUseId"], text];
    }),
  ),
  rule("BC-09", "likely", ({ messages }) =>
    first(messages, ({ at, blocks }) => {
      const ids = idsOf(blocks, "toolResult");
      const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
      if (twice.length === 0) return undefined;
      return [["messages", at, "content"], `The toolResult blocks at messages.${at}.content contain duplicate Ids: ${twice.join(", ")}`];
    }),
  ),
  rule("BC-03", "sure", ({ messages }) =>
    first(messages, ({ role, at, blocks }, index) => {
      const called = role === "user" ? idsOf(messages[index - 1]?.blocks ?? [], "toolUse") : [];
      if (role !== "user" || idsOf(blocks, "toolResult").every((id) => called.includes(id))) return undefined;
      return [
        ["messages", at, "content"],
        `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`,
      ];
    }),
  ),
  rule("BC-02", "sure", ({ messages }) =>
    first(messages, ({ role, at, blocks }, index) => {
      const answered = idsOf(messages[index + 1]?.blocks ?? [], "toolResult");
      const missing = role === "assistant" ? idsOf(blocks, "toolUse").filter((id) => !answered.includes(id)) : [];
      if (missing.length === 0) return undefined;
      return [["messages", at], `Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${missing.join(", ")}`];
    }),
  ),
  rule("BC-05", "likely", ({ request: { toolConfig }, messages }) => {
    const uses = messages.some(({ blocks }) => idsOf(blocks, "toolUse").length > 0 || idsOf(blocks, "toolResult").length > 0);
    if (!uses || (isObject(toolConfig) && listOf(toolConfig.tools).length > 0)) return undefined;
    return [["toolConfig"], "The toolConfig field must be defined when using toolUse and toolResult content blocks."];
  }),
  rule("BC-07", "sure", ({ request }) => {
    const points = pointsOf(request);
    if (points.length <= cacheMarksMax) return undefined;
    return [points[cacheMarksMax] ?? [], `${behindModel}A maximum of 4 blocks with cache_control may be provided. Found ${points.length}.`];
  }),
  rule(
    "BC-07",
    "likely",
    ({ request, context }) => {
      const [first] = pointsOf(request);
      if (first === undefined || !context.profile.traits.includes("no-cache-points")) return undefined;
      const text =
        "You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.";
      return [first, text];
    },
    403,
  ),
  rule("BC-08", "sure", ({ messages, context }) => {
    const last = messages.at(-1);
    if (last?.role !== "assistant" || context.profile.prefill) return undefined;
    const text = "This model does not support assistant message prefill. The conversation must end with a user message.";
    return [["messages", last.at], `${behindModel}${text}`];
  }),
  // Types say where each may stand, and that a document needs a text beside it; no wording was found. One recording has a document beside a result alone.
  rule("BC-10", "likely", ({ messages }) =>
    first(messages, ({ role, at, blocks, places }) => {
      const block = role === "assistant" ? blocks.findIndex((own) => ["image", "document", "video"].includes(kindOf(own) ?? "")) : -1;
      if (block < 0) return undefined;
      return [
        ["messages", at, "content", places[block] ?? 0],
        `Images, documents and videos are only supported in messages with the user role.`,
      ];
    }),
  ),
  rule("BC-10", "weak", ({ messages }) =>
    first(messages, ({ role, at, blocks }) => {
      const kinds = blocks.map(kindOf);
      if (role !== "user" || !kinds.includes("document") || kinds.includes("text") || kinds.includes("toolResult")) return undefined;
      return [["messages", at, "content"], "A message with a document must have a text block."];
    }),
  ),
  // Thinking of Claude: AN-12 for the signature, AN-15 for an open tool loop of a model that thinks by budget.
  rule("BC-11", "likely", ({ messages, context }) =>
    blockOf(messages, (block, path) => {
      const text = innerOf(innerOf(block, "reasoningContent") ?? {}, "reasoningText");
      const isSigned = text === undefined || (typeof text.signature === "string" && text.signature !== "");
      if (isSigned || !context.profile.traits.includes("claude")) return undefined;
      return [
        [...path, "reasoningContent", "reasoningText", "signature"],
        `${behindModel}${path.join(".")}.thinking.signature: Field required`,
      ];
    }),
  ),
  rule("BC-11", "likely", ({ request: { additionalModelRequestFields: fields }, messages, context }) => {
    const thinking = isObject(fields) ? fields.thinking : undefined;
    const last = messages.findLast(({ role }) => role === "assistant");
    const first = last?.blocks[0];
    const isOpen = last !== undefined && idsOf(last.blocks, "toolUse").length > 0 && last.at === messages.length - 2;
    if (!isObject(thinking) || thinking.type !== "enabled" || !context.profile.traits.includes("claude")) return undefined;
    if (!isOpen || first === undefined || kindOf(first) === "reasoningContent") return undefined;
    const found = kindOf(first) === "toolUse" ? "tool_use" : inWords(kindOf(first));
    const text = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
    return [["messages", last.at, "content", 0], `${behindModel}messages.${last.at}.content.0.type: ${text}`];
  }),
];

function blankIn(messages: readonly Message[], isBlank: (text: string) => boolean): Found {
  return blockOf(messages, (block, path) => {
    if (kindOf(block) !== "text" || typeof block.text !== "string" || !isBlank(block.text)) return undefined;
    const text = `The text field in the ContentBlock object at ${path.join(".")} is blank. Add text to the text field, and try again.`;
    return [[...path, "text"], text];
  });
}

function readMessage(message: Value, at: number): Message {
  const { role = null, content } = isObject(message) ? message : {};
  const blocks = listOf(content).map((block) => (isObject(block) ? block : {}));
  const places = blocks.flatMap((block, place) => (isCachePoint(block) ? [] : [place]));
  return { role, at, blocks: places.map((place) => blocks[place] as ObjectValue), places };
}

/** Ids of a message's calls, or of its results; those of tools that the provider runs itself apart. */
function idsOf(blocks: readonly ObjectValue[], kind: "toolUse" | "toolResult"): readonly string[] {
  return blocks.flatMap((block) => {
    const inner = innerOf(block, kind);
    const isOwn = inner !== undefined && (inner.type === undefined || inner.type === "tool_use" || inner.type === "tool_result");
    return isOwn ? [inWords(inner.toolUseId)] : [];
  });
}

/** Cache points in the order in which the provider serialises: tools, system, messages. */
function pointsOf({ system, messages, toolConfig }: ObjectValue): readonly Path[] {
  const tools = isObject(toolConfig) ? toolConfig.tools : undefined;
  const contents = listOf(messages).map(
    (message, at) => [["messages", at, "content"], isObject(message) ? message.content : undefined] as const,
  );
  return [[["toolConfig", "tools"], tools] as const, [["system"], system] as const, ...contents].flatMap(([path, list]) =>
    listOf(list).flatMap((block, index) => (isCachePoint(block) ? [[...path, index]] : [])),
  );
}

function blockOf(messages: readonly Message[], find: (block: ObjectValue, path: Path) => Found): Found {
  return first(messages, ({ at, blocks, places }) =>
    first(blocks, (block, index) => find(block, ["messages", at, "content", places[index] ?? 0])),
  );
}
