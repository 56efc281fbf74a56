import type { Value } from "../json/value.ts";
import type { Draft } from "../ledger/reconcile.ts";
import type { Verdict } from "../ledger/verdict.ts";
import { estimateNative } from "../wire/request-tokens.ts";
import type { Wire } from "../wire/wire.ts";
import type { SessionState } from "./session-state.ts";

/** What a message, block or member costs beside its texts, where the host brings its own counter. */
const structureTokens = 2;

/** Tokens of a message, a tool or a list of them, for one model. A frozen value is counted once. */
export type Counter = (value: Value) => number;

const counters = new WeakMap<object, Map<string, Counter>>();

/** The session's counter for a model, which remembers: for windows that break again and again, and are counted each time. */
export function counterFor<W extends object>(session: SessionState<W>, model: string): Counter {
  const known = counters.get(session.options) ?? new Map<string, Counter>();
  counters.set(session.options, known);
  const counter = known.get(model) ?? remembering(plainCounter(session, model));
  known.set(model, counter);
  return counter;
}

/** The estimate with the model's picture formula, or the host's own for texts. */
function plainCounter<W extends object>(session: SessionState<W>, model: string): Counter {
  const { countText } = session.options;
  const wire = session.wire as unknown as Wire;
  return countText === undefined ? (value) => estimateAny(wire, value, model) : (value) => countTexts(value, countText);
}

/** Tokens of a whole request, counted when first asked for. What the last counted request had too is not counted again. */
export function tokensOf<W extends object>(
  session: SessionState<W>,
  { head }: Draft,
  { kept, messages, checkpoints }: Verdict,
): () => number {
  const { model, system, tools } = head;
  const known = session.counted?.model === model && session.counted.messages <= kept ? session.counted : undefined;
  const count = checkpoints.length > 0 ? counterFor(session, model) : plainCounter(session, model);
  const messageCount = messages.length;
  let uncounted = messages.slice(known?.messages ?? 0);
  let total: number | undefined;
  const tokens = (): number => {
    if (total !== undefined) return total;
    const ofMessages = uncounted.reduce((sum, message) => sum + count(message), known?.tokens ?? 0);
    uncounted = [];
    total = ofMessages + count(system) + count(tools);
    if (session.sent.at(-1)?.tokens === tokens) session.counted = { model, messages: messageCount, tokens: ofMessages };
    return total;
  };
  return tokens;
}

function remembering(count: Counter): Counter {
  const counted = new WeakMap<object, number>();
  return (value) => {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return count(value);
    const tokens = counted.get(value) ?? count(value);
    counted.set(value, tokens);
    return tokens;
  };
}

function estimateAny(wire: Wire, value: Value, model: string): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + estimateAny(wire, item as Value, model), 0);
  return estimateNative(wire, value, wire.profile(model).imageTokens);
}

function countTexts(value: Value, countText: (text: string) => number): number {
  if (typeof value === "string") return countText(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return structureTokens;
  return Object.values(value).reduce<number>((sum, member) => sum + countTexts(member as Value, countText), structureTokens);
}
