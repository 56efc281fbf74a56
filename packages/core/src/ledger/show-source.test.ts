import { describe, expect, test } from "vitest";
import { type Entry, makeEntry } from "./entry.ts";
import { showSource, sourceOf } from "./show-source.ts";

const message = { role: "user", content: "x" };
const plain = (id: number): Entry => makeEntry(id, { kind: "host", role: "user", given: [message], sent: message });
const standing = (id: number, landing: number, source: readonly Entry[], given: Entry["given"] = []): Entry =>
  makeEntry(id, { kind: "recap", role: "user", given, sent: message, landed: { landing, source, signed: false } });

const ids = (entries: readonly Entry[]): readonly number[] => entries.map(({ id }) => id);

describe("what a landing replaced (rule 7)", () => {
  const window = [plain(1), standing(4, 1, [plain(2), plain(3)]), standing(5, 1, []), standing(7, 2, [plain(6)]), plain(8)];

  test("shows again in the place of what stood for it, that of the others does not", () => {
    expect(ids(showSource(window, (landing) => landing === 1).entries)).toEqual([1, 2, 3, 7, 8]);
    expect(ids(showSource(window, (landing) => landing === 2).entries)).toEqual([1, 4, 5, 6, 8]);
    expect(ids(showSource(window, () => true).entries)).toEqual([1, 2, 3, 6, 8]);
  });

  test("ends where the first source that shows ends", () => {
    expect(showSource(window, () => true).to).toBe(3);
    expect(showSource(window, (landing) => landing === 2).to).toBe(4);
  });

  test("is not looked for where nothing is dropped: the window is the same", () => {
    expect(showSource(window, () => false)).toEqual({ entries: window, to: undefined });
    expect(showSource(window, () => false).entries).toBe(window);
  });

  test("is nothing where the host has taken the words over for its own", () => {
    const owned = [plain(1), standing(2, 1, [], [message]), plain(3)];
    expect(showSource(owned, () => true)).toEqual({ entries: owned, to: undefined });
  });

  test("no longer vouches for reasoning that was made behind what stood for it", () => {
    const origin = Object.freeze({ wire: "tiny", model: "opus", endpoint: undefined });
    const thinking = (id: number): Entry =>
      makeEntry(id, {
        ...{ kind: "host", role: "assistant", given: [message], sent: message },
        reasoning: { origin, vouched: true, lent: false },
      });
    const ids = { next: 10 };
    const nextId = (): number => ids.next++;
    const before = [thinking(1), standing(3, 1, [thinking(2)]), thinking(4)];
    expect(sourceOf(before, nextId).map(({ id, reasoning }) => [id, reasoning?.vouched])).toEqual([
      [1, true],
      [2, true],
      [10, false],
    ]);
    expect(sourceOf([thinking(1), thinking(4)], nextId).map(({ reasoning }) => reasoning?.vouched)).toEqual([true, true]);
  });
});
