import { isObject, type MarkPlan, type ObjectValue, type Value } from "@tidemark/core/adapter";
import { familyOfModel } from "./families.ts";
import { marksOf, withMarks } from "./parts.ts";
import type { PromptRequest } from "./request.ts";

/** Anthropic's converter keeps the first four and drops the newest (facts 1.2); the host's oldest go instead. */
export const cacheMarksMax = 4;

type Outgoing = {
  readonly prompt: readonly ObjectValue[];
  readonly tools?: readonly ObjectValue[];
  readonly providerOptions?: ObjectValue;
};

/** Puts the host's marks back. Where it set none and the provider caches on demand only, the provider is asked to place them. */
export function mark<R extends PromptRequest>(request: R, plan: MarkPlan): R {
  const { prompt, tools, providerOptions } = request as unknown as Outgoing;
  if (plan.hostMarks.length === 0) return asksItself(request, plan) ? automatic(request, providerOptions, plan.ttl) : request;
  const marked = { prompt: [...prompt], ...(tools !== undefined && { tools: [...tools] }) };
  for (const own of plan.hostMarks) {
    if (own.part === "messages") marked.prompt[own.message] = markedPart(prompt[own.message] as ObjectValue, own.block, own.mark);
    else {
      const list = own.part === "system" ? marked.prompt : (marked.tools ?? []);
      const holder = list[own.index];
      if (holder !== undefined) list[own.index] = withMarks(holder, own.mark);
    }
  }
  return { ...request, ...marked };
}

export function asksForCache(request: PromptRequest): boolean {
  const { prompt, tools, providerOptions, model } = request as unknown as Outgoing & PromptRequest;
  if (familyOfModel(model) !== "anthropic" || marksOf(providerOptions) !== undefined) return true;
  const holders = [
    ...prompt,
    ...prompt.flatMap(({ content }) => (Array.isArray(content) ? (content as ObjectValue[]) : [])),
    ...(tools ?? []),
  ];
  return holders.some((holder) => marksOf(holder.providerOptions) !== undefined);
}

function asksItself({ model, ...request }: PromptRequest, { mode }: MarkPlan): boolean {
  return mode !== "off" && familyOfModel(model) === "anthropic" && marksOf((request as unknown as Outgoing).providerOptions) === undefined;
}

/** `providerOptions.anthropic.cacheControl` of a call: the provider marks the last block that may bear a mark. */
function automatic<R extends PromptRequest>(request: R, options: ObjectValue | undefined, ttl: string | undefined): R {
  const cacheControl = { type: "ephemeral", ...(ttl !== undefined && { ttl }) };
  const anthropic = isObject(options?.anthropic) ? options.anthropic : {};
  return { ...request, providerOptions: { ...options, anthropic: { ...anthropic, cacheControl } } };
}

function markedPart(message: ObjectValue, index: number, mark: Value): ObjectValue {
  const { content } = message;
  if (!Array.isArray(content)) return withMarks(message, mark);
  // A message's own members come first among its units.
  const place = index - (content.length > index && message.providerOptions === undefined ? 0 : 1);
  const parts = [...(content as ObjectValue[])];
  const at = Math.min(Math.max(place, 0), parts.length - 1);
  if (parts[at] !== undefined) parts[at] = withMarks(parts[at], mark);
  return Object.freeze({ ...message, content: parts });
}
