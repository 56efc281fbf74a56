import type { ObjectValue } from "@tidemark/core";
import type { CacheAccount } from "../simulated-request.ts";
import { promptPieces } from "./pieces.ts";

/** A server's prompt cache: asked when a request arrives, written when its response begins. */
export interface ChatCache {
  read(request: ObjectValue, model: string): CacheReading;
}

export type CacheReading = {
  readonly account: CacheAccount;
  /** The response begins: what was read and written is there for the next request. `reply` is the assistant message. */
  begin(reply: ObjectValue): void;
};

/** A server that caches nothing of this request still counts it. */
export const noCache: ChatCache = {
  read: (request) => {
    const prompt = promptPieces(request).reduce((sum, piece) => sum + piece.tokens, 0);
    return { account: { prompt, read: 0, written: 0, writtenByLifetime: {}, uncached: prompt, breakpoints: [] }, begin: () => {} };
  },
};
