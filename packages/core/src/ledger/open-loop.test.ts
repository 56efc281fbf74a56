import { describe, expect, test } from "vitest";
import { anthropicSpeaker } from "../../test/speakers.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, makeEntry } from "./entry.ts";
import { openRow } from "./fold-loop.ts";
import { HostHistory } from "./host-history.ts";
import { openLoop } from "./open-loop.ts";

const wire = anthropicSpeaker.wire as unknown as Wire;
const call = { type: "tool_use", id: "c", name: "read", input: {} };

/** A history in short: `u` what the user says or results, `a` a reply, `c` one with a call, `-` a reply that bears nothing. */
function historyOf(roles: string): HostHistory {
  const messages = {
    u: { role: "user", content: "go" },
    a: { role: "assistant", content: "so" },
    c: { role: "assistant", content: [call] },
    "-": { role: "assistant", content: [] },
  };
  const list = [...roles].map((role) => messages[role as keyof typeof messages]);
  return new HostHistory(wire, list, 0, []);
}

function windowOf(roles: string): readonly Entry[] {
  return [...roles].map((role, id) =>
    makeEntry(id, {
      ...{ kind: "host", role: role === "u" ? "user" : "assistant", given: [], empty: role === "-" },
      sent: role === "-" ? null : { role },
      calls: role === "c" ? [{ id: "c", sentId: "c", name: "read" }] : [],
    }),
  );
}

describe("a tool loop is open (rule 62)", () => {
  test.each([
    ["ucu", 1, 1, 2],
    ["ucucu", 1, 3, 4],
    ["uaucucu", 3, 5, 6],
    ["ucuaucu", 5, 5, 6],
    ["uacu", 1, 1, 3],
    ["ucau", 1, 1, 3],
    ["uc-u", 1, 1, 2],
    ["ucu-cu", 1, 3, 5],
    ["ucu-", 1, 1, 2],
    ["ucuu", 1, 1, 2],
    ["cu", 0, 0, 1],
  ])(
    "from its first row of replies with calls to the end, where its last one has calls, too: %s from %i, last row %i to %i",
    (roles, from, start, to) => {
      expect(openLoop(historyOf(roles))).toEqual({ from, row: { from: start, to } });
    },
  );

  test.each(["", "u", "uau", "uc", "ucua", "ucuau", "au"])("not where a reply without calls ends it, or nothing follows: %j", (roles) => {
    expect(openLoop(historyOf(roles))).toBeUndefined();
  });

  test.each([
    ["ucu", { from: 1, to: 2 }],
    ["ucucu", { from: 3, to: 4 }],
    ["uacau", { from: 1, to: 4 }],
    ["uc-u", { from: 1, to: 2 }],
    ["u-cu", { from: 2, to: 3 }],
    ["uc-cu", { from: 1, to: 4 }],
    ["ucuau", undefined],
    ["uau", undefined],
    ["uc", undefined],
    ["uc-", undefined],
    ["u", undefined],
    ["", undefined],
  ])("in a window whose last row of replies has calls and is followed by something: %s", (roles, row) => {
    expect(openRow(windowOf(roles))).toEqual(row);
  });
});
