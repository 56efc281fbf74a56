import type { Saving, SessionState } from "./session-state.ts";
import { takeSnapshot } from "./snapshot.ts";
import { SessionConflictError, type SessionKey, type SessionStore } from "./store.ts";

/** A session's place in its store: what this process saw there last, and so may replace. */
export class StorePlace implements Saving {
  readonly #store: SessionStore;
  readonly #key: SessionKey;
  #version: string | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(store: SessionStore, key: SessionKey, version: string | undefined) {
    this.#store = store;
    this.#key = key;
    this.#version = version;
  }

  async save(state: SessionState): Promise<void> {
    const version = await this.#store.save(this.#key, takeSnapshot(state), this.#version);
    if (version === undefined) throw new SessionConflictError(this.#key);
    this.#version = version;
    this.#failure = undefined;
  }

  soon(state: SessionState): void {
    void state.queue.run(async () => {
      try {
        await this.save(state);
      } catch (error) {
        this.#failure = { error };
      }
    }, undefined);
  }

  assertSaved(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
