import { copyValue, type ObjectValue, type Value } from "../json/value.ts";
import type { Head } from "./head.ts";
import { leadsMessages } from "./places.ts";
import { type Counting, countingFor, estimateMessage, estimateValue } from "./value-tokens.ts";
import type { Wire } from "./wire.ts";

/** Tokens of a request by its parts. */
export type RequestTokens = {
  readonly system: number;
  readonly tools: number;
  /** One figure a message behind the head. */
  readonly messages: readonly number[];
  readonly total: number;
};

/**
 * An honest local count of a whole request (rule 30): system text, all declared tools, every message, media by the model's formula.
 * Without reserved output.
 */
export function estimateRequest<Request extends object>(wire: Wire<Request>, request: Request): RequestTokens {
  const { head, messages } = wire.open(request);
  const counting = countingFor(wire.profile(head.model));
  const { system, tools } = estimateHead(wire as unknown as Wire, head);
  const each = messages.map((message, index) => estimateNative(wire as unknown as Wire, copyValue(message, ["messages", index]), counting));
  return { system, tools, messages: each, total: each.reduce((sum, tokens) => sum + tokens, system + tools) };
}

/** Tokens of what stands before the messages. */
export function estimateHead(wire: Wire, head: Head): { readonly system: number; readonly tools: number } {
  const counting = countingFor(wire.profile(head.model));
  const system = leadsMessages(head)
    ? head.system.reduce((sum, message) => sum + estimateNative(wire, message, counting), 0)
    : Math.ceil(counting.text(wire.systemText(head)));
  return { system, tools: head.tools.reduce((sum, tool) => sum + estimateValue(tool, counting), 0) };
}

/** Tokens of one native message, read by its wire; of one that the wire cannot read, as a plain value. */
export function estimateNative(wire: Wire, message: Value, counting?: Counting): number {
  const units = unitsOf(wire, message);
  return units === undefined ? estimateValue(message, counting) : estimateMessage(units, counting);
}

function unitsOf(wire: Wire, message: Value) {
  try {
    return wire.read(message as ObjectValue).units;
  } catch {
    return undefined;
  }
}
