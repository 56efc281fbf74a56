import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { knowsMember } from "./blocks.ts";
import { breach, firstOf, firstRare, type Look, notPermitted, says, shapeRule } from "./look.ts";
import { isForced } from "./rules-tools.ts";

/**
 * Compaction: what the client asks for (`compaction` in the request, a signed block in the reply), and by threshold (an edit of context management, an
 * unsigned block). Source: the pages on both, September 2026. Whether a signature is good only the provider knows. Most wordings were not
 * found; the error codes were.
 */
export const compactionRules: readonly ShapeRule[] = [
  shapeRule("AN-18", "sure", compactionBlocks, { about: "rare" }),
  shapeRule(
    "AN-19",
    "sure",
    (_look, request) => {
      const excluded = isObject(request.compaction) && beside.find(([path, kind]) => kind(at(request, path)));
      return excluded ? breach(excluded[0], "cannot be combined with compaction") : undefined;
    },
    { field: "compaction" },
  ),
  shapeRule("AN-20", "sure", (_look, request) => firstOf(editsOf(request), misusedEdit), { field: "context_management" }),
];

const onDemand = "compact-2026-09-04";

function compactionBlocks(look: Look, request: ObjectValue, { betas }: RuleContext): Breach | undefined {
  let signed = 0;
  return firstRare(look, (block, path) => {
    if (block.type !== "compaction") return undefined;
    const odd = Object.keys(block).find((name) => !knowsMember(block, name));
    if (odd !== undefined) return says(path, `${path.join(".")}.compaction.${odd}: ${notPermitted}`);
    const asked = typeof block.signature === "string";
    const announced = betas?.some((beta) => beta === onDemand || (!asked && beta.startsWith("compact-"))) ?? true;
    if (!announced) return breach(path, `requires anthropic-beta: ${onDemand}`);
    if (!asked) return undefined;
    signed += 1;
    return signedBlock(request, path, signed);
  });
}

/** A block that was asked for stands once, first of all, and not beside compaction by threshold. */
function signedBlock(request: ObjectValue, path: Path, count: number): Breach | undefined {
  if (count > 1) return { ...breach(path, "more than one compaction block"), providerCode: "compaction_block_ambiguous" };
  if (path[1] !== 0 || path[3] !== 0)
    return { ...breach(path, "a compaction block comes first"), providerCode: "compaction_block_misplaced" };
  const threshold = editsOf(request).some((edit) => isObject(edit) && edit.type === "compact_20260112");
  return threshold ? breach(["context_management"], "cannot be combined with a signed compaction block") : undefined;
}

/** What a request that asks for a summary may not have beside it. */
const beside: readonly (readonly [path: readonly string[], kind: (value: Value | undefined) => boolean])[] = [
  [["context_management"], isObject],
  [["stop_sequences"], (value) => isArray(value) && value.length > 0],
  [["output_config", "format"], isObject],
  [["output_config", "task_budget", "remaining"], (value) => typeof value === "number"],
  [["tool_choice"], isForced],
];

/** The value at a place. */
export function at(value: Value | undefined, path: readonly string[]): Value | undefined {
  return path.reduce((holder, name) => (isObject(holder) ? holder[name] : undefined), value);
}

const thresholdMin = 50_000;

function misusedEdit(edit: Value, index: number): Breach | undefined {
  const path = ["context_management", "edits", index];
  const { type } = isObject(edit) ? edit : {};
  if (type === "clear_thinking_20251015" && index > 0) return breach(path, `${type} must be the first edit`);
  const threshold = type === "compact_20260112" ? at(edit, ["trigger", "value"]) : undefined;
  if (typeof threshold !== "number" || threshold >= thresholdMin) return undefined;
  return breach([...path, "trigger", "value"], `Input should be greater than or equal to ${thresholdMin}`);
}

function editsOf(request: ObjectValue): readonly Value[] {
  const edits = at(request, ["context_management", "edits"]);
  return isArray(edits) ? edits : [];
}
