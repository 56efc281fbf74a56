import { describe, expect, test } from "vitest";
import { anthropicSpeaker, thinking } from "../../test/speakers.ts";
import { visibleKey } from "../wire/reply-envelope.ts";
import type { Wire } from "../wire/wire.ts";
import { type HistoryExtras, HostHistory } from "./host-history.ts";

const wire = anthropicSpeaker.wire as unknown as Wire;
const text = (words: string) => ({ type: "text", text: words });
const marked = { role: "user", content: [{ ...text("one"), cache_control: { type: "ephemeral" } }] };
const empty = { role: "assistant", content: [] };
const reply = { role: "assistant", content: [text("1")] };
const messages = [marked, empty, reply, empty, marked, marked];

const historyOf = (extras: HistoryExtras = {}, list: readonly unknown[] = messages, ignore: readonly string[] = []): HostHistory =>
  new HostHistory(wire, list, 1, ignore, extras);

describe("a host's history", () => {
  test("is read as runs of one side, to which messages that bear nothing belong", () => {
    const history = historyOf();
    expect(messages.map((_, at) => history.side(at))).toEqual(["other", "empty", "assistant", "empty", "other", "other"]);
    expect([
      history.runEnd(0, "other"),
      history.runEnd(2, "assistant"),
      history.runEnd(4, "other"),
      history.runEnd(0, "assistant"),
    ]).toEqual([2, 4, 6, 0]);
    expect([0, 1, 3, 5, 6].map((at) => history.nextFilled(at))).toEqual([0, 2, 4, 5, 6]);
    expect(historyOf({}, [empty]).nextFilled(0)).toBe(1);
  });

  test("knows of each unit which message it came from", () => {
    const two = { role: "user", content: [text("a"), text("b")] };
    const history = historyOf({}, [two, empty, marked]);
    expect(history.unitsOf(0, 3).map(({ message, index }) => [message, index])).toEqual([
      [0, 0],
      [0, 1],
      [2, 0],
    ]);
    expect(history.readUnits(0, 3)).toEqual(history.unitsOf(0, 3).map(({ unit }) => unit));
    expect(history.readUnits(0, 1)).toBe(history.at(0).reading.units);
    expect(history.readUnits(1, 1)).toEqual([]);
  });

  test("is private copies, unless it was made of such (rule 3)", () => {
    const history = historyOf();
    expect(history.at(0).copy).toEqual(marked);
    expect(history.at(0).copy).not.toBe(marked);
    expect(history.at(0)).toBe(history.at(0));
    expect(historyOf({ copies: true }).at(0).copy).toBe(marked);
  });

  test("has no cache marks in what the session owns", () => {
    const history = historyOf({ owned: 1 });
    expect(history.at(0).reading.marks).toEqual([]);
    expect(history.at(4).reading.marks).toHaveLength(1);
    expect(history.from(4).at(0).reading.marks).toHaveLength(1);
    expect(historyOf({ owned: 5 }).from(4).at(0).reading.marks).toEqual([]);
    expect(historyOf({ owned: 5 }).from(4).at(1).reading.marks).toHaveLength(1);
  });

  test("from a position on is the same history, in every respect", () => {
    const rest = historyOf({ copies: true, tail: true }, messages, ["id"]).from(2);
    expect(rest).toMatchObject({ length: 4, lead: 3, tail: true, ignore: ["id"] });
    expect(rest.at(0).copy).toBe(reply);
    expect(historyOf()).toMatchObject({ tail: false, made: undefined });
  });

  test("tells a message that is the same to the order of its keys, and remembers only what was", () => {
    const history = historyOf();
    const backwards = { content: reply.content, role: "assistant" };
    expect(history.repeats(2, reply)).toBe(true);
    expect(history.repeats(2, reply)).toBe(true);
    expect(history.repeats(0, reply)).toBe(false);
    expect(history.repeats(2, backwards)).toBe(false);
    expect(history.repeats(2, backwards)).toBe(false);
    expect(history.repeats(2, structuredClone(reply))).toBe(true);
  });

  test("lacks the members that the host asked to ignore, in messages alone", () => {
    const dated = { ...marked, createdAt: 1 };
    const history = historyOf({}, [dated, marked, "no object"], ["createdAt", "id"]);
    expect(history.given(0)).toEqual(marked);
    expect(history.given(1)).toBe(marked);
    expect(history.given(2)).toBe("no object");
    expect(historyOf({}, [null], ["createdAt"]).given(0)).toBeNull();
    expect(history.repeats(0, marked)).toBe(true);
    expect(historyOf({}, [dated]).given(0)).toBe(dated);
  });
});

describe("a message that is none is refused with its place in the request", () => {
  test.each([
    ["hello", "$.messages[2]", "must be an object"],
    [["hello"], "$.messages[2]", "must be an object"],
    [{ role: "user", content: [7] }, "$.messages[2].content[0]", ""],
    [{ role: "user", content: "x", at: () => 1 }, "$.messages[2].at", ""],
  ])("%o at %s", (message, path, words) => {
    const history = historyOf({}, [marked, message]);
    expect(() => history.at(1)).toThrow(expect.objectContaining({ path, message: expect.stringContaining(words) }));
  });
});

describe("a reply with an envelope (rule 56)", () => {
  const native = [{ type: "thinking", thinking: "hm", signature: "c2ln" }, text("1")];
  const units = wire.read({ role: "assistant", content: native }).units;
  const envelopes = new Map([[visibleKey(units), units]]);

  test("is read as the provider made it, where the store kept its visible blocks", () => {
    const history = historyOf({ envelopes }, [reply]);
    expect(history.at(0).reading.units).toBe(units);
    expect(history.at(0).copy).toEqual(reply);
    expect(historyOf({ envelopes }, [marked, reply]).from(1).at(0).reading.units).toBe(units);
  });

  test.each([
    ["what the user said", { role: "user", content: [text("1")] }],
    ["a reply that has its reasoning", { role: "assistant", content: [thinking("other"), text("1")] }],
    ["another reply", { role: "assistant", content: [text("2")] }],
  ])("is not taken for %s", (_which, message) => {
    expect(historyOf({ envelopes }, [message]).at(0).reading.units).not.toBe(units);
  });
});
