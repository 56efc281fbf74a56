import {
  copyValue,
  freezeValue,
  type Head,
  InvalidRequestError,
  isArray,
  isObject,
  type ObjectValue,
  type OpenRequest,
  recalling,
  refuseSparse,
  setMember,
  type Value,
  wellFormedTexts,
} from "@tidemark/core/adapter";
import { familyOfModel, refusesForcedTools } from "./families.ts";
import { effortIn, withEffort } from "./in-band.ts";
import { marksOf, withoutMarks } from "./parts.ts";
import { compose, read } from "./view.ts";

/** The call options of a language model (provider spec V4), with the model's name. */
export type PromptRequest = {
  /** `anthropic.messages/claude-opus-5-5`: provider and id as the AI SDK's model has them. */
  readonly model: string;
  readonly prompt: readonly object[];
  readonly tools?: readonly object[] | undefined;
};

/** Takes a request apart. The leading system messages are the head's. */
export function open(request: PromptRequest): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "call options are needed");
  const { model, prompt, tools } = request as Readonly<Record<string, unknown>>;
  if (typeof model !== "string") throw new InvalidRequestError("$.model", "the model's name must be a string");
  if (!Array.isArray(prompt)) throw new InvalidRequestError("$.prompt", "the prompt must be a list of messages");
  refuseSparse(prompt, ["prompt"]);
  const end = prompt.findIndex((message) => !isObject(message) || message.role !== "system");
  const lead = end < 0 ? prompt.length : end;
  const system = openSystem(prompt.slice(0, lead), ["prompt"]);
  const defined = openTools(tools, ["tools"]);
  const head = { model, system: system.list, tools: defined.list, params: paramsOf(request, model) };
  return { head, messages: prompt.slice(lead), lead, headMarks: [...system.marks, ...defined.marks] };
}

type HeadMark = OpenRequest["headMarks"][number];
type OpenedPart = { readonly list: readonly ObjectValue[]; readonly marks: readonly HeadMark[] };

const openSystem = recalling((copy): OpenedPart => {
  const marks: HeadMark[] = [];
  const list = (wellFormedTexts(copy) as readonly ObjectValue[]).flatMap((message, index) => {
    const { units, marks: own } = read(message);
    if (units.every(({ kind }) => kind === "fields")) return [];
    for (const { mark } of own) marks.push({ part: "system", index, mark });
    return [compose("system", units)];
  });
  return { list: Object.freeze(list), marks };
});

/** The host's call options with this head and these messages. */
export function close<R extends PromptRequest>(request: R, head: Head, messages: readonly ObjectValue[]): R {
  const closed: Record<string, unknown> = { ...request, model: head.model, prompt: [...head.system, ...messages] };
  if (head.tools.length > 0) closed.tools = head.tools;
  else delete closed.tools;
  // A changed effort is said in the conversation, where the provider has a form for it.
  return (familyOfModel(head.model) === "anthropic" ? withEffort(closed as ObjectValue, effortIn(head.params)) : closed) as R;
}

export function systemText({ system }: Head): string {
  return system.map(({ content }) => String(content)).join("\n\n");
}

export function toolName({ name, id }: ObjectValue): string {
  return String(name ?? id ?? "");
}

const openTools = recalling((copy): OpenedPart => {
  const given = copy === null ? [] : wellFormedTexts(copy);
  if (!isArray(given)) throw new InvalidRequestError("$.tools", "the tools must be a list");
  const marks: HeadMark[] = [];
  const list = given.map((tool, index) => {
    if (!isObject(tool)) throw new InvalidRequestError(`$.tools[${index}]`, "a tool must be an object");
    const mark = marksOf(tool.providerOptions);
    if (mark !== undefined) marks.push({ part: "tools", index, mark });
    const { providerOptions, ...definition } = tool as Record<string, Value>;
    const options = withoutMarks(providerOptions);
    return freezeValue({ ...definition, ...(options !== undefined && { providerOptions: options }) } as ObjectValue);
  });
  return { list: Object.freeze(list), marks };
});

function isFree({ type }: ObjectValue, model: string): boolean {
  return type === "auto" || (type !== "none" && refusesForcedTools(model));
}

/** Members of a provider's options that never enter its prompt or its cache key: who asks, what is kept, which declared tools may be called, and where marks are wanted. */
const besideThePrompt: readonly string[] = [
  "metadata",
  "user",
  "safetyIdentifier",
  "allowedTools",
  "cacheControl",
  "cache_control",
  "promptCacheBreakpoint",
  "cachePoint",
];

/** What of the call's options providers render into the prompt or its cache key: the output's schema, effort, and their own options. */
function paramsOf(request: ObjectValue, model: string): ObjectValue {
  const { responseFormat, reasoning, toolChoice, providerOptions } = request;
  const params: Record<string, Value> = {};
  if (isObject(responseFormat) && responseFormat.type !== "text") params.responseFormat = copyValue(responseFormat, ["responseFormat"]);
  if (reasoning !== undefined && reasoning !== "provider-default") params.reasoning = copyValue(reasoning, ["reasoning"]);
  // Anthropic's pricing page: a change of tool_choice loses the messages.
  if (familyOfModel(model) === "anthropic" && isObject(toolChoice) && !isFree(toolChoice, model))
    params.toolChoice = copyValue(toolChoice, ["toolChoice"]);
  const options: Record<string, Value> = {};
  for (const [provider, own] of Object.entries(isObject(providerOptions) ? providerOptions : {})) {
    if (provider === "tidemark" || !isObject(own)) continue;
    const said = Object.entries(own).filter(([name, value]) => value !== undefined && !besideThePrompt.includes(name));
    if (said.length > 0) setMember(options, provider, copyValue(Object.fromEntries(said), ["providerOptions", provider]));
  }
  if (Object.keys(options).length > 0) params.providerOptions = options;
  return freezeValue(params as ObjectValue);
}
