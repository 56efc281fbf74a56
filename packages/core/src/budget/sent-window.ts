import { sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import type { Entry } from "../ledger/entry.ts";
import { messagesFor, type WindowMessage, windowFor } from "../ledger/forms.ts";
import { factsOf } from "../ledger/window-facts.ts";
import type { Head } from "../wire/head.ts";
import type { ThresholdCompaction, Wire } from "../wire/wire.ts";

/**
 * What a window is known again by when it is long gone: its head, and of each message the entry it came from. An entry never changes, so the same list means the same messages.
 * `forms` names an entry by its id, by the negative id where not its sent form went out but another (reasoning left away, a system message said by the user).
 */
export type SentWindow = { readonly head: Head; readonly forms: readonly number[] };

/** A window in the making, as far as it is measured. */
export type WindowDraft = Pick<Draft, "head" | "entries" | "target" | "prefill">;

/** `from`: the last message that holds a compaction by the provider's own threshold. What stands before it is sent, and counts no more. */
export type FullWindow = SentWindow & { readonly messages: readonly ObjectValue[]; readonly from: number };

/** A draft's window, with its messages. */
export function sentWindow(wire: Wire, { head, entries, target }: WindowDraft): FullWindow {
  const threshold = wire.compaction?.threshold;
  const { messages } = factsOf(entries);
  if (messagesFor(wire, entries, target) === messages) {
    const from =
      threshold === undefined
        ? 0
        : Math.max(
            messages.findLastIndex((message) => threshold.restarts(message)),
            0,
          );
    return { head, forms: idsOfSent(entries), messages, from };
  }
  const window = windowFor(wire, entries, target);
  return {
    head,
    forms: window.map(({ entry, message }) => (message === entry.sent ? entry.id : -entry.id)),
    messages: window.map(({ message }) => message),
    from: threshold === undefined ? 0 : restartOf(window, threshold),
  };
}

function idsOfSent(entries: readonly Entry[]): readonly number[] {
  const ids: number[] = [];
  for (const { id, sent } of entries) if (sent !== null) ids.push(id);
  return ids;
}

function restartOf(window: readonly WindowMessage[], { restarts }: ThresholdCompaction<object>): number {
  const last = window.findLast(({ entry }) => entry.sent !== null && restarts(entry.sent))?.entry;
  return last === undefined ? 0 : window.findIndex(({ entry }) => entry === last);
}

/** Whether what was counted of an older window, which this one starts with, still counts: nothing restarts behind it. */
export function stillCounts({ from }: FullWindow, { forms }: SentWindow): boolean {
  return from === 0 || from < forms.length;
}

/** Whether a window starts with all of an older one, as it was sent to the same model behind the same system and tools. */
export function startsWith(window: SentWindow, older: SentWindow): boolean {
  const [now, then] = [window.head, older.head];
  if (now.model !== then.model || window.forms.length < older.forms.length) return false;
  return (
    older.forms.every((form, index) => form === window.forms[index]) &&
    (now.system === then.system || sameValue(then.system, now.system)) &&
    (now.tools === then.tools || sameValue(then.tools, now.tools))
  );
}
