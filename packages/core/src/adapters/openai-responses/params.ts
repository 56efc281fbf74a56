import { copyValue, isObject, type ObjectValue, type Value } from "../../json/value.ts";

/** Parameters that are rendered into the prefix or enter the cache key, whole: facts 2.6 (table of 2026-11-04 and the diagnostics' reasons). `prompt` is a template that the server fills. */
const whole: readonly string[] = ["parallel_tool_calls", "service_tier", "prompt_cache_key", "context_management", "prompt"];
/** Of these only some members: the others (`reasoning.summary`) are about the reply. */
const parts: Readonly<Record<string, readonly string[]>> = { reasoning: ["effort", "context", "mode"], text: ["format", "verbosity"] };

/** What of a request's parameters belongs to its head. */
export function readParams(request: ObjectValue): ObjectValue {
  const params: Record<string, Value> = {};
  for (const name of whole) if (!isAbsent(request[name])) params[name] = copyValue(request[name], [name]);
  for (const [name, members] of Object.entries(parts)) {
    const given = request[name];
    if (!isObject(given)) continue;
    const own = members.filter((member) => !isAbsent(given[member]));
    if (own.length > 0)
      params[name] = Object.freeze(Object.fromEntries(own.map((member) => [member, copyValue(given[member], [name, member])])));
  }
  return Object.freeze(params);
}

/** Puts the head's parameters into a request in place of its own. */
export function writeParams(request: Record<string, unknown>, params: ObjectValue): void {
  for (const name of whole) {
    if (params[name] !== undefined) request[name] = params[name];
    else if (!isAbsent(request[name])) delete request[name];
  }
  for (const [name, members] of Object.entries(parts)) {
    const given = isObject(request[name]) ? request[name] : {};
    const kept = Object.entries(given).filter(([member]) => !members.includes(member));
    const written = { ...Object.fromEntries(kept), ...(isObject(params[name]) ? params[name] : {}) };
    if (Object.keys(written).length > 0 || isObject(request[name])) request[name] = written;
  }
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
