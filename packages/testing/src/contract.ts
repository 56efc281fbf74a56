import { describe } from "vitest";
import { admissionPromises } from "./contract/admission.ts";
import { carryingPromises } from "./contract/carried.ts";
import { reasoningPromises } from "./contract/reasoning.ts";
import { repairPromises } from "./contract/repair.ts";
import { replayPromises } from "./contract/replay.ts";
import { replyPromises } from "./contract/replies.ts";
import { rulePromises } from "./contract/rules.ts";
import { type StrategySubject, strategyPromises } from "./contract/strategy.ts";
import type { WireSubject } from "./contract/subject.ts";

export type { ContractPromise } from "./contract/promises.ts";
export { sessionStoreContract } from "./contract/session-store.ts";
export type { StrategySubject } from "./contract/strategy.ts";
export type { RuleSample, Said, SaidCall, SaidResult, WireSamples, WireSubject } from "./contract/subject.ts";

/**
 * Registers the tests that every wire passes, as a Vitest suite of the subject's name: what a session relies on when it sends a wire's own
 * messages again and again. The subject gives the wire and small samples in its format.
 */
export function wireContract<Request extends object>(subject: WireSubject<Request>): void {
  // Requests of any wire come from the subject itself, so that none is ever given another's.
  const any = subject as unknown as WireSubject;
  describe(`the contract of a wire: ${subject.name}`, () => {
    replayPromises(any);
    rulePromises(any);
    admissionPromises(any);
    repairPromises(any);
    reasoningPromises(any);
    replyPromises(any);
    carryingPromises(any);
  });
}

/**
 * Registers the tests that every overflow strategy passes, a user's own among them: whatever it does, the next request is taken by a strict provider that binds
 * reasoning, and what must stay stays.
 */
export function strategyContract(subject: StrategySubject): void {
  describe(`the contract of an overflow strategy: ${subject.name}`, () => strategyPromises(subject));
}
