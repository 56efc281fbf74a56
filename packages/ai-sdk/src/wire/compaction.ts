import { type Compaction, isArray, isObject, type ObjectValue, type Value } from "@tidemark/core/adapter";
import { anthropic } from "@tidemark/core/anthropic";
import { familyOfModel, modelId } from "./families.ts";
import type { PromptRequest } from "./request.ts";

const claude = anthropic();
/** What the provider refuses beside a compaction. */
const refusedBeside = ["stopSequences", "toolChoice"] as const;

/**
 * Anthropic's on-demand compaction, as its package of the AI SDK asks for it and hands the block back: a text part under the provider's own metadata. The package names the beta
 * itself. Source: `@ai-sdk/anthropic` 4.0.105.
 */
export const compaction: Compaction<PromptRequest> = {
  offered: (model) => familyOfModel(model) === "anthropic" && claude.compaction?.offered(modelId(model)) === true,
  betas: [],
  keepsReasoning: true,
  ask: (request, instructions) => {
    const { providerOptions } = request as PromptRequest & { readonly providerOptions?: ObjectValue };
    const { contextManagement: _edits, ...own } = isObject(providerOptions?.anthropic) ? providerOptions.anthropic : {};
    const anthropic = { ...own, compaction: { type: "summarize", ...(instructions !== undefined && { instructions }) } };
    const asked: Record<string, unknown> = { ...request, providerOptions: { ...providerOptions, anthropic } };
    for (const name of refusedBeside) delete asked[name];
    return { request: asked as typeof request, headers: {} };
  },
  read: (reply) => {
    const { content, finishReason } = reply as { readonly content?: unknown; readonly finishReason?: { readonly raw?: unknown } };
    const [part, ...others] = Array.isArray(content) ? (content as readonly ObjectValue[]) : [];
    if (finishReason?.raw !== "compaction" || part === undefined)
      return `the reply stopped for ${String(finishReason?.raw)} without a block`;
    const { providerMetadata, ...said } = part;
    const block = { ...said, ...(providerMetadata !== undefined && { providerOptions: providerMetadata }) };
    if (others.length > 0 || !isSignedBlock(block)) return "the reply is not one signed block";
    return [{ role: "assistant", content: [block] }];
  },
  holds: ({ content }) => isArray(content as Value) && isSignedBlock((content as readonly Value[])[0]),
};

function isSignedBlock(part: Value | undefined): boolean {
  if (!isObject(part) || part.type !== "text" || !isObject(part.providerOptions)) return false;
  const { anthropic } = part.providerOptions;
  return isObject(anthropic) && anthropic.type === "compaction" && typeof anthropic.signature === "string";
}
