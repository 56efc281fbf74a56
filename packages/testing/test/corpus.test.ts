import { TidemarkError } from "@tidemark/core";
import { afterAll, describe, expect, test } from "vitest";
import { playRecording } from "./play-recording.ts";
import { type Conversation, folder, isPresent, readConversations } from "./recordings.ts";

if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to play them. Skipped.`);
const { conversations, otherFormats } = isPresent ? readConversations() : { conversations: [], otherFormats: [] };

/** Sessions that may be refused, of all that are played. */
const refusedMax = 5;
const refused: { readonly id: string; readonly reason: string }[] = [];
const played = new Map<string, number>();

describe.runIf(isPresent)("recorded sessions, message by message through a session and a strict provider", () => {
  test.each(conversations)("$id continues from request to request ($format)", async (conversation) => {
    const result = await playRecording(conversation).catch((error: unknown) => noteRefusal(conversation, error));
    if (result === undefined) return;
    expect(result.faults).toEqual([]);
    expect(result.requests).toBeGreaterThan(0);
    played.set(conversation.format, (played.get(conversation.format) ?? 0) + result.requests);
  });

  test(`at most ${refusedMax} are refused`, () => {
    expect(refused.length, JSON.stringify(refused)).toBeLessThanOrEqual(refusedMax);
  });

  afterAll(() => {
    const counts = [...played].map(([format, requests]) => `${format} ${requests}`).join(", ");
    console.info(`Requests prepared and taken, by format: ${counts}. Formats of other wires, not played: ${otherFormats.join(", ")}.`);
    for (const { id, reason } of refused) console.info(`Refused: ${id}: ${reason}`);
  });
});

/** A refusal has a type and names the place; anything else is a fault of the test's. */
function noteRefusal({ id }: Conversation, error: unknown): undefined {
  if (!(error instanceof TidemarkError)) throw error;
  expect(error.path, `${error.code}: ${error.message}`).toBeDefined();
  refused.push({ id, reason: `${error.code}: ${error.message}` });
}
