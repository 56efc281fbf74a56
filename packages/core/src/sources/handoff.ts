import type { Channel } from "../ledger/entry.ts";
import { fill } from "../ledger/wordings.ts";
import { element } from "./event-text.ts";
import type { Source } from "./source.ts";

export type HandoffOptions = {
  readonly id?: string | undefined;
  /** Share of the limit from which room is short. Default 0.65, which is before the default high water. */
  readonly from?: number | undefined;
  readonly channel?: Channel | undefined;
};

/** One notice a window when room is short, so that the model says what must outlive its older turns. A landing that takes the notice away allows the next one. */
export function handoff({ id = "handoff", from = 0.65, channel = "user" }: HandoffOptions = {}): Source<never> {
  return Object.freeze({
    id,
    kind: "announcement",
    channel,
    speak: ({ setting, heard, room, wordings }) => {
      if (setting !== undefined || heard.revision > 0) return undefined;
      const { tokens, limit } = room();
      if (tokens < limit * from) return undefined;
      const value = Math.floor((tokens / limit) * 100);
      return { text: element("handoff", {}, fill(wordings.handoff, { percent: value })), value };
    },
  } satisfies Source<never>);
}
