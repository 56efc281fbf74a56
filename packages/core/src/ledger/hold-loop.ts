import type { Wire } from "../wire/wire.ts";
import { isBound } from "./admit-replies.ts";
import { align } from "./align.ts";
import { type Base, baseFrom, type Choice } from "./choose-base.ts";
import type { ReconcileInput } from "./draft.ts";
import { isReply } from "./entry.ts";
import { isRead, type Target } from "./forms.ts";
import { isUnnamed, withSettings } from "./head-choice.ts";
import { repairHead } from "./head-repair.ts";
import { type OpenLoop, openLoop } from "./open-loop.ts";
import { lastTurn } from "./state.ts";
import { factsOf } from "./window-facts.ts";

export type Hold = { readonly base: Base; readonly heldFields: number };

/**
 * Rule 62 (a): in an open loop whose last replies have bound reasoning, what was changed in place before the loop, a changed system text or tool list, and a setting that was said and is no
 * longer named wait until the loop is over.
 */
export function holdLoop(choice: Choice, input: ReconcileInput, target: Target, found: Base | undefined): Hold | undefined {
  const last = lastTurn(choice.state);
  if (found === undefined || last === undefined) return undefined;
  const given = repairHead(input.wire, last.head, input.open.head).head;
  const appends = input.systemChanges === "append" && input.wire.profile(given.model).positionalSystem;
  const { settingsWanted } = withSettings(input, target, last.head, given);
  const unnamed = factsOf(last.entries).speaking.some(({ said }) => said.some((item) => isUnnamed(item, settingsWanted)));
  const heldFields = Number(given.tools !== last.head.tools) + Number(given.system !== last.head.system && !appends) + Number(unnamed);
  const inPlace = !found.alignment.full || found.turn !== last;
  if (heldFields === 0 && !inPlace) return undefined;
  const loop = openLoop(input.history);
  if (loop === undefined) return undefined;
  const tolerant = inPlace ? baseFrom(choice, last, align(last.entries, input.history, { holdBefore: loop.from })) : found;
  const holds = tolerant.alignment.full && keepsRowReasoning(tolerant, input.wire, loop, target);
  return holds ? { base: tolerant, heldFields } : undefined;
}

/**
 * Whether the last row of replies would go out with bound reasoning: another model may read none of it, and then nothing waits. A reply taken on trust does not count: behind an edit it may
 * be another branch's.
 */
function keepsRowReasoning({ answered, vouched, turn, entries, alignment }: Base, wire: Wire, { row }: OpenLoop, target: Target): boolean {
  if (answered) {
    const isVouched = vouched?.units !== undefined && row.from <= vouched.from && row.to <= vouched.to;
    return isVouched && vouched.units.some(isBound) && isRead(wire, { origin: turn.origin, vouched: true, lent: false }, target);
  }
  const reasoning = entries.slice(0, alignment.lastReply.entries).findLast(isReply)?.reasoning;
  return reasoning !== undefined && isRead(wire, reasoning, target);
}
