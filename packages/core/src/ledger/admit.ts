import type { Admission, Prefill } from "./admission.ts";
import { admitMessages, admitReplies } from "./admit-replies.ts";
import { admitTurn } from "./admit-turn.ts";
import { type Entry, makeEntry } from "./entry.ts";

/**
 * Rule 2: gives every new message its final form. The history is taken run by run: a row of replies, then what stands behind it. The new
 * entries are added to `admission.soFar`; what comes back is the prefill, if the history ends in one.
 * @throws {PendingCallsError} when the history ends in calls without results.
 */
export function admit(admission: Admission): Prefill | undefined {
  const { history, soFar } = admission;
  let prefill: Prefill | undefined;
  let at = admission.from;
  if (at === 0 && startsWithBlock(admission)) {
    admitBlock(admission);
    at = 1;
  }
  while (at < history.length) {
    const side = history.side(at);
    const known = side === "empty" ? undefined : admission.salvage?.take(at, (entries) => isUsable(admission, entries));
    if (known !== undefined) {
      soFar.add(...known.entries);
      for (const entry of known.entries) if (entry.reasoning !== undefined) admission.stale.add(entry.id);
      for (const [id, marks] of known.marks) admission.marks.set(id, marks);
      at = known.consumed;
    } else if (side === "empty") {
      soFar.add(unsent(admission, at));
      at += 1;
    } else if (side === "assistant") {
      startWithUser(admission);
      const replies = admitReplies(admission, at);
      prefill = replies.prefill;
      at = replies.to;
    } else {
      at = admitTurn(admission, at);
    }
  }
  admitTurn(admission, history.length);
  return prefill;
}

/** Rows of replies come back as they were where their call ids are still free; the first message of a window is the user's where the wire wants that. */
function isUsable(admission: Admission, entries: readonly Entry[]): boolean {
  const { soFar, wire } = admission;
  if (wantsUserFirst(admission) && entries.find((entry) => entry.sent !== null)?.role !== "user") return false;
  return !wire.abilities.callIdsUnique || !entries.some((entry) => entry.calls.some((call) => soFar.hasSentId(call.sentId)));
}

/** A message that bears nothing: it stands in the history, not in the window. */
function unsent(admission: Admission, at: number): Entry {
  const message = admission.history.at(at);
  return makeEntry(admission.nextId(), { kind: "host", role: message.reading.role, given: [message.copy], sent: null, empty: true });
}

/** A host may have had the provider compact its history: the block is a recap, and nothing goes before it (rule 38). */
function startsWithBlock({ history, wire }: Admission): boolean {
  return history.length > 0 && wire.compaction?.holds(history.at(0).copy) === true;
}

/** What a store joined with the block is a reply of its own. */
function admitBlock(admission: Admission): void {
  const { history, wire, nextId, soFar } = admission;
  const { copy, reading, side } = history.at(0);
  const { nativeRole, units } = reading;
  const [block, rest] = [units.slice(0, 1), units.slice(1)];
  const sent = wire.compose(nativeRole, block);
  soFar.add(
    makeEntry(nextId(), {
      kind: "recap",
      role: reading.role,
      given: [rest.length === 0 ? copy : sent],
      sent,
      landed: { landing: 0, source: [], signed: wire.compaction?.keepsReasoning === true },
    }),
  );
  if (rest.length > 0)
    admitMessages(admission, [{ copy: wire.compose(nativeRole, rest), reading: { ...reading, units: rest, marks: [] }, side }], 0);
}

export function startWithUser(admission: Admission): void {
  if (!wantsUserFirst(admission)) return;
  const notice = admission.wire.say("user", admission.policy.wordings.startsInTheMiddle);
  admission.soFar.add(makeEntry(admission.nextId(), { kind: "host", role: "user", given: [], sent: notice }));
}

function wantsUserFirst({ wire, profile, soFar }: Admission): boolean {
  return (profile.userFirst ?? wire.abilities.userFirst) && !soFar.hasSent();
}
