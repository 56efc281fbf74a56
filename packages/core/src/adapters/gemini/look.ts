import { type Path, pathText } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { type Found as Breached, first, ruleOf } from "../../wire/rule-parts.ts";
import { formOf, valueAt } from "./form.ts";
import { memberOf } from "./layout.ts";

/** A part with its place in the request. */
export type Found = { readonly part: ObjectValue; readonly path: Path };

/**
 * Neighbouring contents of one role, which the provider reads as one turn: recorded are two contents of the model, each with a call, answered by one content
 * of the user, and one response a content.
 */
export type Turn = {
  readonly role: "user" | "model";
  /** Index of its first content. */
  readonly from: number;
  readonly parts: readonly Found[];
  readonly calls: readonly Found[];
  readonly responses: readonly Found[];
};

/** What a rule looks at. */
export type Look = {
  readonly request: ObjectValue;
  readonly contents: readonly ObjectValue[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Value[];
  readonly toolsPath: Path;
  readonly context: RuleContext;
};

/** A rule of Gemini: they all refuse with status 400, `INVALID_ARGUMENT`. */
export function rule(id: string, grade: Grade, look: (at: Look) => Breached): ShapeRule {
  return ruleOf(id, grade, (request, context) => look(lookAt(request, context)));
}

/** A rule that looks at each part by itself. */
export function partRule(id: string, grade: Grade, look: (found: Found) => Breached): ShapeRule {
  return rule(id, grade, ({ turns }) => first(turns, (turn) => first(turn.parts, look)));
}

/** A place as the provider writes it: `contents[1].parts[0].function_response`. */
export function placeText(path: Path): string {
  return pathText(path)
    .slice(2)
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const looks = new WeakMap<ObjectValue, Look>();

/** All rules look at the same request. */
function lookAt(request: ObjectValue, context: RuleContext): Look {
  const known = looks.get(request);
  if (known !== undefined && known.context === context) return known;
  const form = formOf(request);
  const tools = valueAt(request, form.tools);
  const contents = isArray(request.contents) ? request.contents.map((content) => (isObject(content) ? content : {})) : [];
  const look: Look = { request, contents, turns: turnsOf(contents), tools: isArray(tools) ? tools : [], toolsPath: form.tools, context };
  looks.set(request, look);
  return look;
}

function turnsOf(contents: readonly ObjectValue[]): readonly Turn[] {
  const turns: (Turn & { readonly parts: Found[]; readonly calls: Found[]; readonly responses: Found[] })[] = [];
  for (const [index, { role, parts }] of contents.entries()) {
    const side = role === "model" ? "model" : "user";
    let turn = turns.at(-1);
    if (turn?.role !== side) {
      turn = { role: side, from: index, parts: [], calls: [], responses: [] };
      turns.push(turn);
    }
    for (const [at, part] of (isArray(parts) ? parts : []).entries()) {
      const found: Found = { part: isObject(part) ? part : {}, path: ["contents", index, "parts", at] };
      turn.parts.push(found);
      if (side === "model" && memberOf(found.part, "functionCall") !== undefined) turn.calls.push(found);
      if (side === "user" && memberOf(found.part, "functionResponse") !== undefined) turn.responses.push(found);
    }
  }
  return turns;
}
