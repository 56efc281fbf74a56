import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";

type Check = (request: ObjectValue, context: RuleContext) => Breach | undefined;

/** A rule of a Chat server: they all refuse shapes with status 400. */
export function rule(id: string, grade: Grade, check: Check): ShapeRule {
  return Object.freeze({ id, grade, status: 400, check });
}

/** A rule that looks at each message for itself. */
export function messageRule(
  id: string,
  grade: Grade,
  check: (message: ObjectValue, index: number, context: RuleContext) => Breach | undefined,
): ShapeRule {
  return rule(id, grade, (request, context) => {
    for (const [index, message] of messagesOf(request).entries()) {
      const breach = check(message, index, context);
      if (breach !== undefined) return breach;
    }
    return undefined;
  });
}

/** The same rules where only one good source says that the server has them. */
export function likely(rules: readonly ShapeRule[]): readonly ShapeRule[] {
  return rules.map((item) => Object.freeze({ ...item, grade: item.grade === "sure" ? "likely" : item.grade }));
}

export function breach(path: Path, message: string, providerCode?: string): Breach {
  return providerCode === undefined ? { path, message } : { path, message, providerCode };
}

/** An object for each message, so that places count as in the request. */
export function messagesOf(request: ObjectValue): readonly ObjectValue[] {
  return listOf(request.messages);
}

export function callsOf(message: ObjectValue): readonly ObjectValue[] {
  return message.role === "assistant" ? listOf(message.tool_calls) : [];
}

export function listOf(value: Value | undefined): readonly ObjectValue[] {
  return isArray(value) ? value.map((item) => (isObject(item) ? item : {})) : [];
}

/** A call's name, whatever its type. */
export function nameOf(call: ObjectValue): string {
  const inner = call.function ?? call.custom;
  return isObject(inner) && typeof inner.name === "string" ? inner.name : "";
}

/** An assistant message with calls and the tool messages right behind it. */
export type Batch = {
  readonly at: number;
  readonly ids: readonly Value[];
  /** Positions of the tool messages: `[at + 1, end)`. */
  readonly end: number;
  readonly answered: ReadonlySet<Value>;
};

export function batchesOf(messages: readonly ObjectValue[]): readonly Batch[] {
  const batches: Batch[] = [];
  for (let at = 0; at < messages.length; at++) {
    const ids = callsOf(messages[at] as ObjectValue).map((call) => call.id ?? "");
    if (ids.length === 0) continue;
    const answered = new Set<Value>();
    let end = at + 1;
    for (; messages[end]?.role === "tool"; end++) answered.add(messages[end]?.tool_call_id ?? "");
    batches.push({ at, ids, end, answered });
  }
  return batches;
}

/** Position of the first tool message that answers no call of the batch right before it. */
export function orphanIn(messages: readonly ObjectValue[]): number | undefined {
  let ids: ReadonlySet<Value> = new Set();
  for (const [at, message] of messages.entries()) {
    if (message.role !== "tool") ids = new Set(callsOf(message).map((call) => call.id ?? ""));
    else if (!ids.has(message.tool_call_id ?? "")) return at;
  }
  return undefined;
}
