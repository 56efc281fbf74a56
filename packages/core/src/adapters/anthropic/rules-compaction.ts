import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { knowsMember } from "./blocks.ts";
import { blockPath, breach, firstOf, type Look, notPermitted, shapeRule } from "./look.ts";
import { isForced } from "./rules-tools.ts";

const onDemand = "compact-2026-09-04";

/**
 * Compaction: of what the client asks (`compaction` in the request, a signed block in the reply) and by threshold (an edit of context management, an
 * unsigned block). Source: the pages on both, September 2026. Whether a signature is good only the provider knows. Where the wording was not
 * found, the error code is what the provider says.
 */
export const compactionRules: readonly ShapeRule[] = [
  shapeRule("AN-18", "sure", compactionBlocks),
  shapeRule("AN-19", "sure", (_look, request) => exclusive(request)),
  shapeRule("AN-20", "sure", (_look, request) => edits(request)),
];

function compactionBlocks({ messages }: Look, request: ObjectValue, { betas }: RuleContext): Breach | undefined {
  let signed = 0;
  return firstOf(messages, (message, index) => {
    if (!message.rare) return undefined;
    return firstOf(message.blocks, (block, at) => {
      if (block.type !== "compaction") return undefined;
      const path = blockPath(message, index, at);
      if (typeof block.signature === "string") signed += 1;
      return compactionBlock(block, path, betas) ?? (typeof block.signature === "string" ? signedBlock(request, path, signed) : undefined);
    });
  });
}

function compactionBlock(block: ObjectValue, path: Path, betas: readonly string[] | undefined): Breach | undefined {
  const odd = Object.keys(block).find((name) => !knowsMember(block, name));
  if (odd !== undefined) return { path: [...path, odd], message: `${path.join(".")}.compaction.${odd}: ${notPermitted}` };
  const signed = typeof block.signature === "string";
  const announced = betas?.some((beta) => beta === onDemand || (!signed && beta.startsWith("compact-"))) ?? true;
  return announced ? undefined : breach(path, `requires anthropic-beta: ${onDemand}`);
}

/** A block that was asked for stands once, first of all, and not beside compaction by threshold. */
function signedBlock(request: ObjectValue, path: Path, count: number): Breach | undefined {
  if (count > 1) return coded(breach(path, "more than one compaction block"), "compaction_block_ambiguous");
  if (path[1] !== 0 || path[3] !== 0) return coded(breach(path, "a compaction block must come first"), "compaction_block_misplaced");
  const threshold = editsOf(request).findIndex((edit) => isObject(edit) && edit.type === "compact_20260112");
  if (threshold < 0) return undefined;
  return breach(["context_management", "edits", threshold], "not allowed on a request with a signed compaction block");
}

function coded(found: Breach, providerCode: string): Breach {
  return { ...found, providerCode };
}

/** What a request that asks for a summary may not have beside it. */
function exclusive(request: ObjectValue): Breach | undefined {
  if (!isObject(request.compaction)) return undefined;
  const output = isObject(request.output_config) ? request.output_config : {};
  const found: readonly (readonly [readonly string[], boolean])[] = [
    [["context_management"], isObject(request.context_management)],
    [["stop_sequences"], isArray(request.stop_sequences) && request.stop_sequences.length > 0],
    [["output_config", "format"], isObject(output.format)],
    [["output_config", "task_budget", "remaining"], isObject(output.task_budget) && typeof output.task_budget.remaining === "number"],
    [["tool_choice"], isForced(request.tool_choice)],
  ];
  const path = found.find(([, present]) => present)?.[0];
  return path === undefined ? undefined : breach(path, "cannot be combined with compaction");
}

const thresholdMin = 50_000;

function edits(request: ObjectValue): Breach | undefined {
  return firstOf(editsOf(request), (edit, index) => {
    if (!isObject(edit)) return undefined;
    const path = ["context_management", "edits", index];
    if (edit.type === "clear_thinking_20251015" && index > 0) return breach(path, "clear_thinking_20251015 must be the first edit");
    const { trigger } = edit;
    if (edit.type !== "compact_20260112" || !isObject(trigger) || typeof trigger.value !== "number" || trigger.value >= thresholdMin)
      return undefined;
    return breach([...path, "trigger", "value"], `Input should be greater than or equal to ${thresholdMin}`);
  });
}

function editsOf({ context_management }: ObjectValue): readonly Value[] {
  return isObject(context_management) && isArray(context_management.edits) ? context_management.edits : [];
}
