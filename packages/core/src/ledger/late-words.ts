import type { Wire } from "../wire/wire.ts";
import type { AdmissionPolicy } from "./admission.ts";
import type { Alignment } from "./align.ts";
import type { EntriesSoFar } from "./entries-so-far.ts";
import { capText } from "./result-cap.ts";
import { fill } from "./wordings.ts";

/** What is to be said of a late result. `call`: the id under which its call was sent. */
export type LateWords = { readonly call: string; readonly text: string };

/** Rule 12: results that stand in the history where their calls do, while the window closed those calls without them. They are within the cap of their tool (rule 13). */
export function lateWords(
  { wire, policy }: { readonly wire: Wire; readonly policy: AdmissionPolicy },
  { late }: Alignment,
  soFar: EntriesSoFar,
): readonly LateWords[] {
  return late.flatMap(({ to, result }) => {
    const call = to > soFar.kept.length ? undefined : soFar.findCall(result.id)?.call;
    if (call === undefined) return [];
    const text = capText(wire.textOf(result), policy.resultCap(call.name), policy.countText, policy.wordings);
    return [{ call: call.sentId, text: fill(policy.wordings.lateResult, { id: call.sentId, name: call.name, text }) }];
  });
}
