import { inWords } from "../../json/in-words.ts";
import { wellFormedTexts } from "../../json/map-texts.ts";
import { recalling } from "../../json/recall.ts";
import { freezeValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import type { Profile } from "../../wire/profile.ts";
import { isBlankText, isMarked, markOf, sentBlock } from "./blocks.ts";
import { paramsOf, setParams } from "./params.ts";

/** The least that a Messages request has. The SDK's own request types are such requests, and so are plain objects. */
export type AnthropicRequest = {
  readonly model: string;
  readonly messages: readonly object[];
  readonly system?: string | readonly object[] | null | undefined;
  readonly tools?: readonly object[] | null | undefined;
  readonly thinking?: object | null | undefined;
  readonly cache_control?: object | null | undefined;
  /** Beta names, where the request itself carries them, as the SDK's `beta.messages` does. */
  readonly betas?: readonly string[] | null | undefined;
};

type HeadMark = OpenRequest["headMarks"][number];

/** Takes a request apart. The messages stay the host's own objects. */
export function open(request: AnthropicRequest, profileOf: (model: string) => Profile): OpenRequest {
  const given = request as Readonly<Record<string, unknown>>;
  if (typeof given !== "object" || given === null) throw new InvalidRequestError("$", "a request object is needed");
  if (typeof given.model !== "string") throw new InvalidRequestError("$.model", "the model's id must be a string");
  if (!Array.isArray(given.messages)) throw new InvalidRequestError("$.messages", "the messages must be an array");
  refuseSparse(given.messages, ["messages"]);
  const tools = openTools(given.tools, ["tools"]);
  const system = openSystem(given.system, ["system"]);
  const head = Object.freeze({
    model: given.model,
    system: system.list,
    tools: tools.list,
    params: paramsOf(given, profileOf(given.model)),
  });
  return { head, messages: given.messages, lead: 0, headMarks: [...tools.marks, ...system.marks] };
}

/** The host's request with this head and these messages. The host's object is not touched; what it has beside them stays as it is. */
export function close<R extends AnthropicRequest>(
  request: R,
  head: Head,
  messages: readonly ObjectValue[],
  profileOf: (model: string) => Profile,
): R {
  const closed: Record<string, unknown> = { ...request, model: head.model, messages };
  for (const part of ["system", "tools"] as const) {
    if (head[part].length === 0) delete closed[part];
    else closed[part] = head[part];
  }
  setParams(closed, head.params, profileOf(head.model));
  return closed as R;
}

/** The system text as one string. */
export function systemText(head: Head): string {
  return head.system.map((block) => (typeof block.text === "string" ? block.text : "")).join("\n\n");
}

/** A tool's name; a toolset has none and goes by its server's name or its type. */
export function toolName(tool: ObjectValue): string {
  return inWords(tool.name ?? tool.mcp_server_name ?? tool.type ?? "");
}

type OpenedPart = { readonly list: readonly ObjectValue[]; readonly marks: readonly HeadMark[] };
const nothing: OpenedPart = { list: Object.freeze([]), marks: [] };

/** System text is always sent as blocks, so that a mark never changes its shape. Blank blocks are left out; their marks move to the one before. */
const openSystem = recalling((copy): OpenedPart => {
  const given = wellFormedTexts(copy);
  if (given === null) return nothing;
  if (typeof given !== "string" && !isArray(given)) {
    throw new InvalidRequestError("$.system", "the system text must be a string or an array of text blocks");
  }
  const blocks: readonly Value[] = typeof given === "string" ? [{ type: "text", text: given }] : given;
  const list: ObjectValue[] = [];
  const marks: HeadMark[] = [];
  blocks.forEach((block, index) => {
    if (!isObject(block)) throw new InvalidRequestError(`$.system[${index}]`, "a system block must be an object");
    const sent = sentBlock(block);
    if (!isBlankText(sent)) list.push(freezeValue(sent));
    const mark = markOf(block);
    const at = Math.max(list.length - 1, 0);
    if (mark !== undefined && !marks.some((other) => other.index === at)) marks.push({ part: "system", index: at, mark });
  });
  return { list: Object.freeze(list), marks };
});

/** Tool definitions keep their keys as received: Anthropic serialises schemas in the order in which they come. */
const openTools = recalling((copy): OpenedPart => {
  const given = wellFormedTexts(copy);
  if (given === null) return nothing;
  if (!isArray(given)) throw new InvalidRequestError("$.tools", "the tools must be an array");
  const marks: HeadMark[] = [];
  const list = given.map((tool, index) => {
    if (!isObject(tool)) throw new InvalidRequestError(`$.tools[${index}]`, "a tool definition must be an object");
    if (isMarked(tool)) marks.push({ part: "tools", index, mark: tool.cache_control as Value });
    if (!Object.hasOwn(tool, "cache_control")) return tool;
    const { cache_control: _mark, ...definition } = tool;
    return Object.freeze(definition);
  });
  return { list: Object.freeze(list), marks };
});
