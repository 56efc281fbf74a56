import type { Draft } from "../ledger/draft.ts";
import type { Entry } from "../ledger/entry.ts";
import { windowFor } from "../ledger/forms.ts";
import { factsOf } from "../ledger/window-facts.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { HostMark, Wire } from "../wire/wire.ts";

/** The host's cache marks by their place in the outgoing request (rule 54). */
export function hostMarks(wire: Wire, open: OpenRequest, draft: Draft): readonly HostMark[] {
  const marks: HostMark[] = [...open.headMarks];
  if (draft.marks.size === 0 && !factsOf(draft.entries).marked) return marks;
  let message = draft.lead;
  let before: Entry | undefined;
  for (const item of windowFor(wire, draft.entries, draft.target)) {
    let block = 0;
    for (const { entry, message: form } of item.parts ?? [item]) {
      // Of a reply that goes out as several messages the marks count from the first.
      const own = entry === before || entry.id < draft.marksFrom ? [] : (draft.marks.get(entry.id) ?? entry.marks);
      for (const { unit, mark } of own) marks.push({ part: "messages", message, block: block + unit, mark });
      if (item.parts !== undefined) block += wire.read(form).units.length;
      before = entry;
    }
    message += 1;
  }
  return newest(marks, wire.abilities.cacheMarksMax ?? marks.length);
}

/** A host that stores what was sent keeps its old marks: of those in the messages the newest count. */
function newest(marks: readonly HostMark[], max: number): readonly HostMark[] {
  if (marks.length <= max) return marks;
  const head = marks.filter(({ part }) => part !== "messages");
  const inMessages = marks.filter(({ part }) => part === "messages");
  return [...head, ...inMessages.slice(-Math.max(max - head.length, 1))];
}
