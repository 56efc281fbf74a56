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
