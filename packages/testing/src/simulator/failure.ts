import { TidemarkError } from "@tidemark/core";
import { Refusal } from "./refusal.ts";
import type { ScriptedReply } from "./script.ts";

/** What a script's `error` makes of a request that was right. `usual`: the provider's words for a status. */
export function scriptedFailure(error: NonNullable<ScriptedReply["error"]>, usual: (status: number) => string): Error {
  if (error === "network") {
    // What `fetch` throws when nothing answers.
    return new TypeError("fetch failed", { cause: new TidemarkError("simulated-network-failure", "The script let the connection fail.") });
  }
  return new Refusal(error.status, error.message ?? usual(error.status), error.type === undefined ? {} : { type: error.type });
}
