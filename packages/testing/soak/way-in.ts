import type { Session, SessionOptions, Settled, Turn } from "@tidemark/core";
import type { ScriptedReply } from "../src/simulator/script.ts";
import type { SimulatedRequest } from "../src/simulator/simulated-request.ts";
import type { Provider } from "./provider.ts";

/** What the library says of a request: where it breaks with the one before, what it put right, what its sources said. */
export type Told = Pick<Turn, "continuity" | "repairs" | "said"> & {
  /** What the request measures; undefined: the way in does not say. */
  readonly budget?: Turn["budget"];
};

/** A request as it is about to leave for the provider. */
export interface Handed {
  /** As it is sent. */
  readonly request: object;
  readonly told: Told;
  /** The provider answers. A way in that sends by itself is called once at most; one that only prepares, as often as the host sends the same request. */
  send(scripted: ScriptedReply): Promise<SimulatedRequest>;
  /** The host hands the reply back. Undefined: the way in saw it itself. */
  settle(reply: object): Settled | undefined;
}

/**
 * How a host's requests come through Tidemark to the provider: a session that it holds itself, a fetch, a framework's middleware. Every behaviour that names no need of its
 * own runs through any of them.
 */
export interface WayIn {
  /** The session, where the host holds it itself: what {@link Need} `session` asks for. */
  session: Session | undefined;
  /** Resolves when the request would leave. Rejects with what the library threw, and then nothing was sent. */
  hand(request: object, signal?: AbortSignal): Promise<Handed>;
  /** A process that never saw the conversation. */
  forget(): Promise<void>;
}

/**
 * What a behaviour needs of a way in. `session`: the session itself, to fork, abort or settle by hand. `snapshots`: one that the host keeps and restores.
 * `store`: a store that several processes share.
 */
export type Need = "session" | "snapshots" | "store";

/** Ways in: a session that the host holds, one that lives in a store, `contextFetch` under an SDK, the AI SDK's middleware. */
export type Way = "session" | "store" | "fetch" | "ai-sdk";

/** What each way in has. */
export const abilitiesOfWays: Readonly<Record<Way, readonly Need[]>> = {
  session: ["session", "snapshots"],
  store: ["session", "store"],
  fetch: [],
  "ai-sdk": [],
};

/** Opens a way in to a provider. */
export type WayMaker = (options: SessionOptions, provider: Provider) => WayIn;
