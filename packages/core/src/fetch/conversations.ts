import { TidemarkError } from "../json/error.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Session } from "../session/create-session.ts";
import type { Settled, Turn } from "../session/turn.ts";
import type { Wire } from "../wire/wire.ts";
import { ContentSessions } from "./content-sessions.ts";
import { NamedSessions } from "./named-sessions.ts";
import { type ContextOptions, checkSessionDefaults } from "./options.ts";

/** A request on its way to its session. */
export type Asked = {
  /** What the host names the conversation; undefined: it is told by content. */
  readonly id: string | undefined;
  readonly wire: Wire;
  /** Where it is sent: the same words at another address are another conversation. */
  readonly address: string;
  readonly request: object;
  readonly signal: AbortSignal | undefined;
};

/** A request that a session prepared. */
export type Prepared = {
  readonly id: string | undefined;
  readonly session: Session;
  readonly turn: Turn;
  /** In place of `turn.settle`: it also keeps what an unnamed conversation is found by. */
  settle(reply: object): Settled;
  /**
   * After a refusal for length: the same request with room made by the session's strategy, once (rule 59). Undefined: there is no room to be made, and the refusal stands.
   * @throws {TidemarkError} when making room failed.
   */
  recover(error: unknown): Promise<Prepared | undefined>;
};

/** The sessions of many conversations, for a host that hands over requests one by one. */
export class Conversations {
  readonly #named: NamedSessions;
  readonly #unnamed: ContentSessions;
  /** The head of each named conversation's last request. */
  readonly #heads = new WeakMap<Session, KnownHead>();

  /** @throws {OptionError} naming the first wrong option of `sessions` by its path. */
  constructor(options: Pick<ContextOptions, "sessions" | "sessionsMax">) {
    checkSessionDefaults(options.sessions);
    this.#named = new NamedSessions(options);
    this.#unnamed = new ContentSessions(options);
  }

  /** @throws {TidemarkError} as `session.prepare` does. */
  async prepare({ id, wire, address, request, signal }: Asked): Promise<Prepared> {
    const session = id === undefined ? undefined : await this.#named.of(id, wire);
    if (id === undefined || session === undefined || this.#isAside(session, wire, request))
      return { id: undefined, recover: nothing, ...(await this.#unnamed.prepare(wire, address, request as ObjectValue, signal)) };
    const turn: Turn = await session.prepare(request, signal && { signal });
    return { id, session, turn, settle: turn.settle, recover: (error) => recovered(id, session, wire, error) };
  }

  /** Another system text and no tools, where the conversation has some: a title or a summary that the host asks for on the side, under the conversation's name. */
  #isAside(session: Session, wire: Wire, request: object): boolean {
    const head = headOf(wire, request);
    const known = this.#heads.get(session);
    const isAside = head !== undefined && known?.hasTools === true && !head.hasTools && head.system !== known.system;
    if (head !== undefined && !isAside) this.#heads.set(session, head);
    return isAside;
  }
}

type KnownHead = { readonly system: string; readonly hasTools: boolean };

/** Undefined: it cannot be read, which is for the session to say. */
function headOf(wire: Wire, request: object): KnownHead | undefined {
  try {
    const { head } = wire.open(request);
    return { system: wire.systemText(head), hasTools: head.tools.length > 0 };
  } catch (error) {
    if (error instanceof TidemarkError) return undefined;
    throw error;
  }
}

/** An unnamed conversation has no strategy. */
async function nothing(): Promise<undefined> {}

async function recovered(id: string, session: Session, wire: Wire, error: unknown): Promise<Prepared | undefined> {
  if (wire.readOverflow(error) === undefined) return undefined;
  try {
    const turn: Turn = await session.recover(error);
    // Without a landing it would be the request that was refused.
    const landed = session.landings.some((landing) => landing.turn === turn.number);
    return landed ? { id, session, turn, settle: turn.settle, recover: nothing } : undefined;
  } catch (failure) {
    if (failure === error) return undefined;
    throw failure;
  }
}
