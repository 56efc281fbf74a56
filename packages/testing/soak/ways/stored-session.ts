import { inMemorySessionStore, openSession, type Session, type SessionOptions } from "@tidemark/core";
import type { Provider } from "../provider.ts";
import type { Handed, WayIn } from "../way-in.ts";
import { handedBy } from "./direct-session.ts";

const key = { namespace: "soak", session: "one" };

/** The session lives in a store; processes open it and may be gone at any time. */
export class StoredSession implements WayIn {
  session: Session;
  readonly #options: SessionOptions;
  readonly #provider: Provider;
  #store = inMemorySessionStore();

  private constructor(options: SessionOptions, provider: Provider, session: Session, store: ReturnType<typeof inMemorySessionStore>) {
    this.#options = options;
    this.#provider = provider;
    this.#store = store;
    this.session = session;
  }

  static async open(options: SessionOptions, provider: Provider): Promise<StoredSession> {
    const store = inMemorySessionStore();
    return new StoredSession(options, provider, await openSession({ ...options, store, key }), store);
  }

  async hand(request: object, signal?: AbortSignal): Promise<Handed> {
    return handedBy(await this.session.prepare(request, signal && { signal }), this.#provider);
  }

  /** Another process opens the session, beside this one. */
  opensAnother(): Promise<Session> {
    return openSession({ ...this.#options, store: this.#store, key });
  }

  /** This process is gone, another one goes on. */
  async reopens(): Promise<void> {
    await this.session.saved();
    this.session = await this.opensAnother();
  }

  async forget(): Promise<void> {
    this.#store = inMemorySessionStore();
    this.session = await this.opensAnother();
  }
}
