import { isArray, isObject, type Value } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { first, listOf, ruleOf } from "../../wire/rule-parts.ts";

// The server's only checks are those of Go's decoder and of a model's abilities: facts 7.4 and 7.5. An unknown model (404) and a full window (silence) are the server's own affair.

const efforts: readonly Value[] = ["low", "medium", "high"];

export const rules: readonly ShapeRule[] = [
  ruleOf("OL-01", "sure", ({ messages }) =>
    first(listOf(messages), (message, at) =>
      first(listOf(message.tool_calls), ({ function: named }, call) => {
        const given = isObject(named) ? named.arguments : undefined;
        if (given === undefined || given === null || isObject(given)) return undefined;
        const place = ["messages", at, "tool_calls", call, "function", "arguments"];
        return [place, unread(given, "ToolCallFunction.messages.tool_calls.function.arguments", "api.ToolCallFunctionArguments")];
      }),
    ),
  ),
  // Content is one string; parts of other wires are refused by the same decoder [inferred from OL-01].
  ruleOf("OL-02", "likely", ({ messages }) =>
    first(listOf(messages), ({ content }, at) => {
      if (content === undefined || content === null || typeof content === "string") return undefined;
      return [["messages", at, "content"], unread(content, "ChatRequest.messages.content", "string")];
    }),
  ),
  // Pictures are Go bytes: base64 without the head of a data URL. The place is where the decoder stops.
  ruleOf("OL-03", "likely", ({ messages }) =>
    first(listOf(messages), ({ images }, at) => {
      const index = (isArray(images) ? images : []).findIndex((image) => typeof image === "string" && foreignIn(image) >= 0);
      if (index < 0 || !isArray(images)) return undefined;
      return [["messages", at, "images", index], `illegal base64 data at input byte ${foreignIn(images[index] as string)}`];
    }),
  ),
  ruleOf("OL-04", "likely", ({ think }) => {
    if (think === undefined || think === null || typeof think === "boolean" || efforts.includes(think)) return undefined;
    return [["think"], `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", true, or false)`];
  }),
  // Abilities that the host's or the table's profile denies a model.
  ruleOf("OL-05", "likely", ({ tools }, { profile }) => {
    if (!isArray(tools) || tools.length === 0 || !profile.traits.includes("no-tools")) return undefined;
    return [["tools"], `registry.ollama.ai/library/${profile.id} does not support tools`];
  }),
  ruleOf("OL-06", "likely", ({ think }, { profile }) => {
    if (think === undefined || think === null || think === false || profile.thinking?.length !== 0) return undefined;
    return [["think"], `"${profile.id}" does not support thinking`];
  }),
];

/** As Go's decoder says it. */
function unread(value: Value, field: string, type: string): string {
  const got = isArray(value) ? "array" : isObject(value) ? "object" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${got} into Go struct field ${field} of type ${type}`;
}

/** Position of the first letter that is not base64; -1: there is none. */
function foreignIn(image: string): number {
  return image.slice(0, 1_024).search(/[^A-Za-z0-9+/=\r\n]/);
}
