import { isArray, isObject } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, isReply, makeEntry } from "./entry.ts";
import { fill, type Wordings } from "./wordings.ts";

/** The open loop at the end of a window: where its last row of replies with calls starts, or undefined when none is open. */
export function openRow(entries: readonly Entry[]): { readonly from: number; readonly to: number } | undefined {
  const to = entries.findLastIndex(isReply) + 1;
  if (to === 0 || !entries.slice(to).some((entry) => entry.sent !== null)) return undefined;
  const from = rowStart(entries, to);
  for (let at = from; at < to; at++) if ((entries[at] as Entry).calls.length > 0) return { from, to };
  return undefined;
}

function rowStart(entries: readonly Entry[], to: number): number {
  let from = to;
  while (entries[from - 1]?.role === "assistant" || entries[from - 1]?.empty === true) from -= 1;
  while (from < to && entries[from]?.empty === true) from += 1;
  return from;
}

/**
 * Rule 62 (c): from the first row on that lacks its reasoning, or may lack it, calls and results become text of one user message; pictures in results stay pictures. Rows further up that
 * have their reasoning, or are known to have had none, stay as they are.
 */
export function foldLoop(
  wire: Wire,
  entries: readonly Entry[],
  lacks: (entry: Entry) => boolean,
  wordings: Wordings,
  id: number,
): readonly Entry[] {
  let row = openRow(entries);
  if (row === undefined) return entries;
  let from = row.from;
  for (;;) {
    row = openRow(entries.slice(0, from));
    if (row === undefined || !entries.slice(row.from, row.to).some(lacks)) break;
    from = row.from;
  }
  from = beforeSystemRun(entries, from);
  return [...entries.slice(0, from), foldedEntry(wire, entries.slice(from), wordings, id)];
}

/** A user message may not stand behind a positional system message. Events there go, they are said anew; with the host's own system messages the fold takes the user turn along. */
function beforeSystemRun(entries: readonly Entry[], from: number): number {
  let start = from;
  while (entries[start - 1]?.sent === null || entries[start - 1]?.role === "system") start -= 1;
  const run = entries.slice(start, from).filter((entry) => entry.sent !== null);
  if (run.length === 0) return from;
  return run.every((entry) => entry.kind === "event") ? start : turnStart(entries, start);
}

/** Where the user turn begins that ends here. */
function turnStart(entries: readonly Entry[], end: number): number {
  let start = end;
  while (start > 0 && entries[start - 1]?.role !== "assistant") start -= 1;
  return start;
}

/** The user's own words stay units of their own, in their place: what is a call or a result is told from them by how its text begins. */
function foldedEntry(wire: Wire, entries: readonly Entry[], wordings: Wordings, id: number): Entry {
  const units: Unit[] = [];
  let steps: string[] = [];
  let media: Unit[] = [];
  const flush = (): void => {
    if (steps.length > 0) units.push(...wire.read(wire.say("user", fill(wordings.foldedLoop, { steps: steps.join("\n") }))).units);
    units.push(...media);
    [steps, media] = [[], []];
  };
  for (const entry of entries) {
    if (entry.sent === null || entry.kind === "event") continue;
    const { role, units: said } = wire.read(entry.sent);
    for (const unit of said) {
      if (unit.kind === "reasoning" || unit.kind === "fields") continue;
      if (role === "user" && unit.kind !== "result") {
        flush();
        units.push(unit);
        continue;
      }
      const text = wire.textOf(unit);
      steps.push(role === "system" ? fill(wordings.systemAsUser, { text }) : text);
      if (unit.kind === "result" && unit.text === undefined) media.push(...mediaIn(wire, unit));
    }
  }
  flush();
  return makeEntry(id, {
    kind: "host",
    role: "user",
    given: entries.flatMap((entry) => entry.given),
    sent: wire.compose("user", units),
    folded: true,
  });
}

/** Pictures among the parts of a result: a list in the block itself, or in the one member that the block is about. JSON that a tool put out is no list of parts. */
function mediaIn(wire: Wire, result: Unit): readonly Unit[] {
  return [result.block, ...Object.values(result.block)]
    .flatMap((holder) => (isObject(holder) && !/json$/.test(String(holder["type"])) ? Object.values(holder).filter(isArray) : []))
    .flatMap((content) => wire.read({ role: "user", content }).units)
    .filter((unit) => unit.kind === "media");
}
