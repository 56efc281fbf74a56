import { TidemarkError } from "../json/error.ts";
import type { ObjectValue } from "../json/value.ts";
import { createSession, type Session } from "../session/create-session.ts";
import type { SessionOptions } from "../session/options.ts";
import type { Settled, Turn } from "../session/turn.ts";
import type { Wire } from "../wire/wire.ts";
import { answeredCount, contentKey, startOf } from "./content-key.ts";
import type { ContextOptions, SessionDefaults } from "./options.ts";
import { Recent } from "./recent.ts";

/** What a conversation was when its last reply had come. It is never gone on with itself: each request that continues it gets a fork. */
type Known = { readonly key: string; readonly session: Session; readonly messageCount: number };

export type ContentTurn = Attempt & { readonly settle: (reply: object) => Settled };

type Attempt = { readonly session: Session; readonly turn: Turn };

/** What may be gone on with, and how many messages of the request are answered: what ended earlier was gone on with elsewhere, and changed since. */
type Candidates = { readonly known: readonly Known[]; readonly answered: number };

/** So many conversations with the same start are compared with a request, those that reach furthest first. */
const comparedMax = 8;

/**
 * Sessions of conversations that nobody names. A request continues the conversation that it repeats furthest. Since it takes a fork, two conversations that begin alike
 * never share a session, and a branch, a retry or an answer that is asked for again starts from where it left.
 */
export class ContentSessions {
  readonly #options: Omit<SessionOptions, "wire">;
  readonly #byKey = new Map<string, Set<Known>>();
  readonly #recent: Recent<Known, Known>;

  constructor({ sessions, sessionsMax = 1_000 }: ContextOptions) {
    this.#options = repeatingOnly(typeof sessions === "function" ? {} : (sessions ?? {}));
    this.#recent = new Recent(sessionsMax, (known) => this.#forget(known));
  }

  /** @throws {TidemarkError} as `session.prepare` does. */
  async prepare(wire: Wire, address: string, request: ObjectValue, signal: AbortSignal | undefined): Promise<ContentTurn> {
    const known = this.#candidates(wire, address, request);
    const { session, turn } = await this.#furthest(known, wire, request, signal);
    return { session, turn, settle: (reply) => this.#settle(wire, address, request, { session, turn }, reply) };
  }

  /** A reply leaves the session of its request where the next request finds it. */
  #settle(wire: Wire, address: string, request: ObjectValue, { session, turn }: Attempt, reply: object): Settled {
    const settled = turn.settle(reply);
    const said = settled.recorded ? wire.readReply(reply).messages : [];
    if (said.length === 0) return settled;
    const { head, messages } = wire.open(request);
    const history = [...messages, ...said];
    const key = contentKey(wire, address, head, startOf(wire, history) ?? []);
    this.#remember({ key, session, messageCount: history.length });
    return settled;
  }

  /** The fork that goes on where one ended. Where none does, the one that repeats most, with the checkpoint of what was edited. */
  async #furthest({ known, answered }: Candidates, wire: Wire, request: ObjectValue, signal: AbortSignal | undefined): Promise<Attempt> {
    let furthest: Attempt | undefined;
    for (const one of known) {
      const session = one.session.fork();
      const turn = await session.prepare(request, signal && { signal });
      const goesOn = turn.continuity.checkpoints.length === 0 && one.messageCount >= answered;
      if (goesOn) this.#recent.get(one);
      if (goesOn) return { session, turn };
      if (furthest === undefined || turn.continuity.kept > furthest.turn.continuity.kept) furthest = { session, turn };
    }
    if (furthest !== undefined) return furthest;
    const session = createSession({ ...this.#options, wire });
    return { session, turn: await session.prepare(request, signal && { signal }) };
  }

  /** Those that may be gone on with, the longest first, of equals the latest. */
  #candidates(wire: Wire, address: string, request: ObjectValue): Candidates {
    try {
      const { head, messages } = wire.open(request);
      const start = startOf(wire, messages);
      const known = start && this.#byKey.get(contentKey(wire, address, head, start));
      if (known === undefined) return { known: [], answered: 0 };
      const longestFirst = [...known].reverse().sort((a, b) => b.messageCount - a.messageCount);
      const fits = ({ messageCount }: Known): boolean => messageCount <= messages.length;
      // A host that loses reasoning hands over fewer items than there were, on wires where reasoning is an item.
      const longer = longestFirst.filter((one) => !fits(one)).slice(0, comparedMax / 2);
      const shorter = longestFirst.filter(fits).slice(0, comparedMax - longer.length);
      return { known: [...longer, ...shorter], answered: answeredCount(wire, messages) };
    } catch (error) {
      // What cannot be read is for the session to refuse, by its path.
      if (error instanceof TidemarkError) return { known: [], answered: 0 };
      throw error;
    }
  }

  #remember(known: Known): void {
    const others = this.#byKey.get(known.key) ?? new Set();
    this.#byKey.set(known.key, others.add(known));
    this.#recent.set(known, known);
  }

  #forget(known: Known): void {
    const others = this.#byKey.get(known.key);
    others?.delete(known);
    if (others?.size === 0) this.#byKey.delete(known.key);
  }
}

/** What a session of an unnamed conversation may be told: it repeats and repairs. Nobody could ask it for what it left out, so that it leaves nothing out. */
const repeating = [
  ...(["reasoning", "trims", "ignore", "cache", "ttl", "reasoningMismatch", "strict", "selfCheck", "redact", "callReason"] as const),
  ...(["countText", "endpoint", "now"] as const),
] satisfies readonly (keyof SessionDefaults)[];

function repeatingOnly(given: SessionDefaults): Omit<SessionOptions, "wire"> {
  const said = repeating.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
  return { ...Object.fromEntries(said), toolResultCap: false, headers: true };
}

/** What a host asked of its sessions that one of an unnamed conversation does not do, in words of the options; undefined: nothing. */
export function leftOutUnnamed(sessions: ContextOptions["sessions"]): string | undefined {
  if (typeof sessions === "function") return "`sessions`";
  const others = Object.entries(sessions ?? {}).filter(
    ([name, value]) => value !== undefined && !(repeating as readonly string[]).includes(name),
  );
  return others.length === 0 ? undefined : others.map(([name]) => `\`sessions.${name}\``).join(", ");
}
