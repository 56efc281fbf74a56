import { TidemarkError } from "@tidemark/core";

/** One broken promise. `kind` names the check, and the rule where the simulator refused: failures of one kind count as the same one. */
export class SoakFailure extends Error {
  readonly kind: string;
  readonly facts: readonly string[];

  constructor(kind: string, message: string, facts: readonly string[] = []) {
    super(message);
    this.name = "SoakFailure";
    this.kind = kind;
    this.facts = facts;
  }
}

/** No window can be made to fit; that is no fault, and nothing follows. */
export class SessionOver extends Error {
  constructor() {
    super("The window cannot be made to fit.");
    this.name = "SessionOver";
  }
}

/** What the library or the soak threw, as a failure by its code. */
export function asFailure(error: unknown): Error {
  if (error instanceof SoakFailure || error instanceof SessionOver || !(error instanceof Error)) return error as Error;
  const code = error instanceof TidemarkError ? error.code : error.name;
  return new SoakFailure(`throws ${code}`, error.message, error instanceof TidemarkError ? [] : [String(error.stack)]);
}
