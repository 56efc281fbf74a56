import type { Value } from "../json/value.ts";
import type { ToolDefinition } from "../wire/wire.ts";

/** A tool of Tidemark's own: memory, recall. Its definition is static; the host hands it over with its own tools and has its calls run by `session.tools.call`. */
export interface OwnTool {
  readonly definition: ToolDefinition;
  /** Runs a call. What the model can correct comes back as an outcome; what it cannot (a store that is down) is thrown. */
  call(input: Value, context: ToolContext): Promise<ToolOutcome>;
}

export type ToolContext = {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Tokens that a result of this tool may have; undefined: any number. */
  readonly tokensMax: number | undefined;
  readonly count: (text: string) => number;
  /** Makes a text well-formed and redacts it, as at admission. */
  readonly clean: (text: string) => string;
};

export type ToolOutcome = {
  /** What the model is told. */
  readonly text: string;
  readonly isError: boolean;
  /** Keys of memory that the call wrote, with the digest of what it wrote; null: removed. */
  readonly writes?: readonly (readonly [key: string, digest: string | null])[];
  /** The model asks for a landing in the next request (rule 34). */
  readonly asksLanding?: true;
};

/** Something that the model can correct. */
export function mistake(text: string): ToolOutcome {
  return { text, isError: true };
}
