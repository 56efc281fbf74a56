import type { ObjectValue } from "@tidemark/core";
import { expect } from "vitest";
import { ContractHost, sentBytes, sentMessages, unitsOf } from "./host.ts";
import { promise } from "./promises.ts";
import type { Said, SaidCall, WireSubject } from "./subject.ts";

export function replayPromises(subject: WireSubject): void {
  promise(subject, "replay", async () => {
    for (const { title, reply } of [...spoken(subject), ...subject.samples.replies]) {
      const host = new ContractHost(subject);
      const before = sentMessages(subject, await host.ask("Begin."));
      const messages = host.answer(reply);
      answerCalls(subject, host, messages);
      const turn = await host.ask("Go on.");
      const wanted = messages.map((message) => subject.sent?.(message) ?? message);
      expect(sentMessages(subject, turn).slice(before.length, before.length + wanted.length), title).toEqual(wanted);
      expect(turn.continuity.checkpoints, title).toEqual([]);
      expect(turn.repairs.equivalent, title).toBe(0);
    }
  });

  promise(subject, "restore", async () => {
    const host = new ContractHost(subject);
    await host.ask("Begin.");
    const calls = host.calls({ at: "z", a: 1 });
    host.answer({ reasoning: "Hm.", text: "I look.", calls });
    host.results(calls);
    const before = sentBytes(subject, await host.send());
    host.answer({ reasoning: "So.", text: "Done." });
    host.restore();
    const turn = await host.ask("More?");
    expect(sentBytes(subject, turn).slice(0, before.length)).toEqual(before);
    expect(turn.continuity.checkpoints).toEqual([]);
  });

  promise(subject, "readsBack", () => {
    const replies = [...spoken(subject), ...subject.samples.replies].flatMap(({ reply }) => subject.wire.readReply(reply).messages);
    const alike = subject.samples.alike.flatMap(({ given, again }) => [...given, ...again]);
    const unknown = subject.samples.unknown.map(({ message }) => message);
    for (const message of [...replies, ...alike, ...unknown]) {
      const reading = readable(subject, message);
      // Results go alone on wires that want a message for each.
      const batches = subject.wire.abilities.resultsJoinUserTurn ? [reading.units] : apart(reading.units);
      const again = batches.map((units) => subject.wire.compose(reading.nativeRole, units));
      expect(unitsOf(subject, again)).toEqual(reading.units.map(({ kind, block }) => ({ kind, block })));
      expect(again.map((composed) => subject.wire.read(composed).role)).toEqual(batches.map(() => reading.role));
    }
  });
}

/** Replies of every make: words, reasoning, one call, several, and keys in no sorted order. */
export function spoken(subject: WireSubject): readonly { readonly title: string; readonly reply: ObjectValue }[] {
  const id = (position: number): string => subject.callId?.(position) ?? `call_${position}`;
  const call = (position: number, input: ObjectValue): SaidCall => ({ id: id(position), name: position % 2 === 1 ? "look" : "ask", input });
  const calls = [call(1, { z: 1, a: { y: [1, "two", null], b: true } }), call(2, { path: "Grüße/🙂.ts" })];
  const makes: readonly Said[] = [
    { text: "Plain words." },
    { text: "  White space around, kept.\n" },
    { reasoning: "Let me think.", text: "Thought." },
    { calls: calls.slice(0, 1) },
    { text: "Two at once.", calls },
    { reasoning: "Which one?", calls: calls.slice(0, 1) },
    { reasoning: "Both.", text: "I look at both.", calls },
  ];
  return makes.map((said) => ({ title: JSON.stringify(said), reply: subject.reply(said) }));
}

function answerCalls({ wire }: WireSubject, host: ContractHost, messages: readonly ObjectValue[]): void {
  const calls = messages.flatMap((message) => wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])));
  if (calls.length > 0) host.results(calls.map(({ id, name }) => ({ id, name, input: {} })));
}

/** A message without the reasoning that the wire reads but sends nowhere. */
function readable({ wire, exempt }: WireSubject, message: ObjectValue) {
  const reading = wire.read(message);
  return exempt?.reasoningKept === undefined ? reading : { ...reading, units: reading.units.filter(({ kind }) => kind !== "reasoning") };
}

type Units = ReturnType<WireSubject["wire"]["read"]>["units"];

function apart(units: Units): readonly Units[] {
  return units.some(({ kind }) => kind === "result") ? units.map((unit) => [unit]) : [units];
}
