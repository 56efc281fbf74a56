import type { Accumulator } from "../../wire/wire.ts";

type Json = Record<string, unknown>;
type OpenBlock = { readonly block: Json; input: string };

/**
 * Puts the events of a streamed reply together. Events are never written to; `ping` and events to come are ignored. A second `message_start` goes on
 * with the same reply, or begins anew when it bears another id. Only `message_stop` finishes a reply; an `error` event leaves it unfinished.
 */
export function accumulator(): Accumulator {
  let message: Json | undefined;
  let finished = false;
  let failed = false;
  const blocks = new Map<number, OpenBlock>();

  const begin = (index: number, block: unknown): void => {
    blocks.set(index, { block: { ...asObject(block) }, input: "" });
  };

  const start = (started: Json): void => {
    if (message !== undefined && message.id !== started.id) blocks.clear();
    message = { ...message, ...started, usage: { ...asObject(message?.usage), ...asObject(started.usage) } };
    finished = false;
    for (const [index, block] of asArray(started.content).entries()) begin(index, block);
  };

  const change = (event: Json): void => {
    if (message === undefined) return;
    const { type: _type, delta, usage, ...others } = event;
    message = { ...message, ...said(others), ...asObject(delta), usage: { ...asObject(message.usage), ...said(asObject(usage)) } };
  };

  return {
    add(given) {
      const event = asObject(given);
      if (event.type === "message_start") start(asObject(event.message));
      else if (event.type === "content_block_start") begin(Number(event.index), event.content_block);
      else if (event.type === "content_block_delta") extend(blocks.get(Number(event.index)), asObject(event.delta));
      else if (event.type === "message_delta") change(event);
      else if (event.type === "message_stop") finished = true;
      else if (event.type === "error") failed = true;
    },
    reply() {
      const content = [...blocks].sort(([a], [b]) => a - b).map(([, open]) => closed(open));
      const whole = finished && !failed && message !== undefined;
      // The stop reason comes before the end; a reply that was cut between the two settles nothing.
      return { reply: { ...message, content, ...(whole ? {} : { stop_reason: null }) }, finished: whole };
    },
  };
}

function extend(open: OpenBlock | undefined, delta: Json): void {
  if (open === undefined) return;
  const { block } = open;
  if (delta.type === "text_delta") block.text = joined(block.text, delta.text);
  else if (delta.type === "thinking_delta") block.thinking = joined(block.thinking, delta.thinking);
  else if (delta.type === "signature_delta") block.signature = delta.signature;
  else if (delta.type === "input_json_delta") open.input += joined("", delta.partial_json);
  else if (delta.type === "citations_delta") block.citations = [...asArray(block.citations), delta.citation];
  // The delta of a compaction bears final values, not pieces.
  else if (delta.type === "compaction_delta") Object.assign(block, { ...delta, type: block.type });
}

/** A block with its input parsed. Input that was cut before it became JSON stays as the stream announced it, which is empty. */
function closed({ block, input }: OpenBlock): Json {
  if (input.trim() === "") return block;
  try {
    return { ...block, input: JSON.parse(input) };
  } catch {
    return block;
  }
}

function joined(before: unknown, piece: unknown): string {
  return (typeof before === "string" ? before : "") + (typeof piece === "string" ? piece : "");
}

/** Members that say something: a null in a later event does not take back what an earlier one said. */
function said(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
