import type { Value } from "../json/value.ts";
import { headOrder, leadsMessages } from "../wire/places.ts";
import { estimateHead, estimateNative } from "../wire/request-tokens.ts";
import { countingFor } from "../wire/value-tokens.ts";
import type { Placed } from "./first-difference.ts";
import type { Opened } from "./opened.ts";

/** Counts one native message. */
export type CountMessage = (message: Value) => number;

/** Tokens of the previous request from the place on: what was sent and is not repeated. */
export function tokensBehind(previous: Opened, { field, difference }: Placed, count?: CountMessage): number {
  const { wire, head, lead } = previous;
  const counting = countingFor(wire.profile(head.model));
  const counted = count ?? ((message: Value) => estimateNative(wire, message, counting));
  const from = field === "messages" ? Math.max(0, (difference.at ?? 0) - lead) : 0;
  const messages = previous.messages.slice(from).reduce<number>((sum, message) => sum + counted(message), 0);
  return messages + headTokens(previous, field);
}

function headTokens({ wire, head }: Opened, field: Placed["field"]): number {
  if (field === "messages") return 0;
  const { system, tools } = estimateHead(wire, head);
  if (field === "model" || field === "params") return system + tools;
  const order = leadsMessages(head) ? (["tools", "system"] as const) : headOrder(wire);
  return order.slice(order.indexOf(field)).reduce((sum, part) => sum + (part === "system" ? system : tools), 0);
}
