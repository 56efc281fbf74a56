import { isObject } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { first, isSet, placeText } from "../../wire/rule-parts.ts";
import { hasTrait } from "./models.ts";
import { rule } from "./rule-parts.ts";
import { unknownParameter } from "./rules-fields.ts";

const sampling: readonly string[] = ["temperature", "top_p", "top_logprobs"];

/** OR-01, OR-10, OR-13 to OR-15: what stands beside input and tools. */
export const parameterRules: readonly ShapeRule[] = [
  rule("OR-01", "weak", ({ request }) => {
    const odd = Object.keys(request).find((name) => !parameters.includes(name));
    return odd === undefined ? undefined : unknownParameter([odd]);
  }),
  rule("OR-10", "sure", ({ request: { previous_response_id, conversation } }) => {
    if (!isSet(previous_response_id) || !isSet(conversation)) return undefined;
    const text = "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of these.";
    return [["previous_response_id"], text, "mutually_exclusive_parameters"];
  }),
  rule("OR-13", "likely", ({ request: { prompt_cache_options: options } }) => {
    if (!isObject(options) || !isSet(options.ttl) || options.ttl === "30m" || options.ttl === "12h") return undefined;
    return [
      ["prompt_cache_options", "ttl"],
      `Invalid value: '${String(options.ttl)}'. Supported values are: '30m' and '12h'.`,
      "invalid_value",
    ];
  }),
  rule("OR-14", "weak", ({ request: { prompt_cache_retention, prompt_cache_options: options } }) => {
    if (!isSet(prompt_cache_retention) || !isObject(options) || !isSet(options.ttl)) return undefined;
    return [
      ["prompt_cache_retention"],
      "Mutually exclusive parameters: 'prompt_cache_retention' and 'prompt_cache_options.ttl'.",
      "mutually_exclusive_parameters",
    ];
  }),
  rule("OR-15", "likely", ({ request: { reasoning }, context: { profile } }) => {
    const effort = isObject(reasoning) ? reasoning.effort : undefined;
    const supported = profile.thinking ?? [];
    // A model that does not reason refuses the whole member, in words that are not known.
    if (typeof effort !== "string" || supported.length === 0 || supported.includes(effort)) return undefined;
    const text = `Unsupported value: '${effort}' is not supported with the '${profile.id}' model. Supported values are: ${supported.map((name) => `'${name}'`).join(", ")}.`;
    return [["reasoning", "effort"], text, "unsupported_value"];
  }),
  rule("OR-15", "likely", ({ request, context: { profile } }) => {
    if (!hasTrait(profile, "no-sampling")) return undefined;
    return first(sampling, (name) =>
      isSet(request[name])
        ? [[name], `Unsupported parameter: '${placeText([name])}' is not supported with this model.`, "unsupported_parameter"]
        : undefined,
    );
  }),
];

/** Every top-level member of the SDK's `ResponseCreateParams` (openai 7.59.0). */
const parameters: readonly string[] =
  `access_programs background background_options context_management conversation image include input instructions max_output_tokens max_tool_calls
metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning
safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`.split(
    /\s+/,
  );
