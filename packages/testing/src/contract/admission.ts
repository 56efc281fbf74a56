import { expect } from "vitest";
import { ContractHost, sentBytes, sentMessages, textOf, unitsOf } from "./host.ts";
import { promise } from "./promises.ts";
import type { WireSubject } from "./subject.ts";

export function admissionPromises(subject: WireSubject): void {
  promise(subject, "emptyText", async () => {
    const host = new ContractHost(subject);
    host.say("Hello.");
    host.say("  \n");
    const turn = await host.send();
    expect(unitsOf(subject, sentMessages(subject, turn)).filter(({ kind }) => kind === "text")).toHaveLength(1);
    host.answer({ text: "Hello." });
    const next = await host.ask("And now?");
    expect(next.continuity.checkpoints).toEqual([]);
  });

  promise(subject, "unicode", async () => {
    const host = new ContractHost(subject);
    const turn = await host.ask("Half of a smile: \ud83d.");
    // JSON.stringify spells a lone surrogate; a well-formed text has none.
    expect(textOf(turn)).not.toMatch(/\\ud[89a-f]/i);
    const before = sentBytes(subject, turn);
    host.answer({ text: "I see." });
    const next = await host.ask("And?");
    expect(sentBytes(subject, next).slice(0, before.length)).toEqual(before);
    expect(next.continuity.checkpoints).toEqual([]);
  });

  promise(subject, "pending", async () => {
    const { host, calls } = await called(subject);
    if (subject.wire.abilities.refusesPendingCalls) await expect(host.send()).rejects.toMatchObject({ code: "pending-calls" });
    else expect((await host.send()).repairs.resultsMadeUp).toEqual([]);
    host.results(calls);
    expect((await host.send()).continuity.checkpoints).toEqual([]);
  });

  promise(subject, "movedPast", async () => {
    const { host, calls } = await called(subject);
    const turn = await host.ask("Never mind.");
    expect(turn.repairs.resultsMadeUp).toHaveLength(calls.length);
    const kinds = unitsOf(subject, sentMessages(subject, turn)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "result")).toHaveLength(calls.length);
    expect(kinds.lastIndexOf("text")).toBeGreaterThan(kinds.lastIndexOf("result"));
  });

  promise(subject, "late", async () => {
    const { host, calls } = await called(subject);
    const before = sentBytes(subject, await host.ask("Never mind."));
    host.answer({ text: "Then not." });
    host.results(calls.slice(0, 1), ["It was blue after all."]);
    const turn = await host.ask("Say more.");
    expect(turn.repairs.resultsLate).toHaveLength(1);
    expect(turn.continuity.checkpoints).toEqual([]);
    expect(sentBytes(subject, turn).slice(0, before.length)).toEqual(before);
    expect(textOf(turn)).toContain("It was blue after all.");
  });

  promise(subject, "orphan", async () => {
    const host = new ContractHost(subject);
    await host.ask("Begin.");
    host.answer({ text: "Begun." });
    host.results([{ id: subject.callId?.(99) ?? "call_99", name: "never_called", input: {} }], ["From nowhere."]);
    const turn = await host.ask("Go on.");
    expect(turn.repairs.resultsOrphaned).toHaveLength(1);
    const units = unitsOf(subject, sentMessages(subject, turn));
    expect(units.filter(({ kind }) => kind === "result")).toEqual([]);
    expect(textOf(turn)).toContain("From nowhere.");
  });

  promise(subject, "duplicate", async () => {
    const { host, calls } = await called(subject);
    host.results(calls);
    host.results(calls.slice(0, 1));
    const turn = await host.send();
    expect(turn.repairs.resultsDropped).toHaveLength(1);
    const results = unitsOf(subject, sentMessages(subject, turn)).filter(({ kind }) => kind === "result");
    expect(results).toHaveLength(calls.length);
  });

  promise(subject, "resultOrder", async () => {
    const { host, calls } = await called(subject);
    host.results(calls.toReversed());
    const turn = await host.send();
    const text = sentBytes(subject, turn).join("\n");
    expect(text.indexOf(`Result of ${calls[0]?.id}.`)).toBeLessThan(text.indexOf(`Result of ${calls[1]?.id}.`));
    host.answer({ text: "Both done." });
    const end = host.history.length - 1;
    const batch = subject.results(calls.map(({ id, name }) => ({ id, name, text: `Result of ${id}.` })));
    host.history.splice(end - batch.length, batch.length, ...batch);
    const before = sentBytes(subject, turn);
    const next = await host.ask("Go on.");
    expect(next.continuity.checkpoints).toEqual([]);
    expect(sentBytes(subject, next).slice(0, before.length)).toEqual(before);
  });
}

/** A host whose last reply called both tools and waits for what they say. */
async function called(subject: WireSubject) {
  const host = new ContractHost(subject);
  await host.ask("Look and ask.");
  const calls = host.calls({ at: "sky" }, { whom: "Ada" });
  host.answer({ text: "Both.", calls });
  return { host, calls };
}
