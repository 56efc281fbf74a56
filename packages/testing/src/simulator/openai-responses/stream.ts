import type { ObjectValue } from "@tidemark/core";
import type { StreamEvent } from "../endpoint.ts";
import { pieces } from "../event-stream.ts";
import { objectsOf, stringOf } from "../json.ts";

/** A whole response as the events in which the provider streams it, its texts in pieces of so many UTF-16 units. */
export function streamOf(response: ObjectValue, pieceUnits?: number): readonly StreamEvent[] {
  return [...events(response, pieceUnits)].map((event, sequence_number) => ({
    name: stringOf(event.type),
    data: { ...event, sequence_number },
  }));
}

function* events(response: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  const begun = { ...response, status: "in_progress", output: [], usage: null, incomplete_details: null };
  yield { type: "response.created", response: begun };
  yield { type: "response.in_progress", response: begun };
  for (const [output_index, item] of objectsOf(response.output).entries()) yield* itemEvents(item, output_index, pieceUnits);
  yield { type: response.status === "completed" ? "response.completed" : "response.incomplete", response };
}

function* itemEvents(item: ObjectValue, output_index: number, pieceUnits: number | undefined): Generator<ObjectValue> {
  const place = { item_id: stringOf(item.id), output_index };
  yield { type: "response.output_item.added", output_index, item: begunItem(item) };
  if (item.type === "message")
    for (const [index, part] of objectsOf(item.content).entries()) yield* partEvents(part, { ...place, content_index: index }, pieceUnits);
  if (item.type === "reasoning")
    for (const [index, part] of objectsOf(item.summary).entries())
      yield* summaryEvents(part, { ...place, summary_index: index }, pieceUnits);
  if (item.type === "function_call") {
    for (const delta of pieces(stringOf(item.arguments), pieceUnits))
      yield { type: "response.function_call_arguments.delta", ...place, delta };
    yield { type: "response.function_call_arguments.done", ...place, name: item.name ?? "", arguments: item.arguments ?? "" };
  }
  yield { type: "response.output_item.done", output_index, item };
}

function begunItem(item: ObjectValue): ObjectValue {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "reasoning") return { ...item, summary: [], encrypted_content: "" };
  return item.type === "function_call" ? { ...item, status: "in_progress", arguments: "" } : item;
}

function* partEvents(part: ObjectValue, place: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  const isRefusal = part.type === "refusal";
  const name = isRefusal ? "refusal" : "output_text";
  const text = stringOf(isRefusal ? part.refusal : part.text);
  const empty = isRefusal ? { ...part, refusal: "" } : { ...part, text: "" };
  yield { type: "response.content_part.added", ...place, part: empty };
  for (const delta of pieces(text, pieceUnits))
    yield { type: `response.${name}.delta`, ...place, delta, ...(isRefusal ? {} : { logprobs: [] }) };
  yield { type: `response.${name}.done`, ...place, ...(isRefusal ? { refusal: text } : { text, logprobs: [] }) };
  yield { type: "response.content_part.done", ...place, part };
}

function* summaryEvents(part: ObjectValue, place: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  yield { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } };
  for (const delta of pieces(stringOf(part.text), pieceUnits)) yield { type: "response.reasoning_summary_text.delta", ...place, delta };
  yield { type: "response.reasoning_summary_text.done", ...place, text: part.text ?? "" };
  yield { type: "response.reasoning_summary_part.done", ...place, part };
}
