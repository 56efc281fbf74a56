import { fill, type Wordings } from "../ledger/wordings.ts";

/** Share of lines above which the whole text is said instead of the changed lines. */
const wholeTextShare = 0.5;

/** What is said when the system text goes from one text to another: the changed lines, or the whole text when most of it changed (rule 25). */
export function systemChangeText(before: string, after: string, wordings: Wordings): string {
  const old = before.split("\n");
  const now = after.split("\n");
  const removed = without(old, now);
  const added = without(now, old);
  const changed = removed.length + added.length;
  if (changed === 0 || changed > (old.length + now.length) * wholeTextShare) return fill(wordings.systemReplaced, { text: after });
  return fill(wordings.systemChanged, {
    removed: removed.length === 0 ? "" : fill(wordings.systemRemoved, { text: removed.join("\n") }),
    added: added.length === 0 ? "" : fill(wordings.systemAdded, { text: added.join("\n") }),
  });
}

/** The lines that another list lacks, counted: a line that stands twice must be found twice. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
