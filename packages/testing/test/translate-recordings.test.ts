import { createSession, type ObjectValue, TidemarkError, translateHistory, type Wire } from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { everyWire } from "../../core/test/every-wire.ts";
import { folder, isPresent, readConversations } from "./recordings.ts";

if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to translate them. Skipped.`);
const { conversations } = isPresent ? readConversations() : { conversations: [] };

/** How often each kind of thing stands in a history, and all its words but those of reasoning. */
function account(
  messages: readonly ObjectValue[],
  wire: Wire,
): { readonly calls: number; readonly results: number; readonly words: string } {
  const units = messages.flatMap((message) => wire.read(message).units);
  const count = (kind: string): number => units.filter((unit) => unit.kind === kind).length;
  return {
    calls: count("call"),
    results: count("result"),
    words: units.flatMap((unit) => (unit.kind === "text" ? unit.text.trim() : [])).join("\n"),
  };
}

describe.runIf(isPresent)("recorded sessions that go on with another provider", () => {
  for (const to of everyWire) {
    test(`say the same on ${to.wire.name}, and its rules pass`, { timeout: 300_000 }, async () => {
      let taken = 0;
      for (const { id, wire, head, messages, ignore } of conversations) {
        const from = everyWire.find((known) => known.wire.name === wire)?.wire as Wire;
        if (from.name === to.wire.name) continue;
        // As they are sent: pairs and roles of a recording are put right before they go anywhere else.
        const sent = await createSession({ wire: from, ignore })
          .prepare({ ...head, messages: [...messages, { role: "user", content: "And now?" }] })
          .catch(() => undefined);
        if (sent === undefined) continue;
        const history = from.open(sent.request).messages as readonly ObjectValue[];
        const before = account(history, from);
        const translated = translateHistory(history, { from, to: to.wire });
        const after = account(translated, to.wire);
        expect({ ...after, words: "" }, id).toEqual({ ...before, words: "" });
        for (const line of before.words.split("\n").slice(0, 200)) expect(after.words.includes(line.trim()), `${id}: ${line}`).toBe(true);
        const names = new Set(
          translated.flatMap((message) => to.wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? unit.name : []))),
        );
        await createSession({ wire: to.wire, strict: true })
          .prepare(to.request(translated, [...names]))
          .catch((error: unknown) => {
            throw error instanceof TidemarkError ? new Error(`${id}: ${error.code}: ${error.message}`) : error;
          });
        taken += 1;
      }
      expect(taken).toBeGreaterThan(25);
    });
  }
});
