import { restoreSession, type Session, type SessionOptions, type Turn } from "@tidemark/core";
import { SoakFailure } from "./failure.ts";
import { clone } from "./history.ts";
import { describe, isLanding } from "./judge.ts";
import { bytesOf, commonLength } from "./plain-model.ts";
import type { SoakRequest } from "./request.ts";
import type { Side } from "./sides/side.ts";
import { type StoreForm, throughStore } from "./store-forms.ts";
import type { Handed, Told } from "./way-in.ts";

export type Trial = {
  readonly session: Session;
  readonly options: SessionOptions;
  readonly side: Side;
  readonly request: SoakRequest;
  /** How many of the request's messages the session has seen before: only those may come in another form. */
  readonly known: number;
  readonly forms: readonly StoreForm[];
};

/**
 * Rule 48: a session restored from its snapshot renders the bytes that the session itself would, from any history that is equal by rule 4. The restored one
 * prepares first; the function that comes back compares its request with the session's own.
 */
export async function tryRestored({ session, options, side, request, known, forms }: Trial): Promise<(own: Handed) => void> {
  const restored = restoreSession(clone(session.snapshot()), options);
  const messages = [...throughStore(request.messages.slice(0, known), forms), ...request.messages.slice(known)];
  const turn = await restored.prepare(side.request({ ...request, messages })).catch((error: Error) => error);
  return (own) => {
    // What the session itself refuses, too, is no business of this check.
    if (turn instanceof Error) throw new SoakFailure("restored throws", turn.message, [`forms: ${forms.join(", ")}`]);
    compare({ own, turn, side, forms });
  };
}

type Pair = { readonly own: Handed; readonly turn: Turn; readonly side: Side; readonly forms: readonly StoreForm[] };

function compare({ own, turn, side, forms }: Pair): void {
  const restored = { request: turn.request, told: turn };
  // Rule 48 speaks of histories that are equal by rule 4. Words that an edit took away, and that the session holds, are in no snapshot.
  if (own.told.repairs.held > 0) return;
  if (landed(own.told) !== landed(turn) && isAtAMark((landed(turn) ? own.told : turn).budget)) return;
  const wanted = side.read(own.request).native.map(bytesOf);
  const found = side.read(restored.request).native.map(bytesOf);
  const same = commonLength(wanted, found);
  const facts = [`forms: ${forms.join(", ") || "none"}`];
  if (same < Math.max(wanted.length, found.length)) {
    const texts = [`session:  ${wanted[same]}`, `restored: ${found[same]}`];
    throw new SoakFailure("restored differs", `message ${same} of the restored session's request is another one (rule 48)`, [
      ...facts,
      ...texts,
    ]);
  }
  const [a, b] = [own, restored].map(({ told: { continuity } }) => continuity.checkpoints.map(({ reason }) => reason).join() || "none");
  if (a !== b)
    throw new SoakFailure("restored reports otherwise", `checkpoints ${b} instead of ${a}`, [
      ...facts,
      ...restored.told.continuity.checkpoints.map(describe),
    ]);
}

function landed({ continuity }: Told): boolean {
  return continuity.checkpoints.some(isLanding);
}

/** What the provider reported of the last prompt is in no snapshot: a restored session counts all of the window until its next reply, and may see a mark passed that was not, or the other way round. */
function isAtAMark(budget: Told["budget"]): boolean {
  const { tokens, limits } = budget ?? { tokens: 0, limits: undefined };
  return limits !== undefined && [limits.highWater, limits.limit].some((mark) => Math.abs(tokens - mark) <= mark * 0.02);
}
