import { type Checkpoint, OptionError, type Profile } from "@tidemark/core";
import type { ContextOptions, SentRequest } from "@tidemark/core/fetch";
import type { PromptLanding } from "./landing.ts";

export type TidemarkOptions = Pick<ContextOptions, "sessions" | "sessionsMax"> & {
  /** Figures and abilities that the host knows better, by provider and model id: `anthropic.messages/claude-opus-5-5`. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
  /** A prompt stops repeating the one before. */
  readonly onCheckpoint?: ((checkpoint: Checkpoint, sent: SentRequest) => void) | undefined;
  /** A strategy brought the window down. The landing has the exact replacement, as model messages and as UI messages. */
  readonly onLanding?: ((landing: PromptLanding, sent: SentRequest) => void) | undefined;
};

/** `providerOptions: { tidemark: { sessionId } satisfies TidemarkProviderOptions }`: read by the middleware, never sent. */
export type TidemarkProviderOptions = {
  /** Any text that stays the same for the life of a conversation, and that no other conversation has. */
  readonly sessionId: string;
};

const checks: { readonly [name in keyof Required<TidemarkOptions>]: readonly [what: string, fits: (value: unknown) => boolean] } = {
  sessions: ["session options or a function that makes a session", (value) => typeof value === "function" || isPlain(value)],
  sessionsMax: ["a whole number of at least 1", (value) => Number.isInteger(value) && (value as number) >= 1],
  profiles: ["figures by model", isPlain],
  onCheckpoint: ["a function", (value) => typeof value === "function"],
  onLanding: ["a function", (value) => typeof value === "function"],
};

/** @throws {OptionError} naming the first wrong option by its path. */
export function checkTidemarkOptions(options: TidemarkOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof typeof checks] : undefined;
    if (check === undefined) throw new OptionError(`$.${name}`, "there is no such option; those of sessions stand in sessions");
    if (value !== undefined && !check[1](value)) throw new OptionError(`$.${name}`, `expected ${check[0]}`);
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
