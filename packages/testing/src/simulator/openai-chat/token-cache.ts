import type { Clock } from "../clock.ts";
import { slotCache } from "../slot-cache.ts";
import type { CacheReading, ChatCache } from "./cache.ts";
import { promptPieces, settingsOf } from "./pieces.ts";

/** Servers that keep the tokens of their last prompts and read the longest common prefix to the token: llama.cpp's slots, SGLang's tree. */
export function tokenCache(clock: Clock, options: { readonly slots: number; readonly lifetimeMs: number }): ChatCache {
  const slots = slotCache(clock, options);
  return {
    read: (request, model): CacheReading => {
      const pieces = promptPieces(request);
      const prompt = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
      // Settings of the template change the prompt from its start.
      const text = pieces.map((piece) => piece.text).join("");
      const reading = slots.read(settingsOf(request, model), text);
      const read = reading.tokens;
      return {
        account: { prompt, read, written: 0, writtenByLifetime: {}, uncached: prompt - read, breakpoints: [] },
        begin: () => reading.begin(""),
      };
    },
  };
}
