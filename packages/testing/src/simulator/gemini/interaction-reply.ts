import type { ObjectValue } from "@tidemark/core";
import type { StreamEvent } from "../endpoint.ts";
import { pieces } from "../event-stream.ts";
import { objectOf, objectsOf, stringOf, without } from "../json.ts";
import { partsOf, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import { kindOfStep } from "./interaction-pieces.ts";
import type { ReplyMaking } from "./reply.ts";

/** The steps of a scripted reply: each thought is a step, signed; its summary shows where the request asks for it. A recorded reply is given as it is, its signatures anew. */
export function replySteps(reply: ScriptedReply, making: ReplyMaking): readonly ObjectValue[] {
  const { signer, profile, chance } = making;
  const sign = (step: ObjectValue): ObjectValue => ({ ...step, signature: signer.sign(kindOfStep(step), profile.id) });
  if (reply.message !== undefined) {
    const steps = reply.message.type === undefined ? objectsOf(reply.message.steps) : [reply.message];
    return steps.map((step) => (stringOf(step.signature) === "" ? step : sign(step)));
  }
  const shows = objectOf(making.request.generation_config).thinking_summaries === "auto";
  return partsOf(reply).map((part): ObjectValue => {
    if ("thinking" in part)
      return sign({ type: "thought", ...(shows && part.thinking !== "" && { summary: [{ type: "text", text: part.thinking }] }) });
    if ("text" in part) return { type: "model_output", content: [{ type: "text", text: part.text }] };
    if ("block" in part) return part.block;
    return { type: "function_call", id: part.call.id ?? chance.token(8).toLowerCase(), name: part.call.name, arguments: part.call.input };
  });
}

export type InteractionFacts = {
  readonly id: string;
  readonly model: string;
  readonly now: number;
  readonly steps: readonly ObjectValue[];
  readonly status: string | undefined;
  readonly usage: ObjectValue;
};

export function interactionOf({ id, model, now, steps, status, usage }: InteractionFacts): ObjectValue {
  const waits = steps.some(({ type }) => type === "function_call");
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return {
    id,
    status: status ?? (waits ? "requires_action" : "completed"),
    usage,
    created: time,
    updated: time,
    service_tier: "standard",
    steps,
    object: "interaction",
    model,
  };
}

/** A figure of 0 is reported (recorded). */
export function interactionUsage(account: CacheAccount, steps: readonly ObjectValue[], thoughts: number): ObjectValue {
  const said = steps.filter(({ type }) => type !== "thought").reduce((sum, step) => sum + tokensOf(JSON.stringify(step)), 0);
  return {
    total_tokens: account.prompt + said + thoughts,
    total_input_tokens: account.prompt,
    total_cached_tokens: account.read,
    total_output_tokens: said,
    total_tool_use_tokens: 0,
    total_thought_tokens: thoughts,
  };
}

/** A whole interaction as the events in which the provider streams it. */
export function interactionEvents(interaction: ObjectValue, pieceUnits?: number): readonly StreamEvent[] {
  return [...events(interaction, pieceUnits)].map((data) => ({ name: stringOf(data.event_type), data }));
}

function* events(interaction: ObjectValue, pieceUnits?: number): Generator<ObjectValue> {
  const { id = "", model = "", object = "" } = interaction;
  yield { interaction: { id, status: "in_progress", object, model }, event_type: "interaction.created" };
  yield { interaction_id: id, status: "in_progress", event_type: "interaction.status_update" };
  for (const [index, step] of objectsOf(interaction.steps).entries()) {
    yield { index, step: begun(step), event_type: "step.start" };
    for (const delta of deltas(step, pieceUnits)) yield { index, delta, event_type: "step.delta" };
    yield { index, event_type: "step.stop" };
  }
  yield { interaction: without(interaction, "steps"), event_type: "interaction.completed" };
}

function begun(step: ObjectValue): ObjectValue {
  if (step.type === "function_call") return { ...step, signature: "", arguments: {} };
  return step.type === "thought" || step.type === "model_output" ? { type: step.type } : step;
}

function* deltas(step: ObjectValue, pieceUnits?: number): Generator<ObjectValue> {
  if (step.type === "function_call") {
    for (const text of pieces(JSON.stringify(step.arguments), pieceUnits)) yield { arguments: text, type: "arguments_delta" };
  } else if (step.type === "thought") {
    for (const content of objectsOf(step.summary)) yield { content, type: "thought_summary" };
    if (stringOf(step.signature) !== "") yield { signature: step.signature ?? "", type: "thought_signature" };
  } else if (step.type === "model_output") {
    for (const part of objectsOf(step.content)) {
      if (part.type !== "text") yield part;
      else for (const text of pieces(stringOf(part.text), pieceUnits)) yield { text, type: "text" };
      if (part.annotations !== undefined) yield { annotations: part.annotations, type: "text_annotation_delta" };
    }
  }
}
