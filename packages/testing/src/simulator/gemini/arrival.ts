import type { ObjectValue, Value } from "@tidemark/core";
import type { Arrival } from "../endpoint.ts";
import { isObjectValue, without } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { unreadable } from "../simulator.ts";

type Method = "generateContent" | "streamGenerateContent" | "countTokens" | "cachedContents" | "interactions";

/** A request as the server takes it: what is asked, of which model, and the body. */
export type Asked = { readonly method: Method; readonly model: string; readonly body: ObjectValue };

const methods: readonly string[] = ["generateContent", "streamGenerateContent", "countTokens"];
/** Members of `GenerateContentRequest`, `CountTokensRequest` and `CachedContent` (SDK 3.3.0 writes no others). */
const bodyNames: ReadonlySet<string> = new Set(
  `model contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels serviceTier modelArmorConfig store
  generateContentRequest ttl expireTime displayName`.split(/\s+/),
);

/** @throws {Refusal} for another path, no JSON, or a member that no request has (GE-12). */
export function openArrival({ path, body }: Arrival): Asked {
  if (body === unreadable) throw new Refusal(400, "Invalid JSON payload received. Unexpected token.", { rule: "GE-12" });
  if (path.endsWith("/interactions")) return { method: "interactions", model: bareModel(String(body.model ?? "")), body };
  const stray = Object.keys(body).find((name) => !bodyNames.has(camelCase(name)));
  if (stray !== undefined)
    throw new Refusal(400, `Invalid JSON payload received. Unknown name "${stray}": Cannot find field.`, { rule: "GE-12", path: stray });
  if (path.endsWith("/cachedContents")) return { method: "cachedContents", model: bareModel(String(body.model ?? "")), body };
  const found = /\/models\/([^/:]+):(\w+)$/.exec(path);
  const [, model = "", method = ""] = found ?? [];
  if (!methods.includes(method)) throw new Refusal(404, `Method not found: ${path}`);
  return { method: method as Method, model, body };
}

/** What an SDK makes of a request that names its model and has everything else in `config`, or beside it. */
export function asSdkSends(arrival: Arrival): Arrival {
  if (arrival.body.input !== undefined) return { ...arrival, path: "/v1beta/interactions" };
  const { model, config, ...rest } = arrival.body;
  if (typeof model !== "string" || arrival.path.endsWith("/cachedContents")) return arrival;
  const method = /:(\w+)$/.exec(arrival.path)?.[1] ?? "generateContent";
  return {
    ...arrival,
    path: `/v1beta/models/${bareModel(model)}:${method}`,
    body: isObjectValue(config) ? { ...rest, ...asBody(config) } : rest,
  };
}

/** `models/gemini-3.8-flash` is `gemini-3.8-flash`. */
function bareModel(name: string): string {
  return name.replace(/^.*models\//, "");
}

const topNames: readonly string[] = [
  "systemInstruction",
  "tools",
  "toolConfig",
  "safetySettings",
  "cachedContent",
  "labels",
  "serviceTier",
];
const clientNames: readonly string[] = ["httpOptions", "abortSignal", "automaticFunctionCalling"];

function asBody(config: ObjectValue): ObjectValue {
  const top = Object.entries(config).filter(([name]) => topNames.includes(name));
  const generation = without(config, ...topNames, ...clientNames);
  const { systemInstruction, ...others } = Object.fromEntries(top) as Record<string, Value>;
  return {
    ...others,
    ...(systemInstruction !== undefined && { systemInstruction: asContent(systemInstruction) }),
    ...(Object.keys(generation).length > 0 && { generationConfig: generation }),
  };
}

function asContent(given: Value): Value {
  if (typeof given === "string") return { role: "user", parts: [{ text: given }] };
  return isObjectValue(given) && given.parts === undefined ? { role: "user", parts: [given] } : given;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
