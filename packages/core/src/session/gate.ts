import { pathText } from "../json/path.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Draft } from "../ledger/reconcile.ts";
import { messagesPlace } from "../wire/places.ts";
import { type Breach, firstBreach, type Grade, type RuleContext, ShapeError, type ShapeRule } from "../wire/rule.ts";
import type { Wire } from "../wire/wire.ts";

export type Doubt = { readonly rule: string; readonly path: string; readonly message: string };

/**
 * The last step of every `prepare`: a request that the provider is sure to reject for its shape never leaves (rule 53). It looks at the head and at what stands
 * from the last row of replies on; what stands before was looked at when it was new.
 * @throws {ShapeError}
 */
export function gate<W extends object, R extends W>(
  wire: Wire<W>,
  request: R,
  draft: Draft,
  kept: number,
  strict: boolean,
): Doubt | undefined {
  const context: RuleContext = { profile: draft.target.profile, betas: betasOf(request), version: undefined };
  const refusing: readonly Grade[] = strict ? ["sure", "likely", "weak"] : ["sure"];
  const whole = request as unknown as ObjectValue;
  const part = strict ? whole : tailOf(wire, request, draft, kept);
  const refused = breachIn(wire, part, whole, context, refusing);
  if (refused !== undefined) throw new ShapeError(refused.rule, refused.breach);
  const doubted = strict ? undefined : breachIn(wire, part, whole, context, ["likely", "weak"]);
  return doubted === undefined
    ? undefined
    : { rule: doubted.rule.id, path: pathText(doubted.breach.path), message: doubted.breach.message };
}

/** A breach in the part is looked up in the whole, whose indices it must name. */
function breachIn<W extends object>(
  wire: Wire<W>,
  part: ObjectValue,
  whole: ObjectValue,
  context: RuleContext,
  grades: readonly Grade[],
): { readonly rule: ShapeRule; readonly breach: Breach } | undefined {
  const found = firstBreach(wire.rules, part, context, grades);
  return found === undefined || part === whole ? found : firstBreach(wire.rules, whole, context, grades);
}

function betasOf(request: object): readonly string[] | undefined {
  const betas = (request as { betas?: unknown }).betas;
  return Array.isArray(betas) ? betas.filter((beta) => typeof beta === "string") : undefined;
}

/** The request with a user message in place of all that stands before what is new: before the row of replies that it starts with or answers. */
function tailOf<W extends object, R extends W>(wire: Wire<W>, request: R, draft: Draft, kept: number): ObjectValue {
  const place = messagesPlace(wire as unknown as Wire).join(".");
  const all = (request as unknown as ObjectValue)[place] as readonly ObjectValue[];
  const messages = all.slice(draft.lead);
  let from = Math.min(kept, messages.length - 1);
  const isReply = (message: ObjectValue | undefined): boolean => message !== undefined && wire.read(message).role === "assistant";
  while (from > 0 && !isReply(messages[from])) from -= 1;
  while (from > 0 && isReply(messages[from - 1])) from -= 1;
  if (from <= 0) return request as unknown as ObjectValue;
  const tail = Object.freeze([...all.slice(0, draft.lead), wire.say("user", "-"), ...messages.slice(from)]);
  return Object.freeze({ ...request, [place]: tail }) as unknown as ObjectValue;
}
