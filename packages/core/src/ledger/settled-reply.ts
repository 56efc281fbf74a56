import { sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import { sameUnit, type Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { HostHistory, LocatedUnit } from "./host-history.ts";
import { expectUnits, matchRun } from "./run-match.ts";

/** A settled reply as a host hands it back. */
export type Echo = {
  /** Where it ends in the history. */
  readonly to: number;
  /** What goes out: the reply as it was made, and the members that the host put beside it. */
  readonly units: readonly Unit[];
  /** Ids of its calls as the host has them. Absent: as they were made. */
  readonly callIds?: readonly string[];
};

/**
 * Finds a settled reply at a position. Frameworks write replies anew: LangChain puts a name beside each, gives Ollama's calls ids of its own, drops those of Gemini's and
 * signs calls there that were not signed; the AI SDK fills in a schema's defaults. What was said and called tells a reply all the same. Undefined: something else stands there.
 */
export function echoOf(wire: Wire, reply: readonly ObjectValue[], history: HostHistory, from: number): Echo | undefined {
  const end = history.runEnd(from, "assistant");
  const said = reply.flatMap((message) => wire.read(message).units);
  const given = history.unitsOf(from, end);
  const to = endOf(said, given, end);
  if (to !== undefined) return { to, units: said };
  return rewritten(wire, said, given, end);
}

function rewritten(wire: Wire, said: readonly Unit[], given: readonly LocatedUnit[], end: number): Echo | undefined {
  const words = said.filter(({ kind }) => kind !== "fields");
  const callIds: string[] = [];
  const read: LocatedUnit[] = [];
  for (const item of given) {
    const { unit } = item;
    if (unit.kind === "fields" || isInvented(unit, said)) continue;
    const own = unit.kind === "call" ? callMeant(wire, said, unit, callIds.length) : undefined;
    if (unit.kind === "call") callIds.push(unit.id);
    read.push(own === undefined ? item : { ...item, unit: own });
  }
  const to = endOf(words, read, end);
  if (to === undefined) return undefined;
  const beside = given.flatMap(({ unit, message }) => (unit.kind === "fields" && message < to ? [unit] : []));
  return { to, units: [...beside, ...words], callIds };
}

/** Where the units of a reply end, at the end of a message. */
function endOf(said: readonly Unit[], given: readonly LocatedUnit[], end: number): number | undefined {
  const match = matchRun(
    expectUnits(said, true),
    given.map(({ unit }) => unit),
  );
  if (match === undefined || match.taken === 0) return undefined;
  const next = given[match.taken];
  return next === undefined ? end : next.message === given[match.taken - 1]?.message ? undefined : next.message;
}

/** A signature, or hidden reasoning, that the reply did not have: only the provider could have made it. */
function isInvented(unit: Unit, said: readonly Unit[]): boolean {
  return unit.kind === "reasoning" && unit.readable === "" && !said.some((own) => sameUnit(own, unit));
}

type Call = Unit & { readonly kind: "call" };

/** The reply's call that one of the host's stands for, where the host or its framework may write calls anew. `place`: its place among the calls. */
function callMeant({ abilities }: Wire, said: readonly Unit[], given: Call, place: number): Call | undefined {
  const calls = said.filter((unit): unit is Call => unit.kind === "call");
  if (abilities.callsRewritten === true) return calls.find(({ id, name }) => id === given.id && name === given.name);
  const own = abilities.resultsByName === true ? calls[place] : undefined;
  return own?.name === given.name && sameValue(own.value, given.value) ? own : undefined;
}
