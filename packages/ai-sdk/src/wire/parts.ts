import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "@tidemark/core/adapter";

/** Members of the parts in the order in which the AI SDK writes them, behind `type`. Source: `@ai-sdk/provider` 4.0.38. */
const partMembers: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    text: ["text"],
    reasoning: ["text"],
    file: ["data", "filename", "mediaType"],
    "reasoning-file": ["data", "mediaType"],
    custom: ["kind"],
    "tool-call": ["toolCallId", "toolName", "input", "providerExecuted"],
    "tool-result": ["toolCallId", "toolName", "output"],
    "tool-approval-response": ["approvalId", "approved", "reason"],
  }),
);

/** Where providers read a cache mark. Sources: `@ai-sdk/anthropic` 4, `@openrouter/ai-sdk-provider` 3, `@ai-sdk/amazon-bedrock` 5, `@ai-sdk/openai` 4. */
const markMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ["anthropic", ["cacheControl", "cache_control"]],
  ["openrouter", ["cacheControl", "cache_control"]],
  ["bedrock", ["cachePoint"]],
  ["openai", ["promptCacheBreakpoint"]],
]);

/** A part as it is sent: members that say nothing left out, its own in order, unknown ones behind, no cache mark. */
export function sentPart(part: ObjectValue): ObjectValue {
  const members = partMembers.get(String(part.type)) ?? [];
  const others = Object.keys(part).filter((name) => name !== "type" && name !== "providerOptions" && !members.includes(name));
  const sent: Record<string, Value> = {};
  for (const name of ["type", ...members, ...others.sort()]) {
    const value = part[name];
    if (value !== undefined && !saysNothing(name, value)) setMember(sent, name, value);
  }
  const options = withoutMarks(part.providerOptions);
  if (options !== undefined) sent.providerOptions = options;
  return freezeValue(sent as ObjectValue);
}

function saysNothing(name: string, value: Value): boolean {
  return (name === "providerExecuted" && (value === false || value === null)) || (name === "filename" && value === null);
}

/** What of a part's or message's provider options is no mark; undefined: nothing. A provider's list that is empty says nothing. */
export function withoutMarks(options: Value | undefined): ObjectValue | undefined {
  if (!isObject(options)) return undefined;
  const kept: Record<string, Value> = {};
  for (const [provider, own] of Object.entries(options)) {
    const said = isObject(own) ? omitted(own, markMembers.get(provider) ?? []) : own;
    if (!isObject(said) || Object.keys(said).length > 0) setMember(kept, provider, said);
  }
  return Object.keys(kept).length === 0 ? undefined : freezeValue(kept as ObjectValue);
}

/** The marks among provider options, in their own words; undefined: there are none. */
export function marksOf(options: Value | undefined): ObjectValue | undefined {
  if (!isObject(options)) return undefined;
  const marks: Record<string, Value> = {};
  for (const [provider, names] of markMembers) {
    const own = options[provider];
    if (!isObject(own)) continue;
    const said = names.filter((name) => own[name] !== undefined && own[name] !== null);
    if (said.length > 0) marks[provider] = Object.fromEntries(said.map((name) => [name, own[name] as Value]));
  }
  return Object.keys(marks).length === 0 ? undefined : freezeValue(marks as ObjectValue);
}

/** The holder with these marks in its provider options. */
export function withMarks(holder: ObjectValue, marks: Value): ObjectValue {
  const options: Record<string, Value> = { ...(isObject(holder.providerOptions) ? holder.providerOptions : {}) };
  for (const [provider, own] of Object.entries(marks as ObjectValue)) {
    options[provider] = { ...(isObject(options[provider]) ? options[provider] : {}), ...(own as ObjectValue) };
  }
  return freezeValue({ ...holder, providerOptions: options });
}

function omitted(holder: ObjectValue, names: readonly string[]): ObjectValue {
  if (!names.some((name) => Object.hasOwn(holder, name))) return holder;
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !names.includes(name)));
}

/** A text part with nothing but white space. */
export function isBlank(part: ObjectValue): boolean {
  return part.type === "text" && String(part.text).trim() === "" && part.providerOptions === undefined;
}

/** Written into the stream by `@ai-sdk/anthropic`, never sent: a generated reply has none. */
export function isOffTheWire(part: ObjectValue): boolean {
  return part.type === "custom" && part.kind === "anthropic.message_start";
}

/** The text of a result, as providers write it; undefined: it holds more than text. */
export function outputText(output: Value | undefined): string | undefined {
  if (!isObject(output) || output.providerOptions !== undefined) return undefined;
  const { type, value } = output;
  if (type === "text" || type === "error-text") return typeof value === "string" ? value : undefined;
  // Providers write JSON results as their text.
  if (type === "json" || type === "error-json") return value === undefined ? undefined : JSON.stringify(value);
  if (type !== "content" || !isArray(value)) return undefined;
  const texts = value.map((item) => (isObject(item) && item.type === "text" && item.providerOptions === undefined ? item.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}

/** The same result with this text. */
export function outputOf(output: Value | undefined, text: string): ObjectValue {
  const failed = isObject(output) && (output.type === "error-text" || output.type === "error-json");
  return { type: failed ? "error-text" : "text", value: text };
}
