import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Compaction } from "../../wire/wire.ts";
import { announce } from "./control.ts";
import type { AnthropicRequest } from "./request.ts";

/** Models that compact on demand (page on compaction, September 2026): 4.6 and later. */
const offering = /^claude-(?:(?:opus|sonnet)-4-[6-9]|(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|\d\d)(?:-\d+)?(?:-|$)|mythos-preview)/;
/** What the same page refuses beside a compaction. */
const refusedBeside = ["context_management", "stop_sequences", "stream", "tool_choice"] as const;

/** Anthropic's on-demand compaction: the API answers with one signed block that stands first from then on. */
export const compaction: Compaction<AnthropicRequest> = {
  offered: (model) => offering.test(model),
  betas: ["compact-2026-09-04"],
  keepsReasoning: true,
  ask: (request, instructions) => {
    const asked: Record<string, unknown> = {
      ...request,
      compaction: { type: "summarize", ...(instructions === undefined ? {} : { instructions }) },
    };
    for (const name of refusedBeside) delete asked[name];
    return announce(asked as typeof request, compaction.betas);
  },
  read: (reply) => {
    const { content, stop_reason } = reply as { readonly content?: unknown; readonly stop_reason?: unknown };
    if (!Array.isArray(content)) return "the reply has no content";
    const [block, ...others] = content as readonly Value[];
    if (stop_reason !== "compaction" || block === undefined) return `the reply stopped for ${String(stop_reason)} without a block`;
    if (others.length > 0 || !isSignedBlock(block)) return "the reply is not one signed block";
    return [{ role: "assistant", content: [block] }];
  },
  threshold: {
    betas: ["compact-2026-01-12"],
    ask: (request, { tokens, instructions }) => {
      if ((request as { readonly context_management?: unknown }).context_management != null) return request;
      const edit = {
        type: "compact_20260112",
        trigger: { type: "input_tokens", value: tokens },
        ...(instructions === undefined ? {} : { instructions }),
      };
      return { ...request, context_management: { edits: [edit] } };
    },
    restarts: ({ content }) => isArray(content as Value) && (content as readonly Value[]).some(isThresholdBlock),
  },
  holds: ({ content }) => isArray(content as Value) && isSignedBlock((content as readonly Value[])[0]),
};

/** Facts 1.8: unsigned; without content it failed and stands for nothing. */
function isThresholdBlock(block: Value): boolean {
  return isObject(block) && block.type === "compaction" && typeof block.content === "string" && typeof block.signature !== "string";
}

function isSignedBlock(block: Value | undefined): block is ObjectValue {
  return block !== undefined && isObject(block) && block.type === "compaction" && typeof block.signature === "string";
}
