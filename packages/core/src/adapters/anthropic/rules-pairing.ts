import { isObject } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { breach, type Found, firstOf, shapeRule, type Turn } from "./look.ts";
import { isReasoning } from "./reasoning.ts";

/** Calls and their results. Neighbours of one role are one turn; a system message between a call and its result splits them. */
export const pairingRules: readonly ShapeRule[] = [
  shapeRule("AN-30", "sure", ({ turns }) => firstOf(turns, splitPair)),
  shapeRule("AN-04", "sure", ({ turns }) => firstOf(turns, (turn, at) => unanswered(turn, turns[at + 1]?.results))),
  shapeRule("AN-07", "sure", ({ turns }) => firstOf(turns, (turn, at) => answeredLate(turn, turns[at + 1]))),
  shapeRule("AN-05", "sure", ({ turns }) => firstOf(turns, orphan)),
  shapeRule("AN-06", "sure", ({ turns }) => firstOf(turns, repeatedResult) ?? repeatedCall(turns)),
  // Models that think by budget want the thinking of an open tool loop back. Adaptive thinking does not ask for it.
  shapeRule("AN-15", "likely", ({ turns, messages }, { thinking }) => {
    const [turn, answer] = turns.slice(-2);
    const first = turn?.role === "assistant" ? messages[turn.from]?.blocks[0] : undefined;
    if (first === undefined || !answer?.results.length || isReasoning(first)) return undefined;
    if (!isObject(thinking) || thinking.type !== "enabled") return undefined;
    return breach(
      ["messages", turn?.from ?? 0, "content", 0, "type"],
      `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    );
  }),
];

type Turns = readonly Turn[];

function unanswered({ calls }: Turn, results: readonly Found[] = []): Breach | undefined {
  if (calls.length === 0) return undefined;
  const answered = idsOf(results);
  const open = calls.filter(({ id }) => !answered.has(id));
  const ids = open.map(({ id }) => id).join(", ");
  return (
    open[0] &&
    breach(
      open[0].path.slice(0, 2),
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
  );
}

/** A system message between a call and its result: the provider reports the call as unanswered. */
function splitPair(turn: Turn, at: number, turns: Turns): Breach | undefined {
  if (turns[at + 1]?.role !== "system") return undefined;
  const behind = idsOf(turns[at + 2]?.results);
  return turn.calls.some(({ id }) => behind.has(id)) ? unanswered(turn) : undefined;
}

/** A result behind other content: the provider reports the call as unanswered. */
function answeredLate(turn: Turn, next: Turn | undefined): Breach | undefined {
  if (next === undefined || next.leading === next.results.length || unanswered(turn, next.results) !== undefined) return undefined;
  return unanswered(turn, next.results.slice(0, next.leading));
}

function orphan({ results }: Turn, at: number, turns: Turns): Breach | undefined {
  if (results.length === 0) return undefined;
  const called = idsOf(turns[at - 1]?.calls);
  const found = results.find(({ id }) => !called.has(id));
  return (
    found &&
    breach(
      found.path,
      `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${found.id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    )
  );
}

function repeatedResult({ results }: Turn): Breach | undefined {
  const found = results.length < 2 ? undefined : firstRepeated(results, new Set());
  return found && breach(found.path, `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${found.id}`);
}

function repeatedCall(turns: Turns): Breach | undefined {
  const known = new Set<string>();
  return firstOf(turns, ({ calls }) => {
    const found = firstRepeated(calls, known);
    return found && breach(found.path.slice(0, 2), "`tool_use` ids must be unique");
  });
}

function firstRepeated(found: readonly Found[], known: Set<string>): Found | undefined {
  return found.find(({ id }) => known.size === known.add(id).size);
}

function idsOf(found: readonly Found[] = []): ReadonlySet<string> {
  return new Set(found.map(({ id }) => id));
}
