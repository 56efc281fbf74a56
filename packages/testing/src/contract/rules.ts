import type { ObjectValue, ShapeRule } from "@tidemark/core";
import { expect } from "vitest";
import { promise } from "./promises.ts";
import type { RuleSample, WireSubject } from "./subject.ts";

export function rulePromises(subject: WireSubject): void {
  promise(subject, "ruleSamples", () => {
    const { rules } = subject.wire;
    const ids = [...new Set(rules.map(({ id }) => id))];
    expect([...new Set(subject.samples.rules.map(({ rule }) => rule))].toSorted()).toEqual(ids.toSorted());
    for (const sample of subject.samples.rules) {
      const own = rules.filter(({ id }) => id === sample.rule);
      expect(breaches(subject, own, sample, sample.passes), `${sample.rule}: the good neighbour`).toEqual([]);
      const [breach] = breaches(subject, own, sample, sample.fails);
      expect(breach?.message, `${sample.rule}: ${JSON.stringify(sample.fails)}`).toMatch(/\S/);
      expect(breach?.path.length, sample.rule).toBeGreaterThan(0);
    }
    for (const rule of rules) expect(rule.status, rule.id).toBeGreaterThanOrEqual(400);
  });
}

function breaches({ wire }: WireSubject, rules: readonly ShapeRule[], sample: RuleSample, request: object) {
  const model = (wire.abilities.places?.model ?? ["model"]).reduce<unknown>(memberOf, request);
  const context = { profile: wire.profile(typeof model === "string" ? model : ""), betas: sample.betas, version: sample.version };
  return rules.flatMap((rule) => rule.check(request as ObjectValue, context) ?? []);
}

function memberOf(holder: unknown, name: string | number): unknown {
  return typeof holder === "object" && holder !== null ? (holder as Readonly<Record<string | number, unknown>>)[name] : undefined;
}
