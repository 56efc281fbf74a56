import type { Session } from "@tidemark/core";
import type { CacheAccount } from "../src/simulator/simulated-request.ts";
import { SoakFailure } from "./failure.ts";
import { givenChain, isPrefix, onlyThinks } from "./plain-model.ts";
import type { Window } from "./window.ts";

/** A settled request, and what the provider's cache did with it by the simulator's own account. */
export type SettledAccount = {
  readonly session: Session;
  readonly window: Window;
  readonly cache: CacheAccount | undefined;
};

export type Settling = {
  readonly session: Session | undefined;
  readonly window: Window;
  readonly cache: CacheAccount | undefined;
  readonly before: SettledAccount | undefined;
  /** Whether no other request was prepared since. */
  readonly isLast: boolean;
};

/** Providers count in blocks; a read may fall short by one. */
const blockTokens = 128;

/**
 * The verdict of a session that just settled agrees with the provider's own account (rule 28): reads are as the provider says, the prompt is not blamed for what it did not do,
 * and a miss is not called healthy. @throws {SoakFailure}
 */
export function accountOf({ session, window, cache, before, isLast }: Settling): SettledAccount | undefined {
  if (session === undefined) return undefined;
  const account: SettledAccount = { session, window, cache };
  if (!isLast || before === undefined || before.session !== session || cache === undefined) return account;
  const { verdict, readTokens, evidence } = session.explain();
  const isBroken = window.breaks > before.window.breaks;
  const facts = [`read ${cache.read}, written ${cache.written} of ${cache.prompt}`, ...evidence];
  if (readTokens !== undefined && readTokens !== cache.read)
    throw new SoakFailure("misread cache", `explain() says that ${readTokens} tokens were read (rule 28)`, facts);
  if (verdict === "prompt" && !isBroken)
    throw new SoakFailure("prompt blamed", "explain() says that the prompt changed, and no checkpoint was reported (rule 28)", facts);
  const offered = (before.cache?.read ?? 0) + (before.cache?.written ?? 0);
  if (verdict === "healthy" && !isBroken && goesOnFrom(before.window, window) && cache.read < offered - blockTokens)
    throw new SoakFailure("miss called healthy", `${offered} tokens were cached, and explain() says healthy (rule 28)`, facts);
  return account;
}

/** Whether the reply of a window stands behind it in another one. */
function goesOnFrom({ given, fate }: Window, now: Window): boolean {
  const reply = givenChain([{ role: "assistant", content: fate.reply ?? [] }]);
  return reply.some((text) => text !== onlyThinks) && isPrefix([...given.chain, ...reply], now.given.chain);
}
