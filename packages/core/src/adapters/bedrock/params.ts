import { sameValue } from "../../json/compare.ts";
import { copyValue, isObject, type ObjectValue, type Value } from "../../json/value.ts";

/** Sampling inside `additionalModelRequestFields`, by the names of Claude, Nova and the others. */
const sampling: readonly string[] = ["top_k", "topK", "inferenceConfig", "stop_sequences"];

/**
 * What of a request's other members enters the cache key. As on Anthropic's own endpoint (facts 1.11) a change of `toolChoice`, thinking or effort loses the messages; the output
 * format is rendered into the prompt. Not here: `inferenceConfig`, `requestMetadata`, `performanceConfig`, `serviceTier`, guardrails, which look at the prompt and are no part of it.
 */
const readers: Readonly<Record<string, (value: Value) => Value | undefined>> = {
  toolConfig: (value) => {
    const choice = isObject(value) ? value.toolChoice : undefined;
    // `auto` is the default of a request with tools.
    return choice === undefined || choice === null || (isObject(choice) && "auto" in choice) ? undefined : { toolChoice: choice };
  },
  additionalModelRequestFields: (value) => {
    if (!isObject(value)) return value;
    const members = Object.entries(value).filter(([name, member]) => member !== null && !sampling.includes(name));
    return members.length === 0 ? undefined : Object.fromEntries(members);
  },
  outputConfig: (value) => value,
  promptVariables: (value) => value,
};

export function paramsOf(request: object): ObjectValue {
  const params: Record<string, Value> = {};
  for (const [name, read] of Object.entries(readers)) {
    const given = (request as Readonly<Record<string, unknown>>)[name];
    if (given === undefined || given === null) continue;
    const value = read(copyValue(given, [name]));
    if (value !== undefined && value !== null) params[name] = copyValue(value);
  }
  return Object.freeze(params);
}

/** The request with these parameters. Where its own mean the same, they stay as the host wrote them; sampling stays in any case. */
export function withParams(request: Record<string, unknown>, params: ObjectValue): Record<string, unknown> {
  const own = paramsOf(request);
  const closed = { ...request };
  for (const name of Object.keys(readers)) {
    if (sameValue(own[name], params[name])) continue;
    const rest = leftIn(name, closed[name]);
    const wanted = params[name];
    if (wanted === undefined && rest === undefined) delete closed[name];
    else closed[name] = isObject(wanted) ? { ...wanted, ...rest } : (wanted ?? rest);
  }
  return closed;
}

/** What of a member is no parameter of the prefix. */
function leftIn(name: string, value: unknown): ObjectValue | undefined {
  if (!isObject(value) || (name !== "toolConfig" && name !== "additionalModelRequestFields")) return undefined;
  const stays = (member: string): boolean => (name === "toolConfig" ? member !== "toolChoice" : sampling.includes(member));
  const rest = Object.entries(value).filter(([member]) => stays(member));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
