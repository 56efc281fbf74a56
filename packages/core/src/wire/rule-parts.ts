import { type Path, pathText } from "../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Grade, RuleContext, ShapeRule } from "./rule.ts";

/** A breach in short: the place, the provider's words, its code and its error type where it has them. */
export type Found = readonly [path: Path, message: string, providerCode?: string, type?: string] | undefined;

export function ruleOf(
  id: string,
  grade: Grade,
  look: (request: ObjectValue, context: RuleContext) => Found,
  status: number = 400,
): ShapeRule {
  return {
    id,
    grade,
    status,
    check: (request, context) => {
      const found = look(request, context);
      if (found === undefined) return undefined;
      const [path, message, providerCode, type] = found;
      return { path, message, ...(providerCode === undefined ? {} : { providerCode }), ...(type === undefined ? {} : { type }) };
    },
  };
}

/** The first that is found among some things. */
export function first<T, F>(items: readonly T[], find: (item: T, index: number) => F | undefined): F | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A list of objects, an object for each item, so that places count as in the request. */
export function listOf(value: Value | undefined): readonly ObjectValue[] {
  return isArray(value) ? value.map((item) => (isObject(item) ? item : {})) : [];
}

export function isSet(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}

/** A place as most providers write it: `messages[1].tool_calls`. */
export function placeText(path: Path): string {
  return pathText(path).slice(2);
}
