import { isContext } from "../budget/limits.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import { recordRefusal } from "./accounts.ts";
import type { PrepareOptions } from "./prepare-options.ts";
import type { SessionState } from "./session-state.ts";
import type { Turn } from "./turn.ts";

type Prepare<W extends object> = (session: SessionState<W>, request: W, options?: PrepareOptions) => Promise<Turn<W>>;

/**
 * Rule 59: a refusal for length is answered once, by making room as over the limit. The provider's own figures are believed: its count of the prompt is a report like any other, its
 * limit stands in for the profile's from now on and holds for this answer whatever the host configured. Everything else goes back to the host as it came.
 */
export async function recover<W extends object>(session: SessionState<W>, error: unknown, prepare: Prepare<W>): Promise<Turn<W>> {
  const figures = session.wire.readOverflow(error);
  const last = session.unanswered;
  if (figures === undefined || last === undefined || last.recovered) throw error;
  session.unanswered = { ...last, recovered: true };
  if (figures.tokens !== undefined && figures.tokens > 0) recordRefusal(session, figures.tokens);
  const limit = isContext(figures.limit) ? (figures.limit as number) : undefined;
  if (limit !== undefined) learn(session, limit);
  session.asked ??= {};
  session.refused = { limit, error };
  try {
    const turn = await prepare(session, again(session, last.request), last.options);
    if (session.unanswered !== undefined) session.unanswered = { ...session.unanswered, recovered: true };
    return turn;
  } finally {
    session.refused = undefined;
  }
}

/** A session that owns the history has the request's messages already. */
function again<W extends object>({ wire, options }: SessionState<W>, request: W): W {
  if (options.history !== "new") return request;
  const place = messagesPlace(wire as unknown as Wire).join(".");
  const messages = (request as Readonly<Record<string, unknown>>)[place];
  return { ...request, [place]: Array.isArray(messages) ? messages.slice(0, wire.open(request).lead) : [] };
}

/** An explicit figure of the host's stays as it is (rule 30), and the host is told. */
function learn<W extends object>(session: SessionState<W>, limit: number): void {
  const model = session.sent.at(-1)?.model;
  if (model === undefined || session.contexts.get(model) === limit) return;
  session.contexts = new Map([...session.contexts, [model, limit]]);
  const { budget = {} } = session.options;
  const own = budget.perModel?.[model] ?? budget.context;
  if (typeof own === "number" && own > limit)
    session.listeners.tell("warning", {
      code: "context-differs",
      message: `The provider says that ${model} has a window of ${limit} tokens; the budget says ${own}. Correct \`budget.context\` or \`budget.perModel\`.`,
    });
}
