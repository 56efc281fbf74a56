import { createSession, type Session } from "../session/create-session.ts";
import type { SessionOptions } from "../session/options.ts";
import type { Wire } from "../wire/wire.ts";
import type { ContextOptions, SessionDefaults } from "./options.ts";
import { Recent } from "./recent.ts";

function optionsOf({ identity, ...sessions }: SessionDefaults = {}, id: string, wire: Wire): SessionOptions {
  return { ...sessions, ...(identity !== undefined && { identity: { ...identity, session: id } }), wire, headers: true };
}

/** The sessions of conversations that the host names: one an id and wire. */
export class NamedSessions {
  readonly #make: (id: string, wire: Wire) => Session | Promise<Session>;
  readonly #sessions: Recent<string, Promise<Session>>;

  constructor({ sessions, sessionsMax = 1_000 }: ContextOptions) {
    this.#make = typeof sessions === "function" ? sessions : (id, wire) => createSession(optionsOf(sessions, id, wire));
    this.#sessions = new Recent(sessionsMax);
  }

  /** One that could not be made is asked for again. */
  of(id: string, wire: Wire): Promise<Session> {
    const key = `${wire.name} ${id}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const made = (async () => this.#make(id, wire))();
    this.#sessions.set(key, made);
    made.catch(() => this.#sessions.delete(key));
    return made;
  }
}
