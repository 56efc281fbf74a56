import { describe, expect, test } from "vitest";
import { TidemarkError } from "../src/index.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import { type Case, type Expectation, readCases, type SentTest } from "./case-files.ts";
import { overflowOptions } from "./case-overflow.ts";
import { type Feeding, messagesOf, type Played, playCase } from "./case-player.ts";

const cases = readCases();
const overflowing = cases.filter((given) => (given.options?.overflow ?? given.options?.window) !== undefined);
const played = cases.filter((given) => !overflowing.includes(given));

/** What the notes of a case ask for beyond one session in a row. */
const feedings: Readonly<Record<string, Feeding>> = {
  "session-fork-head": { forkFor: [2, 3] },
  "bytes-store-round-trip": { restartBefore: [7] },
};

describe.each(["automatic", "planned", "off"] as const)("with cache marks %s, a session is right about", (cache) => {
  test.each(played)("$id: $title", async (given) => {
    const results = await playCase(given, { cache }, feedings[given.id]);
    expect(results).toHaveLength(given.session.length);
    for (const [index, result] of results.entries()) {
      const before = results
        .slice(0, index)
        .findLast((other, at) => other.turn !== undefined && !feedings[given.id]?.forkFor?.includes(at));
      check(given, index, result, before);
    }
  });
});

describe("with a restart before each request (rule 48), a session is right about", () => {
  test.each(played.filter(({ id }) => feedings[id]?.forkFor === undefined))("$id: $title", async (given) => {
    const results = await playCase(given, {}, { restartBefore: given.requests.map((_, index) => index) });
    // A snapshot does not say in which representation a message was given, so that repairs cannot be counted.
    const session = given.session.map(({ repairs: _, ...expected }) => expected);
    for (const [index, result] of results.entries()) {
      const before = results.slice(0, index).findLast(({ turn }) => turn !== undefined);
      check({ ...given, session }, index, result, before);
    }
  });
});

test("a session does not know of what its forks prepared (session-fork-head, rule 47)", async () => {
  const given = played.find(({ id }) => id === "session-fork-head") as Case;
  const [, , forked, headed] = given.requests;
  const requests = [...given.requests.slice(0, 2), headed, forked, forked] as Case["requests"];
  const [, , , byFork, byParent] = await playCase({ ...given, requests }, {}, { forkFor: [2, 3] });
  expect(byParent?.turn?.continuity.checkpoints).toEqual([]);
  expect(JSON.stringify(byParent?.sent)).toBe(JSON.stringify(byFork?.sent));
});

describe("with an overflow strategy, a session is right about", () => {
  test.each(overflowing)("$id: $title", async (given) => {
    const results = await playCase(given, overflowOptions(given));
    for (const [index, result] of results.entries()) {
      const before = results.slice(0, index).findLast(({ turn }) => turn !== undefined);
      check(given, index, result, before);
    }
  });
});

function check(given: Case, index: number, result: Played, before: Played | undefined): void {
  const wanted = given.session[index] as Expectation;
  const named = `request ${index}`;
  if (wanted.error !== undefined) {
    checkError(wanted.error, result, named);
    return;
  }
  expect(result.error, named).toBeUndefined();
  expect(result.refusal, `${named}, strict simulator`).toBeUndefined();
  const checkpoints = result.turn?.continuity.checkpoints ?? [];
  expect(checkpoints.length === 0, `${named}: ${JSON.stringify(checkpoints)}`).toBe(wanted.stable);
  if (wanted.reason !== undefined) expect(checkpoints[0]?.reason, named).toBe(wanted.reason);
  if (wanted.at !== undefined) expect(checkpoints[0]?.at, named).toBe(wanted.at);
  if (wanted.repairs !== undefined) expect(result.turn?.repairs.equivalent, named).toBe(wanted.repairs);
  for (const sent of wanted.sent ?? []) checkSent(sent, result.sent as ObjectValue, named);
  if (checkpoints.length === 0 && before !== undefined) checkRepeated(before, result, named);
  const { tokens } = given;
  if (tokens === undefined || (tokens.request ?? 0) !== index) return;
  expect(result.turn?.budget.tokens, named).toBeGreaterThanOrEqual(tokens.min);
  expect(result.turn?.budget.tokens, named).toBeLessThanOrEqual(tokens.max);
}

/** The error is typed, in words of its own, and names the place that the case names in brackets; the session is as before. */
function checkError(words: string, { error, before, after }: Played, named: string): void {
  expect(error, named).toBeInstanceOf(TidemarkError);
  const { path, message } = error as TidemarkError;
  const place = /\((.+)\)$/.exec(words)?.[1];
  if (place !== undefined) expect(path, named).toBe(`$.${place}`);
  expect(message.length, named).toBeGreaterThan(20);
  expect(after, named).toEqual(before);
}

function checkSent({ path, equals, contains, notContains, absent }: SentTest, sent: ObjectValue, named: string): void {
  const found = valueAt(sent, path);
  const where = `${named}: ${path}`;
  if (absent === true) expect(found, where).toBeUndefined();
  if (equals !== undefined) expect(asOneText(found, equals), where).toEqual(equals);
  if (contains !== undefined) expect(found === undefined ? "" : textOf(found), where).toContain(contains);
  if (notContains !== undefined) expect(found === undefined ? "" : textOf(found), where).not.toContain(notContains);
}

/** Rule 1, whatever the case is about: without a report, everything that was sent stands there again, byte for byte. */
function checkRepeated(before: Played, now: Played, named: string): void {
  const [last, next] = [before.sent as ObjectValue, now.sent as ObjectValue];
  for (const part of ["system", "systemInstruction", "instructions", "tools"])
    expect(JSON.stringify(next[part]), `${named}: ${part}`).toBe(JSON.stringify(last[part]));
  const sent = messagesOf(last);
  const again = messagesOf(next).slice(0, sent.length);
  expect(
    again.map((message) => JSON.stringify(message)),
    `${named}: messages`,
  ).toEqual(sent.map((message) => JSON.stringify(message)));
}

/** `$.messages[1].content[0].text` */
function valueAt(root: Value, path: string): Value | undefined {
  let at: Value | undefined = root;
  for (const [, name, position] of path.matchAll(/\.([\w-]+)|\[(\d+)\]/g)) {
    if (name !== undefined) at = isObject(at) ? at[name] : undefined;
    else at = isArray(at) ? at[Number(position)] : undefined;
  }
  return at;
}

const textTypes: readonly Value[] = ["text", "input_text", "output_text"];

/** A string is equal to one text block of the same text, and the other way round. */
function asOneText(found: Value | undefined, wanted: Value): Value | undefined {
  const block = isArray(found) && found.length === 1 ? found[0] : found;
  return typeof wanted === "string" && isObject(block) && textTypes.includes(block.type ?? null) ? block.text : found;
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
