import { lacksAccount } from "./identity.ts";
import { doubtKey, isRepaired } from "./make-turn.ts";
import type { Prepared } from "./prepare.ts";
import type { SessionState } from "./session-state.ts";
import type { Turn } from "./turn.ts";

/** Tells the listeners what became of a request, and of what is wrong with the use of the session once. */
export function tellTurn<W extends object, R extends W>(state: SessionState<W>, turn: Turn<R>, { doubt }: Prepared<R>): void {
  if (doubt !== undefined) state.doubts.add(doubtKey(doubt));
  for (const checkpoint of turn.continuity.checkpoints) state.listeners.tell("checkpoint", checkpoint);
  if (isRepaired(turn.repairs)) state.listeners.tell("repair", turn.repairs);
  for (const capped of turn.repairs.resultsCapped) state.listeners.tell("result:capped", capped);
  for (const said of turn.said) state.listeners.tell("source:said", said);
  if (lacksAccount(state.options) && !state.doubts.has(noAccount)) {
    state.doubts.add(noAccount);
    state.listeners.tell("warning", { code: "no-account", message: noAccount });
  }
  const unrecorded = turn.continuity.checkpoints.some((checkpoint) => checkpoint.hint === "no-record");
  if (!unrecorded || state.warned) return;
  state.warned = true;
  state.listeners.tell("warning", { code: "no-record", message: noRecord });
}

const noAccount =
  "The identity has no namespace, so that no cache identifier goes out, and no reasoning that is bound to an account. " +
  "Hand over the namespace of the credential that is in use.";

const noRecord =
  "The history holds replies that this session did not see being made, so that it cannot vouch for their reasoning. " +
  "Restore the session from its snapshot (restoreSession), or use one session for the whole conversation.";
