import { pathText } from "../json/path.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import { messagesPlace } from "../wire/places.ts";
import { type Breach, type RuleContext, ShapeError, type ShapeRule } from "../wire/rule.ts";
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
  const whole = request as unknown as ObjectValue;
  const refuses = strict ? isAny : isSure;
  const part = strict ? whole : tailOf(wire, request, draft, kept);
  const found = breachesIn(wire.rules, part, context, refuses);
  // A breach in the part is looked up in the whole, whose indices it must name.
  const { refused, doubted } = found === none || part === whole ? found : breachesIn(wire.rules, whole, context, refuses);
  if (refused !== undefined) throw new ShapeError(refused.rule, refused.breach);
  return doubted && { rule: doubted.rule.id, path: pathText(doubted.breach.path), message: doubted.breach.message };
}

type Found = { readonly rule: ShapeRule; readonly breach: Breach };
type Breaches = { readonly refused?: Found; readonly doubted?: Found };
const none: Breaches = {};

const isAny = (): boolean => true;
const isSure = ({ grade }: ShapeRule): boolean => grade === "sure";

/** The first breach that refuses a request, or else the first that is to be reported. */
function breachesIn(
  rules: readonly ShapeRule[],
  request: ObjectValue,
  context: RuleContext,
  refuses: (rule: ShapeRule) => boolean,
): Breaches {
  let found = none;
  for (const rule of rules) {
    const refusing = refuses(rule);
    const breach = refusing || found === none ? rule.check(request, context) : undefined;
    if (breach === undefined) continue;
    if (refusing) return { refused: { rule, breach } };
    found = { doubted: { rule, breach } };
  }
  return found;
}

function betasOf(request: object): readonly string[] | undefined {
  const betas = (request as { betas?: unknown }).betas;
  return Array.isArray(betas) ? betas.filter((beta) => typeof beta === "string") : undefined;
}

/** The request with a user message in place of all that stands before what is new: before the row of replies that it starts with or answers. */
function tailOf<W extends object, R extends W>(wire: Wire<W>, request: R, draft: Draft, kept: number): ObjectValue {
  const place = messagesPlace(wire as unknown as Wire).join(".");
  const messages = (request as unknown as ObjectValue)[place] as readonly ObjectValue[];
  const { lead } = draft;
  let from = Math.min(lead + kept, messages.length - 1);
  const isReply = (message: ObjectValue | undefined): boolean => message !== undefined && wire.read(message).role === "assistant";
  while (from > lead && !isReply(messages[from])) from -= 1;
  while (from > lead && isReply(messages[from - 1])) from -= 1;
  if (from <= lead) return request as unknown as ObjectValue;
  const tail = Object.freeze(messages.slice(0, lead).concat(wire.say("user", "-"), messages.slice(from)));
  return Object.freeze({ ...request, [place]: tail }) as unknown as ObjectValue;
}
