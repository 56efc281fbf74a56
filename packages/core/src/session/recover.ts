import { messagesPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import type { PrepareOptions } from "./prepare-options.ts";
import type { SessionState } from "./session-state.ts";
import type { Turn } from "./turn.ts";

type Prepare<W extends object> = (session: SessionState<W>, request: W, options?: PrepareOptions) => Promise<Turn<W>>;

/**
 * Rule 59: a refusal for length is answered once, by making room as over the limit. What the provider says of its limit is believed for this request. Everything else goes back to the
 * host as it came.
 */
export async function recover<W extends object>(session: SessionState<W>, error: unknown, prepare: Prepare<W>): Promise<Turn<W>> {
  const overflow = session.wire.readOverflow(error);
  const last = session.unanswered;
  if (overflow === undefined || last === undefined || last.recovered) throw error;
  session.asked ??= {};
  session.refused = overflow;
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
