import type { ShapeRule } from "../../wire/rule.ts";
import { isSet } from "../../wire/rule-parts.ts";
import { itemRule, rule, typeOf } from "./rule-parts.ts";

/** OR-22: what a ChatGPT plan's credential is refused (facts 2.7). The texts are not recorded. */
export const planRules: readonly ShapeRule[] = [
  itemRule("OR-22", "likely", (item, path) =>
    typeOf(item) === "message" && item.role === "system" ? [[...path, "role"], "System messages are not allowed"] : undefined,
  ),
  rule("OR-22", "likely", ({ request }) => {
    const odd = ["max_output_tokens", "prompt_cache_retention"].find((name) => isSet(request[name]));
    return odd === undefined ? undefined : [[odd], `Unsupported parameter: ${odd}`];
  }),
  rule("OR-22", "likely", ({ request: { store } }) => (store === false ? undefined : [["store"], "Store must be set to false"])),
  rule("OR-22", "likely", ({ request: { stream } }) => (stream === true ? undefined : [["stream"], "Stream must be set to true"])),
];
