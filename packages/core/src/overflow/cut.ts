import type { Group } from "./groups.ts";
import type { OverflowInput } from "./strategy.ts";

/** Room that a recap is taken to need before it is known. */
export type CutOptions = {
  /** User turns at the end that stay whole; undefined: two, or fewer where the window would stay above low water. */
  readonly keepRecentTurns: number | undefined;
  /** Tokens that the recap itself is taken to have. */
  readonly recapTokens: number;
};

/** User turns that stay whole where the host does not say (rule 38). */
const keepRecentTurnsDefault = 2;

/**
 * Where the kept part begins: as much is kept as low water allows, by whole user turns; over the limit, or where one turn alone is above low water, by groups of the last one. The question
 * being asked and the open calls are always kept. 0: there is nothing to cut.
 */
export function cutFor(input: OverflowInput, { keepRecentTurns, recapTokens }: CutOptions): number {
  const { groups, measure, urgency } = input;
  const pays = (to: number): boolean =>
    worthCutting(groups, to) && (urgency === "over" || measure.tokens - tokensBehind(input, to) > recapTokens);
  const fits = (to: number): boolean => tokensBehind(input, to) + recapTokens <= measure.lowWater;
  const turns = turnStarts(groups);
  const wanted = keepRecentTurns ?? keepRecentTurnsDefault;
  const least = keepRecentTurns === undefined || urgency === "over" ? Math.min(wanted, 1) : wanted;
  for (let keep = wanted; keep >= least; keep--) {
    const to = Math.min(keep === 0 ? groups.length : (turns[turns.length - keep] ?? 0), lastCut(groups));
    if (pays(to) && (fits(to) || keep === least)) return fits(to) || urgency !== "over" ? to : cutWithin(groups, to, { pays, fits });
  }
  return urgency === "over" || least === 0 ? cutWithin(groups, 0, { pays, fits }) : 0;
}

/** The first cut behind a position that brings the window down far enough, else the last one that there is. */
function cutWithin(groups: readonly Group[], from: number, { pays, fits }: Judgement): number {
  const last = lastCut(groups);
  for (let to = from; to < last; to++) if (pays(to) && fits(to)) return to;
  return pays(last) ? last : 0;
}

/** Of a cut: whether it takes away more than the recap is taken to need (over the limit whether it takes anything), and whether it brings the window down. */
type Judgement = { readonly pays: (to: number) => boolean; readonly fits: (to: number) => boolean };

/** The open calls are the first thing kept; else all that the user said and nobody has answered, or what the window ends in. */
export function lastCut(groups: readonly Group[]): number {
  const open = groups.findIndex((group) => group.open);
  if (open >= 0) return open;
  const unanswered = groups.findLastIndex(({ kind }) => kind !== "user") + 1;
  return Math.max(Math.min(unanswered, groups.length - 1), 0);
}

/** Tokens of the window behind a cut: head, what was kept, and what is kept for the strategy. */
export function tokensBehind({ groups, measure }: OverflowInput, to: number): number {
  const gone = groups.slice(0, to).reduce((sum, group) => sum + (group.pinned ? 0 : group.tokens), 0);
  const question = questionAt(groups);
  const kept = question !== undefined && question < to ? (groups[question]?.tokens ?? 0) : 0;
  return measure.tokens - gone + kept;
}

/** A recap of a recap alone, or of nothing but what is kept anyway, gains nothing. */
function worthCutting(groups: readonly Group[], to: number): boolean {
  const question = questionAt(groups);
  return groups.slice(0, to).some((group, index) => group.kind !== "recap" && !group.pinned && index !== question);
}

/**
 * Groups that begin with a reply to what was sent: what stands before each was one request. Reasoning alone does not count as words of the other role: behind a block that ends in a user
 * turn the next user turn would be read as part of it.
 */
export function sentEnds(groups: readonly Group[]): readonly number[] {
  return groups.flatMap((group, index) => {
    const before = groups[index - 1];
    return speaks(group) && before !== undefined && before.members.at(-1)?.reading.role === "user" ? [index] : [];
  });
}

function speaks({ kind, members }: Group): boolean {
  if (kind !== "reply" && kind !== "calls") return false;
  return members.some(
    ({ reading: { role, units } }) => role === "assistant" && units.some((unit) => unit.kind !== "reasoning" && unit.kind !== "fields"),
  );
}

/** Groups in which a user turn begins. */
function turnStarts(groups: readonly Group[]): readonly number[] {
  return groups.flatMap((group, index) => (group.asks ? [index] : []));
}

/** The question being asked: the last words of the user. */
export function questionAt(groups: readonly Group[]): number | undefined {
  return turnStarts(groups).at(-1);
}
