import type { ObjectValue, Value } from "@tidemark/core";
import type { StreamEvent } from "../endpoint.ts";
import { pieces } from "../event-stream.ts";
import { objectOf, objectsOf, stringOf } from "../json.ts";

/** A whole completion as the chunks in which the provider streams it, its texts in pieces of so many UTF-16 units. */
export function streamOf(completion: ObjectValue, withUsage: boolean, pieceUnits?: number): readonly StreamEvent[] {
  return [...chunks(completion, withUsage, pieceUnits)].map((data) => ({ data }));
}

function* chunks(completion: ObjectValue, withUsage: boolean, pieceUnits: number | undefined): Generator<ObjectValue | "[DONE]"> {
  const { id = "", created = 0, model = "", service_tier = null } = completion;
  const choice = objectOf(objectsOf(completion.choices)[0]);
  const message = objectOf(choice.message);
  const chunk = (choices: readonly Value[], usage: Value = null, last: ObjectValue = {}): ObjectValue => ({
    id,
    object: "chat.completion.chunk",
    created,
    model,
    service_tier,
    choices,
    ...(withUsage && { usage }),
    ...last,
  });
  const said = (delta: ObjectValue, finish_reason: Value = null) => chunk([{ index: 0, delta, logprobs: null, finish_reason }]);

  yield said({ role: "assistant", content: typeof message.content === "string" ? "" : null, refusal: null });
  for (const delta of deltas(message, pieceUnits)) yield said(delta);
  yield said({}, choice.finish_reason ?? null);
  const { timings } = completion;
  if (withUsage) yield chunk([], completion.usage ?? null, timings === undefined ? {} : { timings });
  yield "[DONE]";
}

/** Reasoning first, then content, then calls: a call's id and name come with its first piece only. */
function* deltas(message: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  for (const name of ["reasoning_content", "reasoning"])
    for (const text of pieces(stringOf(message[name]), pieceUnits)) yield { [name]: text };
  for (const detail of objectsOf(message.reasoning_details)) yield { reasoning_details: [detail] };
  if (typeof message.content === "string") for (const content of pieces(message.content, pieceUnits)) yield { content };
  else for (const part of objectsOf(message.content)) yield { content: [part] };
  for (const [index, call] of objectsOf(message.tool_calls).entries()) {
    const named = objectOf(call.function);
    yield { tool_calls: [{ ...call, index, function: { ...named, arguments: "" } }] };
    for (const text of pieces(stringOf(named.arguments), pieceUnits)) yield { tool_calls: [{ index, function: { arguments: text } }] };
  }
}
