import { sameValue } from "../../json/compare.ts";
import { copyValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import { effortByDefault, hasTrait } from "./models.ts";

/** What of a parameter enters the cache key; undefined: nothing, as if it were absent. */
type KeyPart = (value: Value, profile: Profile) => Value | undefined;

/**
 * The parameters beside system, tools and messages whose change costs cached tokens, by the invalidation matrix of Anthropic's prompt caching
 * page (read in 2026). All others are outside the key: max_tokens, metadata, stop_sequences, stream, service_tier, diagnostics, cache_control,
 * compaction (made to ride the same prefix), and everything that routes or bills.
 */
const keyParts: Readonly<Record<string, KeyPart>> = {
  // Page: a change of tool_choice or disable_parallel_tool_use loses the messages. `auto` is the default of a request with tools.
  tool_choice: (value) => beyond(value, { type: "auto", disable_parallel_tool_use: false }),
  // Page: mode and budget lose the messages, on some models system and tools too; the default written out is like none. How thinking is shown
  // and what becomes of unreadable blocks is no part of the prompt [inferred: the prefix check ignores them].
  thinking: (value, profile) =>
    isObject(value) ? beyond(only(value, ["type", "budget_tokens"]), { type: thinkingByDefault(profile) }) : value,
  // Page: effort as thinking above; the format is rendered into the prompt; the task budget is shown to the model [inferred].
  output_config: (value, profile) => beyond(value, { effort: effortByDefault(profile) }),
  // SDK: the older name of output_config.format.
  output_format: (value) => value,
  // Page: a toggle loses system and messages.
  speed: (value) => (value === "standard" ? undefined : value),
  // Cache diagnostics count it among what affects the prompt.
  context_management: (value) => beyond(value, { edits: [] }),
  // Its tools are serialised with the others. The token belongs to the connection; it rotates, and must not be kept.
  mcp_servers: (value) => (isArray(value) && value.length > 0 ? value.map((server) => without(server, "authorization_token")) : undefined),
  // Agent Skills page: the list of skills is part of the prompt; the container's id is not.
  container: (value) => (isObject(value) && isArray(value.skills) && value.skills.length > 0 ? { skills: value.skills } : undefined),
  // Cache diagnostics count the active set among what affects the prompt. A set: order and repetition mean nothing.
  betas: (value) => (isArray(value) && value.length > 0 ? [...new Set(value)].sort() : undefined),
};

const parts = Object.entries(keyParts);
const noParams: ObjectValue = Object.freeze({});

/** The parameters of a request that enter the provider's cache key, defaults left out. */
export function paramsOf(request: Readonly<Record<string, unknown>>, profile: Profile): ObjectValue {
  let params: Record<string, Value> | undefined;
  for (const [name, keyPart] of parts) {
    const given = request[name];
    if (given === undefined || given === null) continue;
    const value = keyPart(copyValue(given, [name]), profile);
    if (value === undefined || value === null) continue;
    params ??= {};
    setMember(params, name, copyValue(value));
  }
  return params === undefined ? noParams : Object.freeze(params);
}

/** Gives a request these parameters. Where its own mean the same, they stay as the host wrote them. */
export function setParams(request: Record<string, unknown>, params: ObjectValue, profile: Profile): void {
  const own = paramsOf(request, profile);
  if (own === params) return;
  for (const [name] of parts) {
    if (sameValue(own[name], params[name])) continue;
    if (params[name] === undefined) delete request[name];
    else request[name] = params[name];
  }
}

function thinkingByDefault(profile: Profile): string {
  return hasTrait(profile, "thinks-unasked") ? "adaptive" : "disabled";
}

/** An object without the members that are null or have their default; undefined when nothing is left. */
function beyond(value: Value, defaults: ObjectValue): Value | undefined {
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter(
    (name) => value[name] !== null && !(Object.hasOwn(defaults, name) && sameValue(defaults[name], value[name])),
  );
  return names.length === 0 ? undefined : only(value, names);
}

function only(value: ObjectValue, names: readonly string[]): ObjectValue {
  const part: Record<string, Value> = {};
  for (const name of names) if (Object.hasOwn(value, name)) setMember(part, name, value[name] as Value);
  return part;
}

function without(value: Value, name: string): Value {
  return isObject(value)
    ? only(
        value,
        Object.keys(value).filter((member) => member !== name),
      )
    : value;
}
