import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { HostHistory } from "./host-history.ts";
import { type Expected, matchRun } from "./run-match.ts";

export function unitsOfReply(wire: Wire, reply: readonly ObjectValue[]): readonly Unit[] {
  return reply.flatMap((message) => wire.read(message).units);
}

/** Where a settled reply ends that is met at a position; undefined: something else stands there. */
export function replyEnd(wire: Wire, reply: readonly ObjectValue[], history: HostHistory, from: number): number | undefined {
  const to = history.runEnd(from, "assistant");
  const said = unitsOfReply(wire, reply);
  const expected = said.map((unit, index): Expected => {
    return { entry: 0, index, forms: [unit], digest: undefined, optional: unit.kind === "reasoning" ? "reasoning" : undefined };
  });
  const given = history.unitsOf(from, to);
  const match = matchRun(
    expected,
    given.map(({ unit }) => (wire.abilities.callsRewritten === true ? (sameCallIn(said, unit) ?? unit) : unit)),
  );
  if (match === undefined || match.taken === 0) return undefined;
  const next = given[match.taken];
  return next !== undefined && next.index > 0 ? undefined : (next?.message ?? to);
}

/** The call that a reply made under this id and name. */
function sameCallIn(said: readonly Unit[], given: Unit): Unit | undefined {
  return said.find((unit) => unit.kind === "call" && given.kind === "call" && unit.id === given.id && unit.name === given.name);
}
