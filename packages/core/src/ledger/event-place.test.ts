import { describe, expect, test } from "vitest";
import { type Entry, makeEntry } from "./entry.ts";
import { eventPlace } from "./event-place.ts";

/** A window in short: `u` user, `a` assistant, `s` system, `-` a message that is not sent. */
function windowOf(roles: string): readonly Entry[] {
  const named = { u: "user", a: "assistant", s: "system", "-": "assistant" } as const;
  return [...roles].map((role, id) =>
    makeEntry(id, {
      kind: "host",
      role: named[role as keyof typeof named],
      given: [],
      sent: role === "-" ? null : Object.freeze({ role }),
    }),
  );
}

describe("events stand (rule 18)", () => {
  test.each([
    ["u", 1],
    ["uau", 3],
    ["uauu", 4],
  ])("behind a history that ends in a user turn: %s at %i", (roles, place) => {
    expect(eventPlace(windowOf(roles))).toBe(place);
  });

  test.each([
    ["us", 1],
    ["uaus", 3],
    ["uauss", 3],
  ])("before the run of system messages that the history ends in: %s at %i", (roles, place) => {
    expect(eventPlace(windowOf(roles))).toBe(place);
  });

  test.each(["", "a", "ua", "uas", "s"])(
    "nowhere behind a reply, a system message at the front, or nothing: the sources wait (%j)",
    (roles) => {
      expect(eventPlace(windowOf(roles))).toBeUndefined();
    },
  );

  test("as if what is not sent were not there", () => {
    expect(eventPlace(windowOf("uau-"))).toBe(4);
    expect(eventPlace(windowOf("uau-s"))).toBe(3);
    expect(eventPlace(windowOf("ua-"))).toBeUndefined();
  });
});
