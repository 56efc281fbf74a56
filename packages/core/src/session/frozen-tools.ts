import type { ObjectValue } from "../json/value.ts";
import { lastTurn } from "../ledger/state.ts";
import { freezeTools, toolWindow } from "../sources/tool-changes.ts";
import { refuses } from "../sources/tool-names.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { ToolChanges } from "../wire/in-band.ts";
import type { Wire } from "../wire/wire.ts";
import type { SpokenTools } from "./say-changes.ts";
import type { SessionState } from "./session-state.ts";

export type RequestTools = {
  /** With the tools as the head declares them. */
  readonly open: OpenRequest;
  /** What is said of tools in band. */
  readonly spoken: SpokenTools | undefined;
  /** Names that the request offers. */
  readonly offered: readonly string[];
};

/**
 * Rule 25: with `toolChanges: "append"` the tools stay declared as they were first sent; what comes and goes is said in band where the wire has a form for it, and refused at
 * dispatch elsewhere. What can be neither declares the tools anew, as a checkpoint. `offer`: the host offers only these for once. `betas`: the request may bear those that in-band forms need.
 */
export function toolsFor<W extends object>(
  session: SessionState<W>,
  open: OpenRequest,
  { offer, betas }: { readonly offer: readonly string[] | undefined; readonly betas: boolean },
): RequestTools {
  const wire = session.wire as unknown as Wire;
  const names = open.head.tools.map((tool) => wire.toolName(tool));
  const offered = offer === undefined ? names : names.filter((name) => offer.includes(name));
  const last = lastTurn(session.ledger);
  if (session.options.toolChanges !== "append") return { open, spoken: undefined, offered };
  const changes = inBandChanges(session, open.head.model, betas);
  const bans = [...session.toolRules.bans.keys()];
  const wanted = open.head.tools.filter((tool) => !bans.some((ban) => refuses(ban, wire.toolName(tool), names)));
  const spoken = changes === undefined ? undefined : { wanted, changes };
  if (last === undefined || session.ledger.restarted || last.head.tools.length === 0) return { open, spoken, offered };
  // A request without tools offers none for once: in a summary, or a last answer.
  if (names.length === 0) return { open: withTools(open, last.head.tools), spoken: undefined, offered: [] };
  // To a model without the form what events define is not declared.
  const added = changes === undefined ? [] : toolWindow(wire, last.head.tools, last.entries).added;
  return { open: freezeTools(wire, last.head.tools, open, added, changes) ?? open, spoken, offered };
}

function inBandChanges<W extends object>(session: SessionState<W>, model: string, betas: boolean): ToolChanges | undefined {
  const changes = session.wire.inBand?.toolChanges;
  const may = changes !== undefined && (betas || changes.betas.length === 0) && changes.on(session.wire.profile(model));
  return may ? changes : undefined;
}

function withTools(open: OpenRequest, tools: readonly ObjectValue[]): OpenRequest {
  return { ...open, head: Object.freeze({ ...open.head, tools }) };
}
