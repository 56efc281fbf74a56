import type { ShapeRule } from "../../wire/rule.ts";
import type { RouteName } from "./routes.ts";
import { fieldRules } from "./rules-fields.ts";
import { imageRules } from "./rules-images.ts";
import { itemRules } from "./rules-items.ts";
import { parameterRules } from "./rules-parameters.ts";
import { planRules } from "./rules-plan.ts";
import { toolRules } from "./rules-tools.ts";

/**
 * OR-01 to OR-23 in the order in which the provider looks. Those that need a memory or a count (ciphertext, stored items, the window, what the
 * prefix was) are a simulator's. Texts: facts 2.2 and 2.9.
 */
const openaiRules: readonly ShapeRule[] = [...fieldRules, ...parameterRules, ...toolRules, ...itemRules, ...imageRules];

/** Other servers of this surface are taken to look for the same; that they do is not sure. */
export function rulesOf(route: RouteName): readonly ShapeRule[] {
  if (route === "openai") return openaiRules;
  if (route === "chatgpt-plan") return [...planRules, ...openaiRules];
  return openaiRules.map((item) => (item.grade === "sure" ? { ...item, grade: "likely" as const } : item));
}
