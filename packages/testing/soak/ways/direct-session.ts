import { createSession, restoreSession, type Session, type SessionOptions, type Snapshot } from "@tidemark/core";
import type { Provider } from "../provider.ts";
import type { Handed, WayIn } from "../way-in.ts";

/** The host holds the session: it prepares, sends and settles itself. */
export class DirectSession implements WayIn {
  readonly options: SessionOptions;
  session: Session;
  readonly #provider: Provider;

  constructor(options: SessionOptions, provider: Provider) {
    this.options = options;
    this.#provider = provider;
    this.session = createSession(options);
  }

  async hand(request: object, signal?: AbortSignal): Promise<Handed> {
    const turn = await this.session.prepare(request, signal && { signal });
    return {
      request: turn.request,
      told: turn,
      send: (scripted) => this.#provider.answer(turn.request, turn.headers, scripted),
      settle: (reply) => turn.settle(reply),
    };
  }

  forget(): void {
    this.session = createSession(this.options);
  }

  restore(snapshot: Snapshot): void {
    this.session = restoreSession(snapshot, this.options);
  }
}
