import { isDeepStrictEqual } from "node:util";
import { createSession, type Session, TidemarkError } from "@tidemark/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Side } from "../../soak/sides/side.ts";
import { type Exchange, exchanges, sides } from "./conversation.ts";
import { anyMutations, mutated } from "./mutations.ts";

const numRuns = 60;

/** Whatever it is, it is an error of Tidemark's, and in time. */
async function outcomeOf(act: () => unknown): Promise<"done" | "refused"> {
  const began = performance.now();
  try {
    await act();
    return "done";
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
    expect(error.code).toMatch(/^[a-z-]+$/);
    return "refused";
  } finally {
    // Milliseconds; a busy machine is given much, a search without an end is seen all the same.
    expect(performance.now() - began).toBeLessThan(5_000);
  }
}

async function started(side: Side, [first]: readonly Exchange[]): Promise<Session> {
  const session = createSession({ wire: side.wire, strict: side.doubted === undefined, selfCheck: true });
  const turn = await session.prepare((first as Exchange).request);
  turn.settle((first as Exchange).reply);
  return session;
}

describe.each(sides.map((side) => [side.name, side] as const))("%s", (_, side) => {
  test("a request changed anywhere is prepared or refused by name; the host's objects and a refused session stay as they were (rules 3, 46)", async () => {
    const talk = await exchanges(side);
    const whole = (talk[1] as Exchange).request;
    await fc.assert(
      fc.asyncProperty(anyMutations, async (mutations) => {
        const session = await started(side, talk);
        const before = JSON.stringify(session.snapshot());
        const [given, kept] = [mutated(whole, mutations), mutated(whole, mutations)];
        const outcome = await outcomeOf(() => session.prepare(given));
        expect(isDeepStrictEqual(textsOf(given), textsOf(kept))).toBe(true);
        if (outcome === "refused") {
          expect(JSON.stringify(session.snapshot())).toBe(before);
          const turn = await session.prepare(structuredClone(whole));
          expect(turn.continuity.checkpoints).toEqual([]);
        }
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      }),
      { numRuns },
    );
  });

  test("a reply changed anywhere is settled or refused by name, and a refused one changes nothing (rule 46)", async () => {
    const talk = await exchanges(side);
    const [first, second] = talk as [Exchange, Exchange];
    await fc.assert(
      fc.asyncProperty(anyMutations, async (mutations) => {
        const session = createSession({ wire: side.wire, strict: side.doubted === undefined });
        const turn = await session.prepare(structuredClone(first.request));
        const before = JSON.stringify(session.snapshot());
        const outcome = await outcomeOf(() => turn.settle(mutated(first.reply, mutations)));
        if (outcome === "refused") {
          expect(JSON.stringify(session.snapshot())).toBe(before);
          turn.settle(structuredClone(first.reply));
        }
        await outcomeOf(() => session.prepare(structuredClone(second.request)));
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      }),
      { numRuns },
    );
  });
});

/** Functions and symbols are not equal to their like: told by their texts. */
function textsOf(value: unknown, depth = 0): unknown {
  if (typeof value === "function" || typeof value === "symbol") return String(value);
  if (typeof value !== "object" || value === null || depth > 30) return value;
  if (Array.isArray(value)) return value.map((item) => textsOf(item, depth + 1));
  return Object.getPrototypeOf(value) === Object.prototype
    ? Object.entries(value).map(([name, member]) => [name, textsOf(member, depth + 1)])
    : String(value);
}
