import { estimateRequest } from "../wire/request-tokens.ts";
import type { Wire } from "../wire/wire.ts";
import { doubtKey } from "./make-turn.ts";
import type { SessionState } from "./session-state.ts";
import { readReplyOf } from "./settle.ts";
import type { Repairs, Turn, TurnBudget } from "./turn.ts";

/** The field by which a request lets the provider hold its conversation: a thread, a response that it goes on from, cached content. Undefined: it stands in the request. */
export function heldBy<W extends object>(wire: Wire<W>, request: W): string | undefined {
  // What is no object at all is for the wire to name.
  const members = (request ?? {}) as Readonly<Record<string, unknown>>;
  return wire.http?.heldBy.find((name) => members[name] !== undefined && members[name] !== null);
}

/**
 * A request whose conversation the provider holds: it goes out as it is, nothing is recorded, and the turn says so. Its number is 0, since it is no
 * turn of the ledger; its measure counts what stands in the request.
 */
export function observedTurn<W extends object, R extends W>(session: SessionState<W>, wire: Wire<W>, request: R, field: string): Turn<R> {
  const doubt = { rule: "server-held-state", path: field, message: observed(field) };
  const isNew = !session.doubts.has(doubtKey(doubt));
  session.doubts.add(doubtKey(doubt));
  const items = wire.open(request).messages.length;
  return Object.freeze({
    number: 0,
    request,
    headers: Object.freeze({}),
    continuity: Object.freeze({ kept: 0, appended: items, checkpoints: Object.freeze([]) }),
    budget: measureOf(wire, request),
    repairs: Object.freeze({ ...nothing, doubtful: Object.freeze(isNew ? [doubt] : []) }),
    said: Object.freeze([]),
    settle: (reply: object) => {
      const { usage, dropped, cacheMissReason } = readReplyOf(wire as unknown as Wire, reply);
      return { recorded: false, usage, dropped, cacheMissReason, envelope: undefined };
    },
  });
}

function observed(field: string): string {
  return `The provider holds this conversation (${field}), so that its prefix is not in the request. It is sent as it is and not recorded; send the whole history instead to have it kept.`;
}

function measureOf<W extends object>(wire: Wire<W>, request: W): TurnBudget {
  const counted = estimateRequest(wire, request);
  const floor = { tokens: counted.system + counted.tools, system: counted.system, tools: counted.tools };
  return Object.freeze({ tokens: counted.total, reported: 0, floor, limits: undefined, held: Object.freeze([]) });
}

const nothing: Omit<Repairs, "doubtful"> = {
  equivalent: 0,
  reasoningWithheld: 0,
  reasoningRedacted: 0,
  held: 0,
  underRecap: 0,
  mediaWithheld: [],
  resultsCapped: [],
  resultsMadeUp: [],
  resultsOrphaned: [],
  resultsLate: [],
  resultsDropped: [],
  idsMapped: [],
};
