import { createSession, type Session } from "../session/create-session.ts";
import type { Wire } from "../wire/wire.ts";
import type { ContextOptions } from "./options.ts";
import { Recent } from "./recent.ts";

/** The sessions of conversations that the host names: one an id and wire. */
export class NamedSessions {
  readonly #make: (id: string, wire: Wire) => Session | Promise<Session>;
  readonly #sessions: Recent<string, Promise<Session>>;

  constructor({ sessions, sessionsMax = 1_000 }: ContextOptions) {
    this.#make = typeof sessions === "function" ? sessions : (_id, wire) => createSession({ ...sessions, wire, headers: true });
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
