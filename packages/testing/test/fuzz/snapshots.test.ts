import { createSession, restoreSession, type SessionOptions, TidemarkError } from "@tidemark/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Side } from "../../soak/sides/side.ts";
import { type Exchange, exchanges, sides } from "./conversation.ts";
import { anyMutations, mutated } from "./mutations.ts";

const numRuns = 60;

async function snapshotOf(side: Side, talk: readonly Exchange[]): Promise<{ readonly text: string; readonly options: SessionOptions }> {
  const options: SessionOptions = { wire: side.wire, strict: side.doubted === undefined };
  const session = createSession(options);
  for (const { request, reply } of talk) (await session.prepare(structuredClone(request))).settle(structuredClone(reply));
  return { text: JSON.stringify(session.snapshot()), options };
}

/** A session, or an error by name; and whatever came back prepares the next request or refuses it by name. */
async function triedWith(snapshot: unknown, options: SessionOptions, request: object): Promise<void> {
  try {
    const session = restoreSession(snapshot, options);
    await session.prepare(structuredClone(request));
    session.snapshot();
    session.explain();
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
  }
}

describe.each(
  sides
    .filter(({ name }) => ["anthropic", "responses openai", "gemini", "bedrock"].includes(name))
    .map((side) => [side.name, side] as const),
)("a snapshot of %s", (_, side) => {
  test("altered at any byte is restored or refused by name (rule 48)", async () => {
    const talk = await exchanges(side);
    const { text, options } = await snapshotOf(side, talk);
    const { request } = talk[1] as Exchange;
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom("0", "9", "x", '"', "]", "}", ",", "-", "\\", ""), async (at, byte) => {
        const snapshot = parsed(text.slice(0, at) + byte + text.slice(at + 1));
        if (snapshot !== undefined) await triedWith(snapshot, options, request);
      }),
      { numRuns: numRuns * 4 },
    );
  });

  test("with any of its values gone, doubled or of another kind is restored or refused by name", async () => {
    const talk = await exchanges(side);
    const { text, options } = await snapshotOf(side, talk);
    const { request } = talk[1] as Exchange;
    await fc.assert(
      fc.asyncProperty(anyMutations, (mutations) => triedWith(mutated(JSON.parse(text) as object, mutations), options, request)),
      { numRuns: numRuns * 2 },
    );
    expect(text.length).toBeGreaterThan(100);
  });

  test("that was cut is no snapshot, and what is left of its lists is refused by name", async () => {
    const talk = await exchanges(side);
    const { text, options } = await snapshotOf(side, talk);
    const { request } = talk[1] as Exchange;
    for (let at = 0; at < text.length; at += 97) await triedWith(text.slice(0, at), options, request);
  });
});

/** Undefined: no JSON any more, which a store tells. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
