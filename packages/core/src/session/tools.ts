import { copyValue, type ObjectValue } from "../json/value.ts";
import type { OwnTool, ToolOutcome } from "../sources/own-tool.ts";
import type { KnownWrite } from "../sources/source.ts";
import { estimateText } from "../wire/tokens.ts";
import { allowTool, banTool } from "./check-call.ts";
import { meterFor } from "./meter.ts";
import { resultCapOf } from "./options.ts";
import type { SessionState } from "./session-state.ts";
import { cleanerOf } from "./sources.ts";

/** A tool as the list of a request has it, by the request's type. */
type ToolIn<Request> = Request extends { readonly tools?: infer List }
  ? NonNullable<List> extends readonly (infer Tool)[]
    ? Tool
    : unknown
  : unknown;

/** The tools of a session: which calls are run, and those that Tidemark itself offers. */
export interface SessionTools<Request extends object = object> {
  /** Calls of this tool are refused from now on, under whatever name they go; where the wire has a form for it, it is withdrawn in band. `reason`: a sentence that the model is told. */
  ban(name: string, reason?: string): void;
  /** Calls of a banned tool are run again. */
  allow(name: string): void;
  /**
   * The definitions of Tidemark's own tools (memory's, recall, `new_context`), as the session's options bring them, in the wire's form: `tools: [...mine, ...session.tools.own]`. Static: the
   * same objects for the whole session. Empty on a wire without functions.
   */
  readonly own: readonly (ObjectValue & ToolIn<Request>)[];
  /**
   * Runs a call of one of them: `text` is the result for the model, and `isError` whether it is one. Undefined: the name is none of theirs, and the host runs the call. What the model can
   * correct comes back as a result. `input`: the call's arguments, parsed.
   * @throws what the store or archive throws.
   */
  call(name: string, input: unknown): Promise<ToolOutcome> | undefined;
}

export function sessionTools<W extends object>(session: SessionState<W>): SessionTools<W> {
  const { declareTool } = session.wire;
  const tools = ownTools(session);
  return Object.freeze({
    ban: (name: string, reason = "") => banTool(session, name, reason),
    allow: (name: string) => allowTool(session, name),
    own: Object.freeze(declareTool === undefined ? [] : tools.map(({ tool }) => declareTool(tool.definition))) as SessionTools<W>["own"],
    call: (name: string, input: unknown) => {
      const known = tools.find(({ tool }) => tool.definition.name === name);
      return known === undefined ? undefined : session.toolQueue.run(() => run(session, known, input), undefined);
    },
  });
}

type Known = { readonly source: string | undefined; readonly tool: OwnTool };

function ownTools<W extends object>({ options: { sources = [], archive, overflow } }: SessionState<W>): readonly Known[] {
  const asks = overflow !== undefined && "strategy" in overflow ? overflow.tool : undefined;
  return [
    ...sources.flatMap(({ id, tool }) => (tool === undefined ? [] : [{ source: id, tool }])),
    ...(archive === undefined ? [] : [{ source: undefined, tool: archive.recall }]),
    ...(asks === undefined ? [] : [{ source: undefined, tool: asks }]),
  ];
}

async function run<W extends object>(session: SessionState<W>, { source, tool }: Known, input: unknown): Promise<ToolOutcome> {
  const { now = Date.now, countText = estimateText } = session.options;
  const outcome = await tool.call(copyValue(input), {
    now: now(),
    tokensMax: capOf(session, tool.definition.name),
    count: countText,
    clean: cleanerOf(session),
  });
  if (outcome.asksLanding === true) askByModel(session);
  if (source !== undefined && outcome.writes !== undefined) recordWrites(session, source, outcome.writes);
  return Object.freeze({ text: outcome.text, isError: outcome.isError });
}

/** An ask of the host's own stays as it is. */
function askByModel<W extends object>(session: SessionState<W>): void {
  session.asked ??= {};
  session.saving?.soon(session as unknown as SessionState);
}

/** What the model wrote itself is not said to it again (rule 21). */
function recordWrites<W extends object>(session: SessionState<W>, source: string, writes: NonNullable<ToolOutcome["writes"]>): void {
  const turn = session.ledger.nextTurn - 1;
  const own = new Map<string, KnownWrite>(session.writes.get(source));
  for (const [key, digest] of writes) own.set(key, { digest, turn });
  session.writes = new Map(session.writes).set(source, own);
}

/** Cap of a tool's result in tokens, as the next admission will set it by what the last request was held to (rule 13). Before the first one: the least that it can be. */
export function capOf<W extends object>(session: SessionState<W>, tool: string): number | undefined {
  const model = session.ledger.turns.at(-1)?.head.model;
  const highWater = model === undefined ? undefined : meterFor(session, model, session.lastAsked).limits?.highWater;
  return resultCapOf(session.options.toolResultCap, highWater)(tool);
}
