import { wellFormedTexts } from "../../json/map-texts.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import type { InteractionsRequest } from "./interactions-types.ts";
import { contentTypes } from "./step-contents.ts";
import { spreadSteps } from "./steps.ts";

/** Members by which the server holds the conversation, or a part of it. */
export const heldBy: readonly string[] = ["previous_interaction_id", "continuation_token", "cached_content", "agent"];

/** Parameters that change what the model reads, beside model, system text and tools. Google documents none of them; the strict reading is taken. */
const prefixParams: readonly string[] = ["response_format", "response_mime_type", "cached_content"];
/** Settings of `generation_config` that are no part of the prompt. */
const apart: readonly string[] =
  `max_output_tokens seed stop_sequences temperature top_p tool_choice image_config speech_config transcription_config video_config`.split(
    " ",
  );

/** Takes a request apart. Its messages are the steps of `input`; they stay the host's own objects. */
export function openInteraction(request: InteractionsRequest): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "a request must be an object");
  const { model, input, system_instruction, tools } = request as unknown as Record<string, unknown>;
  if (typeof model !== "string")
    throw new InvalidRequestError("$.model", "the model's id must be a string (an agent keeps its conversation itself)");
  const head: Head = Object.freeze({
    model,
    system: openSystem(system_instruction),
    tools: openTools(tools),
    params: paramsOf(request as unknown as ObjectValue),
  });
  return { head, messages: listSteps(input), lead: 0, headMarks: [] };
}

/** The host's own request with this head and these steps in place of its own. */
export function closeInteraction<R extends InteractionsRequest>(request: R, head: Head, messages: readonly ObjectValue[]): R {
  const closed: Record<string, unknown> = { ...(request as object), model: head.model };
  for (const name of prefixParams) setOrDelete(closed, name, head.params[name]);
  const settings = {
    ...(isObject(closed.generation_config) ? withoutPrefix(closed.generation_config) : {}),
    ...(head.params.generation_config as object | undefined),
  };
  if (Object.keys(settings).length > 0) closed.generation_config = settings;
  closed.input = messages.flatMap(spreadSteps);
  setOrDelete(closed, "system_instruction", head.system[0]?.text);
  setOrDelete(closed, "tools", head.tools.length === 0 ? undefined : head.tools);
  return closed as R;
}

/** Signs of this wire: its own fields, and steps or contents as input. A text alone might be anyone's. */
export function recognisesInteraction({
  input,
  system_instruction,
  generation_config,
  previous_interaction_id,
  messages,
  contents,
  instructions,
}: ObjectValue): boolean {
  if (messages !== undefined || contents !== undefined || instructions !== undefined) return false;
  if ([system_instruction, generation_config, previous_interaction_id].some((own) => own !== undefined)) return input !== undefined;
  const first = isArray(input) ? input[0] : input;
  return (
    isObject(first) &&
    first.role === undefined &&
    typeof first.type === "string" &&
    (contentTypes.includes(first.type) || ownSteps.includes(first.type))
  );
}

const ownSteps: readonly string[] = ["user_input", "model_output", "thought", "function_result"];

/** The input as a list of steps. */
function listSteps(input: unknown): readonly unknown[] {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [userInput([{ type: "text", text: input }])];
  if (!Array.isArray(input)) return [isContent(input) ? userInput([input]) : input];
  refuseSparse(input, ["input"]);
  if (!isContent(input[0])) return input;
  const stray = input.findIndex((part) => !isContent(part));
  if (stray >= 0) throw new InvalidRequestError(`$.input[${stray}]`, "steps and contents stand side by side; put the contents into a step");
  return [userInput(input)];
}

function userInput(content: readonly unknown[]): object {
  return { type: "user_input", content };
}

function isContent(value: unknown): boolean {
  return isObject(value) && contentTypes.includes(value.type ?? null);
}

function openSystem(given: unknown): readonly ObjectValue[] {
  if (given === undefined || given === null) return [];
  if (typeof given !== "string") throw new InvalidRequestError("$.system_instruction", "the system instruction must be a text");
  const text = wellFormedTexts(given);
  return text.trim() === "" ? [] : Object.freeze([Object.freeze({ text })]);
}

function openTools(given: unknown): readonly ObjectValue[] {
  if (given === undefined || given === null) return [];
  const copy = wellFormedTexts(copyValue(given, ["tools"]));
  if (!isArray(copy)) throw new InvalidRequestError("$.tools", "tools must be a list");
  const odd = copy.findIndex((tool) => !isObject(tool));
  if (odd >= 0) throw new InvalidRequestError(pathText(["tools", odd]), "a tool must be an object");
  return copy as readonly ObjectValue[];
}

function paramsOf(request: ObjectValue): ObjectValue {
  const params: Record<string, Value> = {};
  for (const name of prefixParams)
    if (request[name] !== undefined && request[name] !== null) params[name] = copyValue(request[name], [name]);
  const settings = isObject(request.generation_config)
    ? Object.entries(request.generation_config).filter(([name, value]) => !apart.includes(name) && value != null)
    : [];
  if (settings.length > 0) params.generation_config = copyValue(Object.fromEntries(settings), ["generation_config"]);
  return Object.freeze(params);
}

function withoutPrefix(settings: ObjectValue): object {
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => apart.includes(name) || value == null));
}

function setOrDelete(closed: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) closed[name] = value;
  else if (closed[name] !== undefined && closed[name] !== null) delete closed[name];
}
