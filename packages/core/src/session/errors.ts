import { TidemarkError } from "../json/error.ts";

/** `session.settle` cannot tell which turn a reply answers: two are open. Call `turn.settle(reply)` of the turn that made it. Code: `ambiguous-settle`. */
export class AmbiguousSettleError extends TidemarkError {
  constructor(turns: readonly number[]) {
    super("ambiguous-settle", `Turns ${turns.join(" and ")} are both open. Call settle on the turn that the reply answers.`);
  }
}

/** Nothing was prepared that a reply could answer. Code: `nothing-to-settle`. */
export class NothingToSettleError extends TidemarkError {
  constructor() {
    super(
      "nothing-to-settle",
      "No turn is open for this reply: none was prepared, or a later one was settled since. Settle each reply before the next request is prepared.",
    );
  }
}

/** What was rendered does not repeat the last request and no checkpoint says so: a fault of Tidemark. Only with `selfCheck` and `strict`. Code: `invariant`. */
export class InvariantError extends TidemarkError {
  constructor(path: string) {
    super(
      "invariant",
      `The request differs from the last one at ${path} without a checkpoint. Please report this with the session's snapshot.`,
      { path },
    );
  }
}

/** A strategy of this session asked the session itself for a request: it would wait for itself. Give the summariser a client, or a session, of its own. Code: `session-waits-for-itself`. */
export class SessionWaitsError extends TidemarkError {
  constructor() {
    super("session-waits-for-itself", "A summariser asked its own session for a request. Give it a client or a session of its own.");
  }
}
