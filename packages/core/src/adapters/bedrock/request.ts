import { inWords } from "../../json/in-words.ts";
import { wellFormedTexts } from "../../json/map-texts.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, freezeValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import { isBlankText, withoutPoints } from "./blocks.ts";
import { paramsOf, withParams } from "./params.ts";

/**
 * The least structure that a Converse request must have. The SDK's `ConverseCommandInput` and `ConverseStreamCommandInput` fit it, plain literals do too; what goes into a
 * session as `R extends BedrockRequest` comes out as `R`.
 */
export interface BedrockRequest {
  readonly modelId: string | undefined;
  readonly messages?: readonly object[] | undefined;
}

type HeadMarks = OpenRequest["headMarks"];

/** Takes a request apart. The messages stay the host's own objects. */
export function openRequest(request: BedrockRequest): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "a request must be an object");
  const { modelId, messages, system, toolConfig } = request as Readonly<Record<string, unknown>>;
  if (typeof modelId !== "string") throw new InvalidRequestError("$.modelId", "the model's id must be a string");
  if (!Array.isArray(messages)) throw new InvalidRequestError("$.messages", "messages must be a list");
  refuseSparse(messages, ["messages"]);
  const systemPart = openPart(system, "system", ["system"]);
  const given = isObject(toolConfig) ? (toolConfig as { readonly tools?: unknown }).tools : undefined;
  const toolPart = openPart(given, "tools", ["toolConfig", "tools"]);
  const head = Object.freeze({ model: modelId, system: systemPart.blocks, tools: toolPart.blocks, params: paramsOf(request) });
  return { head, messages, lead: 0, headMarks: [...systemPart.marks, ...toolPart.marks] };
}

/** The host's own request with this head and these messages in place of its own. */
export function closeRequest<R extends BedrockRequest>(request: R, head: Head, messages: readonly ObjectValue[]): R {
  const closed: Record<string, unknown> = withParams({ ...(request as object), modelId: head.model, messages }, head.params);
  if (head.system.length > 0) closed.system = head.system;
  else delete closed.system;
  const config = (isObject(closed.toolConfig) ? closed.toolConfig : {}) as Readonly<Record<string, unknown>>;
  const { tools: _tools, ...others } = config;
  if (head.tools.length > 0) closed.toolConfig = { tools: head.tools, ...others };
  else delete closed.toolConfig;
  return closed as R;
}

/** Told by the model's name and blocks that are named by a member: no other wire has either. */
export function recognises({ modelId, messages }: ObjectValue): boolean {
  return typeof modelId === "string" && isArray(messages);
}

/** A tool definition's name; a tool of the provider's own is named, too. */
export function toolName(tool: ObjectValue): string {
  const named = [tool.toolSpec, tool.systemTool].find(isObject);
  return inWords(named?.name ?? Object.keys(tool)[0] ?? "");
}

export function systemText(head: Head): string {
  return head.system.map((block) => (typeof block.text === "string" ? block.text : "")).join("\n\n");
}

/** System blocks or tools without the cache points between them; blank text is left out, its point counts for the block before. */
function openPart(
  given: unknown,
  part: "system" | "tools",
  path: readonly string[],
): { readonly blocks: readonly ObjectValue[]; readonly marks: HeadMarks } {
  if (given === undefined || given === null) return { blocks: [], marks: [] };
  const copy: Value = wellFormedTexts(copyValue(given, path));
  if (!isArray(copy)) throw new InvalidRequestError(pathText(path), `${path.join(".")} must be a list`);
  const odd = copy.findIndex((block) => !isObject(block));
  if (odd >= 0) throw new InvalidRequestError(pathText([...path, odd]), "a block must be an object");
  const { kept, marks } = withoutPoints(copy, (block) => (part === "system" && isBlankText(block) ? undefined : freezeValue(block)));
  return { blocks: Object.freeze(kept), marks: marks.map(({ at, mark }) => ({ part, index: at, mark })) };
}
