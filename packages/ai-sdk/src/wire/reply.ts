import {
  copyValue,
  freezeValue,
  InvalidReplyError,
  isArray,
  isObject,
  type ObjectValue,
  type ReplyReading,
  setMember,
  type Value,
} from "@tidemark/core/adapter";
import { isBlank, isOffTheWire } from "./parts.ts";
import { readUsage } from "./usage.ts";

/** Reads the result of `doGenerate`, or what the accumulator made of a stream: the reply as the AI SDK will hand it back in the next prompt. */
export function readReply(reply: object): ReplyReading {
  if (!isObject(reply)) throw new InvalidReplyError("$", "the result of a model's call is needed");
  const { content, finishReason, usage } = reply;
  if (!isArray(content)) throw new InvalidReplyError("$.content", "a result has a list of content");
  const reason = isObject(finishReason) ? finishReason.unified : finishReason;
  const parts = content.flatMap((part, index) => partOf(part, index));
  const message = freezeValue({ role: "assistant", content: parts }) as ObjectValue;
  return {
    messages: parts.every(isBlank) ? [] : [message],
    finished: typeof reason === "string" && reason !== "error" && reason !== "interrupted",
    usage: readUsage(usage === undefined ? undefined : copyValue(usage, ["usage"])),
    dropped: [],
    cacheMissReason: undefined,
  };
}

/** Content as a part of a prompt. Source: `toResponseMessages` of `ai` 7.0.173. */
function partOf(given: Value, index: number): readonly ObjectValue[] {
  if (!isObject(given)) throw new InvalidReplyError(`$.content[${index}]`, "content must be an object");
  // Sources and questions to the user are no part of what goes back.
  if (given.type === "source" || given.type === "tool-approval-request" || given.preliminary === true) return [];
  const part = copyValue(given, ["content", index]) as ObjectValue;
  if (isOffTheWire(part)) return [];
  const { type, providerMetadata, citations: _citations, dynamic: _dynamic, ...members } = part as Record<string, Value>;
  const said: Record<string, Value> = { type: type as Value };
  for (const [name, value] of Object.entries(type === "tool-result" ? resultMembers(members) : members)) setMember(said, name, value);
  if (type === "tool-call") said.input = parsedInput(members.input);
  if (providerMetadata !== undefined) said.providerOptions = providerMetadata;
  return [said as ObjectValue];
}

/** The result of a tool that the provider ran. */
function resultMembers({ result, isError, preliminary: _preliminary, ...members }: Record<string, Value>): Record<string, Value> {
  const isText = typeof result === "string";
  const type = isError === true ? (isText ? "error-text" : "error-json") : isText ? "text" : "json";
  return { ...members, output: { type, value: result as Value } };
}

/** Input that is no JSON is handed back as an empty object. */
function parsedInput(input: Value | undefined): Value {
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input.trim() === "" ? "{}" : input) as Value;
  } catch {
    return {};
  }
}
