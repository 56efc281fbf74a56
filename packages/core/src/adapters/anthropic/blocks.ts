import { sameValue } from "../../json/compare.ts";
import { isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";

const words = (text: string): readonly string[] => text.split(" ");

/** Members of the blocks, in the wire's order, behind `type`. Source: the block parameter types of @anthropic-ai/sdk 1.14.0. */
const blockMembers: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    text: "text citations",
    image: "source transformations",
    document: "source title context citations",
    search_result: "source title content citations",
    thinking: "thinking signature",
    redacted_thinking: "data",
    tool_use: "id name input caller toolset_name",
    tool_result: "tool_use_id content is_error toolset_name",
    tool_reference: "tool_name",
    browser_state: "tabs state_changes",
    server_tool_use: "id name input caller",
    mcp_tool_use: "id name server_name input",
    mcp_tool_listing: "mcp_server_name tools",
    container_upload: "file_id",
    compaction: "content encrypted_content signature tool_changes",
    tool_addition: "tool",
    tool_removal: "tool",
    fallback: "from to trigger",
  }).map(([type, members]) => [type, words(members)]),
);
/** `web_search_tool_result` and all others that a server's tool gives. */
const serverResult = words("tool_use_id content is_error caller");
const messageMembers = words("clear_at output_config");
/** Of a picture's or document's source, whichever kind it is. */
const sourceMembers = words("media_type data url file_id content");

/** Blocks that have no `cache_control`. */
const neverMarked = words("thinking redacted_thinking mcp_tool_listing fallback");

/**
 * Values that the wire reads like an absent member, in messages and in the blocks below. All other blocks are carried as they are: to a compaction block
 * not even a null may be added. Source: the comments of the types above.
 */
const likeAbsent: ReadonlyMap<string, readonly Value[]> = new Map<string, readonly Value[]>([
  ["citations", [null, []]],
  ["transformations", [null, {}]],
  ["title", [null]],
  ["context", [null]],
  ["caller", [null]],
  ["toolset_name", [null]],
  ["is_error", [null, false]],
  ["clear_at", [null, "never"]],
  ["output_config", [null, {}]],
]);
const withDefaults: readonly Value[] = words("text image document search_result tool_use tool_result");

function membersOf({ type }: ObjectValue): readonly string[] | undefined {
  return blockMembers.get(type as string) ?? (isServerResult(type) ? serverResult : undefined);
}

function isServerResult(type: Value | undefined): boolean {
  return typeof type === "string" && type.endsWith("_tool_result");
}

/** Whether the wire knows a block's type, and whether it knows one of its members. */
export function knowsBlock(block: ObjectValue): boolean {
  return membersOf(block) !== undefined;
}

export function knowsMember(block: ObjectValue, name: string): boolean {
  if (name === "cache_control") return !neverMarked.includes(block.type as string);
  return name === "type" || (membersOf(block)?.includes(name) ?? true);
}

export function isServerToolBlock({ type }: ObjectValue): boolean {
  return type === "server_tool_use" || type === "mcp_tool_use" || isServerResult(type);
}

/** Whether a block may bear a cache mark. Of a block that it does not know the wire cannot tell. */
export function mayBearMark(block: ObjectValue): boolean | undefined {
  if (!knowsMember(block, "cache_control") || (block.type === "text" && block.text === "")) return false;
  return knowsBlock(block) ? true : undefined;
}

export function isMarked({ cache_control }: ObjectValue): boolean {
  return cache_control !== undefined && cache_control !== null;
}

