import { createSession, type ObjectValue, type Session, type Wire } from "@tidemark/core";
import { expect } from "vitest";
import { type Chance, chanceOf } from "../../src/simulator/chance.ts";
import type { CacheAccount } from "../../src/simulator/simulated-request.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";

/** A host on one wire, with the provider's own SDK between it and the simulator. */
export type SdkHost = {
  readonly wire: Wire;
  readonly simulator: Simulator;
  /** A whole request around the history. */
  request(history: readonly object[]): object;
  /** Sends a prepared request through the SDK, whole or streamed, and gives the reply that `settle` takes. */
  send(request: object, streamed: boolean): Promise<object>;
  user(text: string, chance: Chance): object;
  results(results: readonly { readonly id: string; readonly name: string; readonly text: string }[]): readonly object[];
  /** Tokens of a request's prompt that the next one must read when it only appends: up to the last full block. */
  readable(account: CacheAccount): number;
};

/** A seeded session of so many requests: words, calls, results, reasoning, every other reply streamed. Asserts rule 1 and what the provider said of each request. */
export async function playTurns(
  host: SdkHost,
  seed: string,
  { requests = 100, strict = true }: { readonly requests?: number; readonly strict?: boolean } = {},
): Promise<{ readonly session: Session; readonly calls: number }> {
  const { wire, simulator } = host;
  const chance = chanceOf(seed);
  const session = createSession({ wire, strict, selfCheck: true });
  const history: object[] = [];
  let open: readonly { readonly id: string; readonly name: string }[] = [];
  let calls = 0;
  for (let number = 0; number < requests; number++) {
    if (open.length > 0) history.push(...host.results(open.map((call) => ({ ...call, text: `${call.name} said ${chance.token(40)}.` }))));
    else history.push(host.user(`Question ${number}: ${chance.token(60)}?`, chance));
    const turn = await session.prepare(host.request(structuredClone(history)));
    expect(turn.continuity.checkpoints).toEqual([]);
    const reply = await host.send(turn.request, number % 2 === 1);
    expect(turn.settle(reply).recorded).toBe(true);
    const { messages } = wire.readReply(reply);
    history.push(...structuredClone(messages));
    open = messages.flatMap((message) => wire.read(message as ObjectValue).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])));
    calls += open.length;
  }
  expect(simulator.requests.map(({ status, refusal }) => refusal ?? status)).toEqual(Array.from({ length: requests }, () => 200));
  expect(simulator.requests.filter(({ truncated }) => truncated > 0)).toEqual([]);
  for (const [index, { cache }] of simulator.requests.entries()) {
    const before = simulator.requests[index - 1]?.cache;
    if (before !== undefined) expect(cache?.read, `request ${index}`).toBeGreaterThanOrEqual(host.readable(before));
  }
  return { session, calls };
}
