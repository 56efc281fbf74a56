import { compareValues } from "../json/compare.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Turn } from "../session/turn.ts";
import type { BodyText } from "./body-text.ts";
import type { HttpCall, HttpChanges } from "./http-call.ts";
import { bodyOf, type Route } from "./route.ts";

/** What of a call its turn changes. A body that stays the same goes out as the text that it was. */
export function changesOf(call: HttpCall, route: Route, request: ObjectValue, turn: Turn, write: BodyText): HttpChanges {
  const made = turn.request as ObjectValue;
  const body = compareValues(made as Value, request) === "same" ? undefined : write.of(bodyOf(route, made));
  const headers = new Headers(call.headers);
  for (const [name, value] of Object.entries(turn.headers)) headers.set(name, joined(headers.get(name), value));
  if (body !== undefined) headers.delete("content-length");
  return { headers, ...(body !== undefined && { body }) };
}

/** A header that both write is a list, such as `anthropic-beta`. */
function joined(own: string | null, added: string): string {
  const values = `${own ?? ""},${added}`.split(",").map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== "").join(",");
}

/** The call without one header; the same call where it has none. */
export function withoutHeader(call: HttpCall, name: string): HttpCall {
  if (!call.headers.has(name)) return call;
  const headers = new Headers(call.headers);
  headers.delete(name);
  return { ...call, headers, send: (changes) => call.send({ headers, ...changes }) };
}
