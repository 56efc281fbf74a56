import { expect } from "vitest";
import { ContractHost, reversed, sentBytes } from "./host.ts";
import { promise } from "./promises.ts";
import type { WireSubject } from "./subject.ts";

export function repairPromises(subject: WireSubject): void {
  promise(subject, "keyOrder", async () => {
    const host = new ContractHost(subject);
    await host.ask("Begin.");
    const calls = host.calls({ z: 1, a: { y: 2, b: 3 } });
    host.answer({ reasoning: "Hm.", text: "I look.", calls });
    host.results(calls);
    const before = sentBytes(subject, await host.send());
    host.answer({ text: "Done." });
    host.history = reversed(host.history);
    const turn = await host.ask("Go on.");
    expect(turn.continuity.checkpoints).toEqual([]);
    expect(sentBytes(subject, turn).slice(0, before.length)).toEqual(before);
  });

  promise(subject, "alike", async () => {
    for (const { title, given, again } of subject.samples.alike) {
      const host = new ContractHost(subject);
      host.history = [...given];
      const before = sentBytes(subject, await host.send());
      host.answer({ text: "Answered." });
      host.history.splice(0, given.length, ...again);
      const turn = await host.ask("Go on.");
      expect(turn.continuity.checkpoints, title).toEqual([]);
      expect(sentBytes(subject, turn).slice(0, before.length), title).toEqual(before);
      expect(turn.repairs.equivalent, title).toBeGreaterThan(0);
    }
  });
}
