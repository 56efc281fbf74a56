import { createSession, restoreSession, type Session, type SessionOptions, type Snapshot } from "@tidemark/core";
import type { AnthropicRequest } from "@tidemark/core/anthropic";
import type { Provider } from "../provider.ts";
import type { Handed, WayIn } from "../way-in.ts";

/** The host holds the session: it prepares, sends and settles itself. */
export class DirectSession implements WayIn<AnthropicRequest> {
  readonly options: SessionOptions<AnthropicRequest>;
  session: Session<AnthropicRequest>;
  readonly #provider: Provider;

  constructor(options: SessionOptions<AnthropicRequest>, provider: Provider) {
    this.options = options;
    this.#provider = provider;
    this.session = createSession(options);
  }

  async hand<R extends AnthropicRequest>(request: R, signal?: AbortSignal): Promise<Handed<R>> {
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
