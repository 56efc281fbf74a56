import { expecting, objectOf, optional, text } from "../json/check.ts";
import type { Channel } from "../ledger/entry.ts";
import { fill } from "../ledger/wordings.ts";
import { checked, stray } from "../wire/checked.ts";
import { element } from "./event-text.ts";
import { channelShape, type Source } from "./source.ts";

export type HandoffOptions = {
  readonly id?: string | undefined;
  /** Share of the limit from which room is short. Default 0.65, which is before the default high water. */
  readonly from?: number | undefined;
  readonly channel?: Channel | undefined;
};

const shape = objectOf(
  {
    id: optional(text),
    from: optional(
      expecting("a share of the limit, above 0 and at most 1", (value) => typeof value === "number" && value > 0 && value <= 1),
    ),
    channel: optional(channelShape),
  },
  stray,
);

/** One notice a window when room is short, so that the model says what must outlive its older turns. A landing that takes the notice away allows the next one. @throws {OptionError} */
export function handoff(options: HandoffOptions = {}): Source<never> {
  const { id = "handoff", from = 0.65, channel = "user" } = checked(options, shape);
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
