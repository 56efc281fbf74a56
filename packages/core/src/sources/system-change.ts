import { fill, type Wordings } from "../ledger/wordings.ts";
import { standing } from "./heard.ts";
import type { Source } from "./source.ts";

/** Share of lines above which the whole text is said instead of the changed lines. */
const wholeTextShare = 0.5;

/** The source whose words are the host's own system text, where it is frozen at its first send and changes are appended (rule 25). `frozen`: the text in the head. */
export function systemChanges(frozen: string): Source<never> {
  return {
    id: "system",
    kind: "system",
    channel: "system",
    speak: ({ setting, heard, wordings }) => {
      if (setting === undefined || !("value" in setting)) return undefined;
      const wanted = String(setting.value);
      const last = heard.said.at(-1);
      const stands = last === undefined || standing(heard, true).length > 0;
      const before = last === undefined ? frozen : String(last.value);
      if (stands && wanted === before) return undefined;
      const whole = fill(wordings.systemReplaced, { text: wanted });
      if (!stands) return { text: whole, value: wanted };
      const text = systemChangeText(before, wanted, wordings);
      return text === whole ? { text, value: wanted } : { text, value: wanted, change: true };
    },
  };
}

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
