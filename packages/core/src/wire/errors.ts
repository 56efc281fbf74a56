import { TidemarkError } from "../json/error.ts";

/** An option is wrong; `path` names it: `$.budget.context`. Code: `invalid-option`. */
export class OptionError extends TidemarkError {
  constructor(path: string, problem: string) {
    super("invalid-option", `${path}: ${problem}.`, { path });
  }
}

/** The request is not one of this wire: a part is missing or has the wrong type. `path` names it. Code: `invalid-request`. */
export class InvalidRequestError extends TidemarkError {
  constructor(path: string, problem: string) {
    super("invalid-request", `${path}: ${problem}.`, { path });
  }
}

/** A message is not one of this wire: a part is missing or has the wrong type. `path` starts at the message. Code: `invalid-message`. */
export class InvalidMessageError extends TidemarkError {
  /** What is wrong, without the place. */
  readonly problem: string;

  constructor(path: string, problem: string) {
    super("invalid-message", `${path}: ${problem}.`, { path });
    this.problem = problem;
  }
}

/** What `settle` was given is no reply of this wire. Code: `invalid-reply`. */
export class InvalidReplyError extends TidemarkError {
  constructor(path: string, problem: string, cause?: unknown) {
    super(
      "invalid-reply",
      `${path}: ${problem}. Give settle the object that the provider answered with, or what the chunks of a stream add up to.`,
      { path, cause },
    );
  }
}
