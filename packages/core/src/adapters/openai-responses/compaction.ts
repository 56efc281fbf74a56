import { copyValue, isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { Compaction } from "../../wire/wire.ts";
import { isAbsent } from "./params.ts";
import type { ResponsesRequest } from "./types.ts";

/** `endpoint`: the request goes to `POST /responses/compact`. `trigger`: it is an ordinary one that ends in a `compaction_trigger` (facts 2.5). */
export type CompactionForm = "endpoint" | "trigger";

/** All that the endpoint takes (SDK types of 2026-11). */
const endpointMembers = ["model", "input", "instructions", "prompt_cache_key", "prompt_cache_options", "service_tier"] as const;

/** OpenAI's compaction: the conversation becomes one encrypted item; the endpoint keeps the user's own messages beside it. */
export function compactionOf(form: CompactionForm): Compaction<ResponsesRequest> {
  return {
    betas: [],
    offered: () => true,
    // Nothing says that reasoning behind the item goes on with what the item stands for: the strict reading.
    keepsReasoning: false,
    ask: (request) => ({ request: form === "endpoint" ? forEndpoint(request) : withTrigger(request), headers: {} }),
    read: readCompaction,
    holds: isCompaction,
    threshold: {
      betas: [],
      ask: (request, { tokens }) =>
        isAbsent((request as unknown as ObjectValue).context_management)
          ? { ...request, context_management: [{ type: "compaction", compact_threshold: tokens }] }
          : request,
      restarts: ({ items }) => isArray(items) && items.some((item) => isObject(item) && isCompaction(item)),
    },
  };
}

function forEndpoint<R extends ResponsesRequest>(request: R): R {
  const members = request as unknown as ObjectValue;
  const named = endpointMembers.filter((name) => !isAbsent(members[name]));
  return Object.fromEntries(named.map((name) => [name, members[name]])) as unknown as R;
}

function withTrigger<R extends ResponsesRequest>(request: R): R {
  const { context_management: _, tool_choice: __, ...rest } = request as unknown as ObjectValue;
  return { ...rest, input: [...(isArray(rest.input) ? rest.input : []), { type: "compaction_trigger" }] } as unknown as R;
}

/**
 * The endpoint's output is the next window as it stands: the user's messages and one item, nothing between or behind them is left out. What stands before the messages anyway, the
 * leading developer messages, is said by the head.
 */
function readCompaction(reply: object): readonly ObjectValue[] | string {
  const { output, status, error, incomplete_details: details } = reply as Readonly<Record<string, unknown>>;
  if (!Array.isArray(output)) return "the reply has no output";
  if (isObject(error) || (status !== undefined && status !== null && status !== "completed"))
    return `the reply is ${String(status)}${isObject(details) ? ` (${String(details.reason)})` : ""}`;
  const items = (copyValue(output) as readonly ObjectValue[]).filter(({ role }) => role !== "developer" && role !== "system");
  const blocks = items.filter(isCompaction);
  if (blocks.length !== 1) return `the reply has ${blocks.length} compaction items`;
  if (items.some((item) => !isCompaction(item) && item.role !== "user"))
    return "the reply is more than the user's messages and one compaction item";
  return items;
}

function isCompaction({ type, encrypted_content }: ObjectValue): boolean {
  return type === "compaction" && typeof encrypted_content === "string";
}
