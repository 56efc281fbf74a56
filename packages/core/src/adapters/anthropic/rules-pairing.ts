import { isObject } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { breach, type Found, firstOf, type Look, none, placeOf, shapeRule, type Turn } from "./look.ts";
import { isReasoning } from "./reasoning.ts";

/** Calls and their results. Neighbours of one role are one turn; a system message between a call and its result splits them. */
export const pairingRules: readonly ShapeRule[] = [
  shapeRule("AN-30", "sure", (look) => firstOf(look.turns, (turn, at) => splitPair(look, turn, at)), { about: "aside" }),
  shapeRule("AN-04", "sure", (look) => firstOf(look.turns, (turn, at) => unanswered(look, turn, look.turns[at + 1]?.results))),
  shapeRule("AN-07", "sure", (look) => firstOf(look.turns, (turn, at) => answeredLate(look, turn, look.turns[at + 1]))),
  shapeRule("AN-05", "sure", (look) => firstOf(look.turns, (turn, at) => orphan(look, turn, look.turns[at - 1]))),
  shapeRule("AN-06", "sure", (look) => firstOf(look.turns, (turn) => repeatedResult(look, turn)), { about: "several" }),
  // Documented, yet a recording of Sonnet 4.5 has an id taken twice.
  shapeRule("AN-06", "likely", repeatedCall, { about: "several" }),
  // Models that think by budget want the thinking of an open tool loop back. Adaptive thinking does not ask for it.
  shapeRule(
    "AN-15",
    "likely",
    ({ turns, messages }, { thinking }) => {
      const [turn, answer] = turns.slice(-2);
      const first = turn?.role === "assistant" ? messages[turn.from]?.blocks[0] : undefined;
      if (first === undefined || !answer?.results.length || isReasoning(first)) return undefined;
      if (!isObject(thinking) || thinking.type !== "enabled") return undefined;
      return breach(
        ["messages", turn?.from ?? 0, "content", 0, "type"],
        `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
      );
    },
    { field: "thinking" },
  ),
];

function unanswered(look: Look, turn: Turn, results: readonly Found[] = []): Breach | undefined {
  const open = missing(turn.calls, results);
  const [first] = open;
  if (first === undefined) return undefined;
  const ids = open.map(({ id }) => id).join(", ");
  return breach(
    placeOf(look, turn, first).slice(0, 2),
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

/** Those whose id the others do not have. Most turns have one pair, which needs no set. */
function missing(found: readonly Found[], others: readonly Found[] = []): readonly Found[] {
  if (found.length === 0 || (found.length === 1 && others.length === 1 && found[0]?.id === others[0]?.id)) return none;
  const ids = new Set(others.map(({ id }) => id));
  return found.filter(({ id }) => !ids.has(id));
}

/** A system message between a call and its result: the provider reports the call as unanswered. */
function splitPair(look: Look, turn: Turn, at: number): Breach | undefined {
  if (look.turns[at + 1]?.role !== "system") return undefined;
  const split = missing(turn.calls, look.turns[at + 2]?.results).length < turn.calls.length;
  return split ? unanswered(look, turn) : undefined;
}

/** A result behind other content: the provider reports the call as unanswered. */
function answeredLate(look: Look, turn: Turn, next: Turn | undefined): Breach | undefined {
  if (next === undefined || next.leading === next.results.length || unanswered(look, turn, next.results) !== undefined) return undefined;
  return unanswered(look, turn, next.results.slice(0, next.leading));
}

function orphan(look: Look, turn: Turn, previous: Turn | undefined): Breach | undefined {
  const [found] = missing(turn.results, previous?.calls);
  if (found === undefined) return undefined;
  return breach(
    placeOf(look, turn, found),
    `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${found.id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  );
}

function repeatedResult(look: Look, turn: Turn): Breach | undefined {
  const found = turn.results.length < 2 ? undefined : firstRepeated(turn.results, new Set());
  return (
    found &&
    breach(
      placeOf(look, turn, found),
      `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${found.id}`,
    )
  );
}

function repeatedCall(look: Look): Breach | undefined {
  const known = new Set<string>();
  return firstOf(look.turns, (turn) => {
    const found = firstRepeated(turn.calls, known);
    return found && breach(placeOf(look, turn, found).slice(0, 2), "`tool_use` ids must be unique");
  });
}

function firstRepeated(found: readonly Found[], known: Set<string>): Found | undefined {
  return found.find(({ id }) => known.size === known.add(id).size);
}
