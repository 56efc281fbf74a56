import { describe, expect, test } from "vitest";
import { processorTimeOf } from "../../test/growth.ts";
import { anthropicSpeaker, call, type Message, result, text, thinking } from "../../test/speakers.ts";
import { openSession } from "./open-session.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SessionStore } from "./store.ts";

/** A store that costs nothing: it keeps the snapshot itself. */
function costless(): SessionStore & { readonly last: () => Snapshot } {
  let last: Snapshot | undefined;
  let saves = 0;
  return {
    load: async () => (last === undefined ? undefined : { snapshot: last, version: `${saves}` }),
    save: async (_key, snapshot) => {
      last = snapshot;
      saves += 1;
      return `${saves}`;
    },
    delete: async () => {},
    last: () => last as Snapshot,
  };
}

const words = "the request goes out again as it was sent ".repeat(25);
const key = { namespace: "one", session: "s" };

/** Rounds of a call and its result, and then what so many turns more cost, each of a prepare and a settle that are saved. */
async function costOfTurns(rounds: number, turns: number): Promise<number> {
  const session = await openSession({ store: costless(), key, wire: anthropicSpeaker.wire, history: "new", cache: "off" });
  const request = (...messages: readonly Message[]) => ({ model: "claude-opus-5-5", max_tokens: 100, messages });
  const history: Message[] = [anthropicSpeaker.user("go")];
  for (let round = 0; round < rounds; round++)
    history.push(
      { role: "assistant", content: [text(`${round} ${words}`), call(`c${round}`, "ls", { path: words, round })] },
      { role: "user", content: [result(`c${round}`, `${round} ${words}`)] },
    );
  await session.prepare(request(...history));
  const goOn = async (turn: number): Promise<void> => {
    session.settle(anthropicSpeaker.replied({ role: "assistant", content: [thinking(`${turn}`), text(words)] }));
    await session.prepare(request(anthropicSpeaker.user(`next ${turn} ${words}`)));
  };
  // The first reply's report makes the session count all that it covers, once.
  await goOn(0);
  return processorTimeOf(async () => {
    for (let turn = 1; turn <= turns; turn++) await goOn(turn);
  });
}

describe("a session with a store (rule 49)", () => {
  test("saves at a cost in proportion to what is new: with ten times the history a turn does not cost four times as much", async () => {
    const least = async (rounds: number): Promise<number> =>
      Math.min(await costOfTurns(rounds, 12), await costOfTurns(rounds, 12), await costOfTurns(rounds, 12));
    await least(50);
    // What a turn adds costs less than a look at each of three thousand messages; a save of them all would cost ten times as much.
    const [few, many] = [await least(150), await least(1_500)];
    expect(many / few, `${few.toFixed(1)} ms became ${many.toFixed(1)} ms`).toBeLessThan(4);
  });

  test("hands out snapshots that share what has not changed, frozen, and that a store reads back", async () => {
    const store = costless();
    const session = await openSession({ store, key, wire: anthropicSpeaker.wire });
    const history: Message[] = [anthropicSpeaker.user("one")];
    const turn = await session.prepare({ model: "claude-opus-5-5", max_tokens: 100, messages: history });
    const first = store.last();
    turn.settle(anthropicSpeaker.replied({ role: "assistant", content: [text("1")] }));
    history.push({ role: "assistant", content: [text("1")] }, anthropicSpeaker.user("two"));
    await session.prepare({ model: "claude-opus-5-5", max_tokens: 100, messages: history });
    const second = store.last();
    expect(second.ledger.entries[0]).toBe(first.ledger.entries[0]);
    expect(Object.isFrozen(second.ledger.entries[0])).toBe(true);
    expect(second.sum).not.toBe(first.sum);
    const again = await openSession({ store, key, wire: anthropicSpeaker.wire });
    expect(again.snapshot().ledger.entries).toEqual(second.ledger.entries);
  });
});
