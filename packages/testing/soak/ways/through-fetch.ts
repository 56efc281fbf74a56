import { createSession, type SessionOptions, TidemarkError, type Turn } from "@tidemark/core";
import { type ContextWarning, contextFetch, type Fetch } from "@tidemark/core/fetch";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import type { SimulatedRequest } from "../../src/simulator/simulated-request.ts";
import type { Provider } from "../provider.ts";
import type { Handed, WayIn } from "../way-in.ts";

/** Where requests of a wire go; a model that stands in the path is not in the body. */
const addresses: Readonly<Record<string, { readonly path: string; readonly model?: string }>> = {
  anthropic: { path: "/v1/messages" },
  "openai-chat": { path: "/v1/chat/completions" },
  "openai-responses": { path: "/v1/responses" },
  gemini: { path: "/v1beta/models/{model}:generateContent", model: "model" },
  "gemini-interactions": { path: "/v1beta/interactions" },
  bedrock: { path: "/model/{model}/converse", model: "modelId" },
  ollama: { path: "/api/chat" },
};

/** A request that has left, and waits for its answer. */
type Leaving = { readonly request: object; readonly turn: Turn; readonly answer: (response: Response) => void; readonly headers: Headers };

/** The host speaks to its provider through an SDK, and that through `contextFetch`. */
export class ThroughFetch implements WayIn {
  session: undefined;
  readonly #options: SessionOptions;
  readonly #provider: Provider;
  #fetch: Fetch;
  #turn: Turn | undefined;
  #warning: ContextWarning | undefined;
  #left: (leaving: Leaving) => void = () => {};

  constructor(options: SessionOptions, provider: Provider) {
    this.#options = options;
    this.#provider = provider;
    this.#fetch = this.#opened();
  }

  async hand(request: object, signal?: AbortSignal): Promise<Handed> {
    const { path, model } = addresses[this.#options.wire.name] ?? { path: "/" };
    const { [model ?? ""]: name, ...others } = request as Readonly<Record<string, unknown>>;
    const url = `https://provider.example${path.replace("{model}", encodeURIComponent(String(name)))}`;
    const init = { method: "POST", body: JSON.stringify(model === undefined ? request : others), ...(signal && { signal }) };
    const { leaving, response } = await this.#leave(() => this.#fetch(url, init));
    const sent = model === undefined ? leaving.request : { [model]: name, ...leaving.request };
    return {
      request: sent,
      told: leaving.turn,
      send: async (scripted: ScriptedReply): Promise<SimulatedRequest> => {
        const answered = await this.#provider.answer(sent, Object.fromEntries(leaving.headers), scripted);
        leaving.answer(Response.json(answered.reply, { status: answered.status }));
        // The end of the body settles it.
        await (await response).text();
        return answered;
      },
      settle: () => undefined,
    };
  }

  async forget(): Promise<void> {
    this.#fetch = this.#opened();
  }

  /** Starts a call and waits until it leaves. What failed before that, or was passed on as it was, is the library's error. */
  async #leave(call: () => Promise<Response>): Promise<{ leaving: Leaving; response: Promise<Response> }> {
    this.#warning = undefined;
    const left = new Promise<Leaving>((resolve) => {
      this.#left = resolve;
    });
    const response = call();
    const leaving = await Promise.race([left, response.then(() => Promise.reject(this.#refusal()))]);
    return { leaving, response };
  }

  #refusal(): TidemarkError {
    return new TidemarkError(this.#warning?.code ?? "passed-on", this.#warning?.message ?? "The request was passed on as it was.");
  }

  #opened(): Fetch {
    return contextFetch({
      wires: [this.#options.wire],
      session: () => "soak",
      sessions: () => createSession(this.#options),
      onTurn: ({ turn }) => {
        this.#turn = turn;
      },
      onWarning: (warning) => {
        this.#warning = warning;
      },
      fetch: async (_url, init) => {
        const turn = this.#turn;
        this.#turn = undefined;
        if (turn === undefined) return new Response(null, { status: 204 });
        return new Promise<Response>((answer) => {
          this.#left({ request: JSON.parse(String(init?.body)), turn, answer, headers: new Headers(init?.headers ?? {}) });
        });
      },
    });
  }
}
