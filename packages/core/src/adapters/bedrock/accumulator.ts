import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Accumulator } from "../../wire/wire.ts";

type Draft = Record<string, Value>;
type OpenBlock = { block: Draft; input: string };

/**
 * Puts the events of ConverseStream together, one object an event as the SDK hands them out. Only `messageStop` finishes a reply; the usage comes behind it. An exception among the events
 * leaves it unfinished.
 */
export function accumulator(): Accumulator {
  const blocks = new Map<number, OpenBlock>();
  let role: Value = "assistant";
  let stop: ObjectValue | undefined;
  let metadata: ObjectValue = {};
  let failed = false;

  const at = (index: Value | undefined): OpenBlock => {
    const position = Number(index ?? 0);
    const open = blocks.get(position) ?? { block: {}, input: "" };
    blocks.set(position, open);
    return open;
  };

  return {
    add(event) {
      if (!isObject(event)) return;
      const { messageStart, contentBlockStart, contentBlockDelta, messageStop } = event;
      if (isObject(messageStart)) role = messageStart.role ?? role;
      else if (isObject(contentBlockStart) && isObject(contentBlockStart.start))
        Object.assign(at(contentBlockStart.contentBlockIndex).block, opened(contentBlockStart.start));
      else if (isObject(contentBlockDelta) && isObject(contentBlockDelta.delta))
        extend(at(contentBlockDelta.contentBlockIndex), contentBlockDelta.delta);
      else if (isObject(messageStop)) stop = messageStop;
      else if (isObject(event.metadata)) metadata = event.metadata;
      else if (Object.keys(event).some((name) => name.endsWith("Exception"))) failed = true;
    },
    reply() {
      const content = [...blocks].sort(([a], [b]) => a - b).flatMap(([, open]) => closed(open));
      const finished = stop !== undefined && !failed;
      const { p: _padding, ...measured } = metadata as Readonly<Record<string, Value>>;
      const { additionalModelResponseFields, stopReason = null } = stop ?? {};
      const fields = additionalModelResponseFields === undefined ? {} : { additionalModelResponseFields };
      return {
        reply: { output: { message: { role, content } }, stopReason: finished ? stopReason : null, ...fields, ...measured },
        finished,
      };
    },
  };
}

function opened(start: ObjectValue): Draft {
  return Object.fromEntries(Object.entries(start).map(([kind, value]) => [kind, isObject(value) ? { ...value } : value]));
}

function extend(open: OpenBlock, delta: ObjectValue): void {
  const { text, toolUse, reasoningContent, toolResult, citation, ...others } = delta;
  const { block } = open;
  if (typeof text === "string") addText(block, text);
  if (isObject(toolUse) && typeof toolUse.input === "string") open.input += toolUse.input;
  if (isObject(reasoningContent)) addReasoning(block, reasoningContent);
  if (isArray(toolResult)) addTo(draftIn(block, "toolResult"), "content", toolResult);
  if (isObject(citation)) addCitation(block, citation);
  Object.assign(block, others);
}

/** Text of a block with citations stands inside it. */
function addText(block: Draft, text: string): void {
  const cited = isObject(block.citationsContent) ? (block.citationsContent as Draft) : undefined;
  if (cited === undefined) block.text = (typeof block.text === "string" ? block.text : "") + text;
  else {
    const [first] = isArray(cited.content) ? cited.content : [];
    cited.content = [{ text: (isObject(first) && typeof first.text === "string" ? first.text : "") + text }];
  }
}

function addCitation(block: Draft, citation: ObjectValue): void {
  if (!isObject(block.citationsContent)) {
    const said = typeof block.text === "string" ? [{ text: block.text }] : [];
    delete block.text;
    block.citationsContent = { content: said, citations: [] };
  }
  addTo(block.citationsContent as Draft, "citations", [citation]);
}

function addReasoning(block: Draft, { text, signature, redactedContent, ...others }: ObjectValue): void {
  const reasoning = draftIn(block, "reasoningContent");
  if (redactedContent !== undefined) reasoning.redactedContent = redactedContent;
  if (typeof text === "string" || typeof signature === "string") {
    const spoken = draftIn(reasoning, "reasoningText");
    spoken.text = (typeof spoken.text === "string" ? spoken.text : "") + (typeof text === "string" ? text : "");
    if (typeof signature === "string") spoken.signature = signature;
  }
  Object.assign(reasoning, others);
}

/** A block with its input parsed. A call whose input never became JSON has an empty one, as the stream announced it. A block of which nothing came is none. */
function closed({ block, input }: OpenBlock): readonly ObjectValue[] {
  if (isObject(block.toolUse)) return [{ ...block, toolUse: { ...block.toolUse, input: parsed(input) } }];
  return Object.keys(block).length === 0 ? [] : [structuredClone(block) as ObjectValue];
}

function parsed(input: string): Value {
  try {
    return JSON.parse(input);
  } catch {
    return {};
  }
}

function draftIn(holder: Draft, name: string): Draft {
  if (!isObject(holder[name])) holder[name] = {};
  return holder[name] as Draft;
}

function addTo(holder: Draft, name: string, items: readonly Value[]): void {
  holder[name] = [...(isArray(holder[name]) ? holder[name] : []), ...items];
}
