import type { Group } from "./groups.ts";

/**
 * What keeps a window above the mark that it is to be brought down to (rule 33).
 * In the window: `floor` (system and tools), `pinned`, `question` (the one being asked), `open-calls`, `recent` (all else that is kept: protected entries, recent turns, recaps).
 * Of the moment: `headroom` (asked for by the host), `tool-turn` (the landing waits for its end), `pending` (a job runs), `unchanged` (the strategy found nothing), `failed`,
 * and what the strategy is held to: `breaker`, `loop-guard`, `minimum-gain`.
 */
export type HeldBy =
  | ("floor" | "pinned" | "question" | "open-calls" | "recent")
  | ("headroom" | "tool-turn" | "pending" | "unchanged" | "failed" | "breaker" | "loop-guard" | "minimum-gain");

export type Held = {
  readonly by: HeldBy;
  /** Of a part of the window: what it has. */
  readonly tokens?: number;
  /** In words, of what is no part of the window. */
  readonly why?: string;
};

/** What stands in a window that no strategy takes away, and what is left beside that; parts without tokens are left out. */
export function heldParts(groups: readonly Group[], floor: number): readonly Held[] {
  const question = groups.findLast(({ asks }) => asks);
  const partOf = (group: Group): HeldBy =>
    group.pinned ? "pinned" : group.open ? "open-calls" : group === question ? "question" : "recent";
  const tokens = new Map<HeldBy, number>([["floor", floor]]);
  for (const group of groups) tokens.set(partOf(group), (tokens.get(partOf(group)) ?? 0) + group.tokens);
  return [...tokens].flatMap(([by, held]) => (held > 0 ? [Object.freeze({ by, tokens: held })] : []));
}

/** `pinned 1,204, open-calls 522`. */
export function heldText(held: readonly Held[]): string {
  return held.flatMap(({ by, tokens }) => (tokens === undefined ? [] : [`${by} ${tokens.toLocaleString("en-US")}`])).join(", ");
}
