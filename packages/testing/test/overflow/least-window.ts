import type { ObjectValue, Wire } from "@tidemark/core";

/** What a strategy has to leave in a window, as plainly as it can be said: the twin of all cuts, to tell a window that cannot fit from one that was not made to. */
export type Least = (wire: Wire, history: readonly ObjectValue[]) => readonly ObjectValue[];

/** Behind words in place of all else, the question being asked and the calls whose results the model has not seen (rules 35 and 39). */
export const leastOfCut =
  (recap: string): Least =>
  (wire, history) => {
    const lead = leadOf(wire, history);
    const groups = groupsOf(wire, history.slice(lead.length));
    const last = groups.findLastIndex(({ kind }) => kind !== "user");
    const open = groups[last]?.kind === "calls" ? groups.slice(last) : [];
    const question = groups.findLast(({ kind, messages }) => kind === "user" || messages.some((message) => speaks(wire, message)));
    const asked = (question?.messages ?? []).filter((message) => speaks(wire, message));
    const kept = open.flatMap(({ messages }) => messages);
    return [...lead, wire.say("user", recap), ...asked.filter((message) => !kept.includes(message)), ...kept];
  };

/** A user's words, plain replies, and the last four messages with their batches; of all else a line (rule 37). */
export const leastOfElision: Least = (wire, history) => {
  const recent = new Set(history.slice(-4));
  const groups = groupsOf(wire, history);
  const last = groups.findLastIndex(({ kind }) => kind !== "user");
  return groups.flatMap(({ kind, messages }, index) => {
    const open = index === last && kind === "calls";
    if (open || messages.some((message) => recent.has(message))) return messages;
    if (kind === "calls") return [wire.say("assistant", line), ...messages.flatMap((message) => wordsOf(wire, message))];
    return messages;
  });
};

const line = "[elided entry 41]";

type Group = { readonly kind: "user" | "reply" | "calls"; readonly messages: ObjectValue[] };

/** Replies with what answers their calls; and what a user says. */
function groupsOf(wire: Wire, history: readonly ObjectValue[]): readonly Group[] {
  const groups: Group[] = [];
  for (const message of history) {
    const { role, units } = wire.read(message);
    const before = groups.at(-1);
    const calls = units.some(({ kind }) => kind === "call");
    const follows =
      role === "assistant"
        ? before !== undefined && wire.read(before.messages.at(-1) as ObjectValue).role === "assistant"
        : units.some(({ kind }) => kind === "result");
    if (before !== undefined && before.kind !== "user" && follows) {
      before.messages.push(message);
      if (calls && before.kind === "reply") groups[groups.length - 1] = { ...before, kind: "calls" };
    } else groups.push({ kind: role !== "assistant" ? "user" : calls ? "calls" : "reply", messages: [message] });
  }
  return groups;
}

function speaks(wire: Wire, message: ObjectValue): boolean {
  const { role, units } = wire.read(message);
  return role === "user" && units.some(({ kind }) => kind === "text" || kind === "media");
}

/** System messages that a wire has in front of its messages. */
function leadOf(wire: Wire, history: readonly ObjectValue[]): readonly ObjectValue[] {
  const end = history.findIndex((message) => wire.read(message).role !== "system");
  return history.slice(0, Math.max(end, 0));
}

/** What a user says beside results. */
function wordsOf(wire: Wire, message: ObjectValue): readonly ObjectValue[] {
  if (!speaks(wire, message)) return [];
  const { units, nativeRole } = wire.read(message);
  return [
    wire.compose(
      nativeRole,
      units.filter(({ kind }) => kind !== "result"),
    ),
  ];
}
