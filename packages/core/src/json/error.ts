/**
 * Every error of Tidemark: a stable `code`, the place it is about, and a message that names the next step.
 * Nothing is sent and nothing is changed when one is thrown.
 */
export class TidemarkError extends Error {
  /** Stable, kebab-case; match on this and never on the message. */
  readonly code: string;
  /** JSON path of the place, such as `$.messages[3].content[0]`, where there is one. */
  readonly path: string | undefined;

  constructor(code: string, message: string, options: { path?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.path = options.path;
  }
}
