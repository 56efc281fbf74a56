import { windowFor } from "../ledger/forms.ts";
import type { Draft } from "../ledger/reconcile.ts";
import { factsOf } from "../ledger/window-facts.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { HostMark, Wire } from "../wire/wire.ts";

/** The host's cache marks by their place in the outgoing request (rule 54). */
export function hostMarks(wire: Wire, open: OpenRequest, draft: Draft): readonly HostMark[] {
  const marks: HostMark[] = [...open.headMarks];
  if (draft.marks.size === 0 && !factsOf(draft.entries).marked) return marks;
  let message = draft.lead;
  for (const { entry } of windowFor(wire, draft.entries, draft.target)) {
    const own = entry.id < draft.marksFrom ? [] : (draft.marks.get(entry.id) ?? entry.marks);
    for (const { unit, mark } of own) marks.push({ part: "messages", message, block: unit, mark });
    message += 1;
  }
  return marks;
}
