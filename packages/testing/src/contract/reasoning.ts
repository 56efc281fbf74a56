import type { Turn } from "@tidemark/core";
import { expect } from "vitest";
import { ContractHost, sentBytes, sentMessages, textOf, unitsOf } from "./host.ts";
import { promise } from "./promises.ts";
import type { WireSubject } from "./subject.ts";

const thought = "The lamp is beside the door.";

export function reasoningPromises(subject: WireSubject): void {
  promise(subject, "reasoningKept", async () => {
    const { turn, made } = await thoughtAbout(subject);
    expect(reasoningIn(subject, turn)).toEqual(made);
    expect(made.length).toBeGreaterThan(0);
  });

  promise(subject, "reasoningRestored", async () => {
    const { host, turn } = await thoughtAbout(subject);
    const before = sentBytes(subject, turn);
    host.answer({ text: "It is lit." });
    host.history = host.history.map((message) => subject.withoutReasoning(message));
    const next = await host.ask("Since when?");
    expect(next.continuity.checkpoints).toEqual([]);
    expect(sentBytes(subject, next).slice(0, before.length)).toEqual(before);
    host.restore();
    const restored = await host.send();
    expect(sentBytes(subject, restored)).toEqual(sentBytes(subject, next));
  });

  promise(subject, "reasoningForeign", async () => {
    const { host, made } = await thoughtAbout(subject);
    host.answer({ text: "It is lit." });
    const away = await host.ask("And you, what do you think?", subject.otherModel);
    expect(away.continuity.checkpoints.map(({ reason }) => reason)).toEqual(["model"]);
    expect(boundIn(subject, away)).toEqual([]);
    for (const words of ["Is lamp 7 lit?", "I ask the lamp.", "It says yes.", "It is lit."]) expect(textOf(away)).toContain(words);
    host.answer({ text: "I agree." });
    const back = await host.ask("Thank you.");
    expect(reasoningIn(subject, back)).toEqual(made);
  });

  promise(subject, "reasoningOmitted", async () => {
    const { turn } = await thoughtAbout(subject, "omit");
    expect(unitsOf(subject, sentMessages(subject, turn)).filter(({ kind }) => kind === "reasoning")).toEqual([]);
    expect(textOf(turn)).not.toContain(thought);
  });
}

/** A host behind one reply that thought and called, with the reasoning that this reply bore. */
async function thoughtAbout(subject: WireSubject, reasoning: "replay" | "omit" = "replay") {
  const host = new ContractHost(subject, { reasoning });
  await host.ask("Is lamp 7 lit?");
  const calls = host.calls({ lamp: 7 });
  const messages = host.answer({ reasoning: thought, text: "I ask the lamp.", calls });
  const made = unitsOf(subject, messages).filter(({ kind }) => kind === "reasoning");
  host.results(calls, ["It says yes."]);
  return { host, made, turn: await host.send() };
}

function reasoningIn(subject: WireSubject, turn: Turn) {
  return unitsOf(subject, sentMessages(subject, turn)).filter(({ kind }) => kind === "reasoning");
}

/** Reasoning that only the model that made it may read. */
function boundIn({ wire }: WireSubject, turn: Turn) {
  const messages = sentMessages({ wire } as WireSubject, turn);
  return messages.flatMap((message) => wire.read(message).units.filter((unit) => unit.kind === "reasoning" && unit.bound));
}
