import type { ObjectValue } from "@tidemark/core";
import type { Arrival } from "../endpoint.ts";
import { objectOf, without } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { unreadable } from "../simulator.ts";

/** An arrival as the API reads it: version and betas out of the headers. */
export type AnthropicArrival = {
  readonly request: ObjectValue;
  readonly version: string;
  readonly betas: readonly string[];
  readonly counts: boolean;
};

const versions = ["2023-06-01", "2026-10-21"];

/** @throws {Refusal} for another path, a body that is no JSON object, a missing or unknown version (AN-01). */
export function openArrival({ path, headers, body }: Arrival): AnthropicArrival {
  const counts = path.endsWith("/messages/count_tokens");
  if (!counts && !path.endsWith("/messages")) throw new Refusal(404, `Not found: ${path}`);
  const version = headers["anthropic-version"];
  if (version === undefined) throw new Refusal(400, "anthropic-version: header is required", { rule: "AN-01" });
  if (!versions.includes(version)) throw new Refusal(400, `anthropic-version: "${version}" is not a valid version`, { rule: "AN-01" });
  if (body === unreadable) throw new Refusal(400, "The request body is not valid JSON.");
  const betas = (headers["anthropic-beta"] ?? "").split(",").map((beta) => beta.trim());
  return { request: body, version, betas: [...new Set(betas.filter((beta) => beta !== ""))], counts };
}

/** A request that comes without HTTP is an object as one gives it to the SDK, which sends its `betas` as a header. */
export function asSdkSends({ path, headers, body }: Arrival): Arrival {
  const betas = body.betas;
  if (!Array.isArray(betas)) return { path, headers, body };
  const named = headers["anthropic-beta"];
  return {
    path,
    headers: { ...headers, "anthropic-beta": [...(named === undefined ? [] : [named]), ...betas].join(",") },
    body: without(body, "betas"),
  };
}

/** What the request says of thinking whose prefix changed; read only with the beta. */
export function mismatchAsked(request: ObjectValue): unknown {
  return objectOf(objectOf(request.thinking).block_binding).prefix_mismatch_behavior;
}
