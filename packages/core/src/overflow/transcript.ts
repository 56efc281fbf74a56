import { capText } from "../ledger/result-cap.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Reading } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { Group } from "./groups.ts";

/** A result has no more of a transcript than this: what it is about, not all of it. */
const resultTokensMax = 1_024;

export type Transcribing = { readonly wire: Wire; readonly wordings: Wordings; readonly count: (text: string) => number };

/** Groups as one readable text, each message under the name of who said it. Long results are shown head and tail. */
export function transcriptOf({ wire, wordings, count }: Transcribing, groups: readonly Group[]): string {
  return spoken(wire, groups, (text) => capText(text, resultTokensMax, count, wordings));
}

/** The same with every result whole: for an archive, which is asked for what the window lost. */
export function wholeTextOf(wire: Wire, groups: readonly Group[]): string {
  return spoken(wire, groups, (text) => text);
}

function spoken(wire: Wire, groups: readonly Group[], shorten: (text: string) => string): string {
  const messages = groups.flatMap(({ members }) => members.map(({ reading }) => ({ reading, text: messageText(wire, reading, shorten) })));
  return messages.flatMap(({ reading, text }) => (text === "" ? [] : [`[${speakerOf(reading)}]\n${text}`])).join("\n\n");
}

/** All that a message says, as text; bound reasoning and what has no words is left out. */
export function messageText(wire: Wire, { units }: Reading, shorten: (text: string) => string = (text) => text): string {
  return units
    .flatMap((unit) => {
      if (unit.kind === "fields" || unit.kind === "reasoning") return [];
      const text = wire.textOf(unit);
      return [unit.kind === "result" ? shorten(text) : text];
    })
    .join("\n");
}

function speakerOf({ role, units }: Reading): string {
  if (role === "assistant") return "assistant";
  if (units.some(({ kind }) => kind === "result")) return "results";
  return role;
}