/** The mark that a block bears, or that a block inside it bears. */
export function markOf(block: Value): Value | undefined {
  if (!isObject(block)) return undefined;
  if (isMarked(block)) return block.cache_control;
  const inner = innerBlocks(block);
  for (let index = 0; index < inner.length; index++) {
    const mark = markOf(inner[index] as Value);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

const none: readonly Value[] = Object.freeze([]);

/** The blocks that a block holds: of a result, a search result, a document made of blocks. */
export function innerBlocks({ content, source }: ObjectValue): readonly Value[] {
  if (isArray(content)) return content;
  return isObject(source) && isArray(source.content) ? source.content : none;
}

/** A block as it is sent: without cache marks and members that say nothing, its own members in the wire's order. */
export function sentBlock(block: ObjectValue): ObjectValue {
  return laidOut(block, membersOf(block) ?? [], withDefaults.includes(block.type as Value));
}

/** What a message has beside role and content; undefined: nothing that says something. */
export function sentFields(message: ObjectValue): ObjectValue | undefined {
  if (Object.keys(message).every((name) => name === "role" || name === "content")) return undefined;
  const { role: _role, content: _content, ...fields } = message;
  const sent = laidOut(fields, messageMembers, true);
  return Object.keys(sent).length === 0 ? undefined : sent;
}

/** A text block with nothing but its text. */
export function isPlainText(block: Value | undefined): block is ObjectValue & { readonly text: string } {
  return isObject(block) && block.type === "text" && typeof block.text === "string" && Object.keys(block).length === 2;
}

/** A text block without a word, and without anything else that would make it worth sending (rule 10). */
export function isBlankText(block: Value | undefined): boolean {
  return isPlainText(block) && block.text.trim() === "";
}

/** Known members in the wire's order, the others behind them, sorted. The same object when that is how it stands. */
function laidOut(holder: ObjectValue, members: readonly string[], defaults: boolean): ObjectValue {
  return isLaidOut(holder, members, defaults) ? holder : layOut(holder, members, defaults);
}

/** Most blocks come as they are sent: then nothing is put together. */
function isLaidOut(holder: ObjectValue, members: readonly string[], defaults: boolean): boolean {
  const names = Object.keys(holder);
  let next = 0;
  for (let index = names[0] === "type" ? 1 : 0; index < names.length; index++) {
    const name = names[index] as string;
    next = members.indexOf(name, next) + 1;
    if (next === 0 || sentMember(holder, name) !== holder[name] || (defaults && saysNothing(name, holder[name] as Value))) return false;
  }
  return true;
}

function saysNothing(name: string, value: Value): boolean {
  return likeAbsent.get(name)?.some((absent) => sameValue(absent, value)) ?? false;
}

function layOut(holder: ObjectValue, members: readonly string[], defaults: boolean): ObjectValue {
  const given = Object.keys(holder);
  const others = given.filter((name) => name !== "type" && name !== "cache_control" && !members.includes(name)).sort();
  const sent: Record<string, Value> = {};
  for (const name of ["type", ...members, ...others]) {
    const value = Object.hasOwn(holder, name) ? sentMember(holder, name) : undefined;
    if (value === undefined || (defaults && saysNothing(name, value))) continue;
    setMember(sent, name, value);
  }
  if (others.length === 0) return Object.freeze(sent);
  const names = Object.keys(sent);
  return given.every((name, index) => name === names[index] && holder[name] === sent[name]) ? holder : Object.freeze(sent);
}

function sentMember(holder: ObjectValue, name: string): Value | undefined {
  const value = holder[name];
  if (name === "content" && holder.type === "tool_result") return sentResult(value);
  if (name === "content" && isArray(value)) return mapped(value, withoutMark);
  return name === "source" && isObject(value) ? laidOut(value, sourceMembers, false) : value;
}

/** Content of a result: empty texts beside other blocks go, what is then one plain text is a string, and an empty one is absent. */
function sentResult(content: Value | undefined): Value | undefined {
  if (content === null || content === "") return undefined;
  if (!isArray(content)) return content;
  const blocks = mapped(content, (block) => (isObject(block) ? sentBlock(block) : block));
  const said = blocks.length > 1 && blocks.some(isBlankText) ? blocks.filter((block) => !isBlankText(block)) : blocks;
  const [first] = said;
  if (said.length > 1 || !isPlainText(first)) return first === undefined ? undefined : Object.freeze(said);
  return first.text === "" ? undefined : first.text;
}

function withoutMark(block: Value): Value {
  if (!isObject(block) || !Object.hasOwn(block, "cache_control")) return block;
  const { cache_control: _mark, ...unmarked } = block;
  return Object.freeze(unmarked);
}

function mapped(list: readonly Value[], map: (element: Value) => Value): readonly Value[] {
  const copy = list.map(map);
  return copy.every((element, index) => element === list[index]) ? list : Object.freeze(copy);
}
