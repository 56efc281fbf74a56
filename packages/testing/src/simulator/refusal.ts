import type { ObjectValue } from "@tidemark/core";

/** A request that the provider refuses, or that a script lets fail. Thrown by the checks, turned into the wire's error object at one place. */
export class Refusal extends Error {
  readonly status: number;
  /** Number of the rule that was broken (`AN-13`); undefined for a scripted failure. */
  readonly rule: string | undefined;
  /** Place in the request, as the wire writes it. */
  readonly path: string | undefined;
  /** Error type where it is not the usual one for the status. */
  readonly type: string | undefined;
  /** The provider's machine-readable code. */
  readonly code: string | undefined;
  /** What the simulator knows and the provider would not say. */
  readonly detail: string | undefined;
  /** Members of the error that only this refusal has. */
  readonly more: ObjectValue;

  constructor(
    status: number,
    message: string,
    facts: { rule?: string; path?: string; type?: string; code?: string; detail?: string; more?: ObjectValue } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.rule = facts.rule;
    this.path = facts.path;
    this.type = facts.type;
    this.code = facts.code;
    this.detail = facts.detail;
    this.more = facts.more ?? {};
  }
}
