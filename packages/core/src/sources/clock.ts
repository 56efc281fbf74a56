import { objectOf, oneOf, optional, text } from "../json/check.ts";
import type { Channel } from "../ledger/entry.ts";
import { checked, stray } from "../wire/checked.ts";
import { element } from "./event-text.ts";
import { channelShape, type Source } from "./source.ts";

export type ClockOptions = {
  readonly id?: string | undefined;
  /** How fine the clock is: it is said again only when this part changes. Default `day`. */
  readonly granularity?: "day" | "hour" | "minute" | undefined;
  /** An IANA name, such as `Europe/Lisbon`. Default `UTC`. */
  readonly timeZone?: string | undefined;
  readonly channel?: Channel | undefined;
};

const shape = objectOf(
  { id: optional(text), granularity: optional(oneOf("day", "hour", "minute")), timeZone: optional(text), channel: optional(channelShape) },
  stray,
);

const parts = { day: 0, hour: 1, minute: 2 } as const;

/** The date, said once and again only when it changed. `session.clear` stops it without a word. @throws {OptionError} @throws {RangeError} for a time zone that is not known. */
export function clock(options: ClockOptions = {}): Source<never> {
  const { id = "clock", granularity = "day", timeZone = "UTC", channel = "user" } = checked(options, shape);
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, weekday: "long", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  });
  return Object.freeze({
    id,
    kind: "announcement",
    channel,
    speak: ({ setting, heard, now }) => {
      if (setting !== undefined) return undefined;
      const value = timeText(format, now, parts[granularity]);
      if (heard.said.at(-1)?.value === value) return undefined;
      return { text: element("clock", { zone: timeZone }, value), value };
    },
  } satisfies Source<never>);
}

/** `Monday 2026-11-30`, with `14h` or `14:05` behind it. */
function timeText(format: Intl.DateTimeFormat, now: number, fineness: number): string {
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = `${part["weekday"]} ${part["year"]}-${part["month"]}-${part["day"]}`;
  if (fineness === parts.day) return day;
  return fineness === parts.hour ? `${day} ${part["hour"]}h` : `${day} ${part["hour"]}:${part["minute"]}`;
}
