import { inWords } from "../../json/in-words.ts";
import type { Path } from "../../json/path.ts";
import type { ObjectValue, Value } from "../../json/value.ts";
import type { Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { type Found, first, listOf, ruleOf } from "../../wire/rule-parts.ts";

/** What a rule looks at: the request, its messages (an object each, so that places count as in the request), and what is known of the model. */
export type Look = { readonly request: ObjectValue; readonly messages: readonly ObjectValue[]; readonly context: RuleContext };

/** A rule of a Chat server: they all refuse shapes with status 400. */
export function rule(id: string, grade: Grade, look: (at: Look) => Found): ShapeRule {
  return ruleOf(id, grade, (request, context) => look({ request, messages: listOf(request.messages), context }));
}

/** A rule that looks at each message for itself. */
export function messageRule(id: string, grade: Grade, look: (message: ObjectValue, path: Path) => Found): ShapeRule {
  return rule(id, grade, ({ messages }) => first(messages, (message, index) => look(message, ["messages", index])));
}

/** A rule that looks at each call. */
export function callRule(id: string, grade: Grade, look: (call: ObjectValue, path: Path) => Found): ShapeRule {
  return messageRule(id, grade, (message, path) => first(callsOf(message), (call, index) => look(call, [...path, "tool_calls", index])));
}

/** The same rules where only one good source says that the server has them. */
export function likely(rules: readonly ShapeRule[]): readonly ShapeRule[] {
  return rules.map((item) => ({ ...item, grade: "likely" }));
}

export function callsOf(message: ObjectValue | undefined): readonly ObjectValue[] {
  return message?.role === "assistant" ? listOf(message.tool_calls) : [];
}

/** Ids of a batch's calls, of the tool messages right behind it, and how many those are. */
type Batch = { readonly calls: readonly Value[]; readonly answered: ReadonlySet<Value>; readonly results: number };

function batchAt(messages: readonly ObjectValue[], at: number): Batch {
  const answered = new Set<Value>();
  let end = at + 1;
  for (; messages[end]?.role === "tool"; end++) answered.add(messages[end]?.tool_call_id ?? "");
  return { calls: callsOf(messages[at]).map(({ id }) => id ?? ""), answered, results: end - at - 1 };
}

/** A rule about batches of calls with the tool messages right behind them. */
export function batchRule(id: string, look: (batch: Batch) => Found | string): ShapeRule {
  return rule(id, "sure", ({ messages }) =>
    first(messages, (message, at) => {
      if (callsOf(message).length === 0) return undefined;
      const found = look(batchAt(messages, at));
      return typeof found === "string" ? [["messages", at], found] : found;
    }),
  );
}

/** A rule about tool messages that answer no call of the batch right before them. */
export function orphanRule(id: string, text: (callId: string) => string, more: readonly [code?: string, type?: string] = []): ShapeRule {
  return rule(id, "sure", ({ messages }) => {
    let ids: ReadonlySet<Value> = new Set();
    return first(messages, ({ role, tool_call_id }, at): Found => {
      if (role !== "tool") ids = new Set(callsOf(messages[at]).map(({ id }) => id ?? ""));
      else if (!ids.has(tool_call_id ?? "")) return [["messages", at], text(inWords(tool_call_id ?? "")), ...more];
      return undefined;
    });
  });
}
