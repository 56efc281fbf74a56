import { createSession, restoreSession, type Session, type SessionOptions, type Snapshot, type Turn } from "@tidemark/core";
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
    return handedBy(await this.session.prepare(request, signal && { signal }), this.#provider);
  }

  async forget(): Promise<void> {
    this.session = createSession(this.options);
  }

  restore(snapshot: Snapshot): void {
    this.session = restoreSession(snapshot, this.options);
  }
}

export function handedBy(turn: Turn, provider: Provider): Handed {
  return {
    request: turn.request,
    told: turn,
    send: (scripted) => provider.answer(turn.request, turn.headers, scripted),
    settle: (reply) => turn.settle(reply),
  };
}
