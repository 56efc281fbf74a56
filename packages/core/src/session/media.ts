import { digestBytes, digestText } from "../json/canonical.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import { type Entry, makeEntry } from "../ledger/entry.ts";
import { type MediaReason, withMissingMedia } from "../ledger/media-left-out.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { MediaStore } from "../sources/media-store.ts";
import { marksOfMedia, mediaOf, withMedia } from "../wire/stored-media.ts";
import type { Wire } from "../wire/wire.ts";
import type { SessionState } from "./session-state.ts";

type Media = ReadonlyMap<string, string | Uint8Array>;

/** Keeps the media of what a request sends for the first time. */
export async function keepMedia(store: MediaStore, ledger: LedgerState, { entries }: Draft): Promise<void> {
  const media = new Map<string, string | Uint8Array>();
  for (const { id, given } of entries) if (id >= ledger.nextEntry) for (const message of given) mediaOf(message, media);
  for (const [digest, medium] of media) await store.put(digest, medium);
}

/** Behind a restore: puts back what the snapshot holds by digest. What the store does not have, or has otherwise, is replaced by a line that says so. */
export async function fetchMedia<W extends object>(session: SessionState<W>): Promise<void> {
  const wanted = wantedMedia(session);
  if (wanted.size === 0) return;
  const media = new Map<string, string | Uint8Array>();
  const leftOut = new Map<string, MediaReason>();
  for (const digest of wanted) {
    const medium = await session.options.media?.get(digest);
    if (medium === undefined) leftOut.set(digest, "missing");
    else if (digestOf(medium) !== digest) leftOut.set(digest, "changed");
    else media.set(digest, medium);
  }
  const wire = session.wire as unknown as Wire;
  const reasonOf = (digest: string): MediaReason => leftOut.get(digest) ?? "missing";
  session.owned = session.owned.map((message) =>
    withMissingMedia(wire, withMedia(message, media) as ObjectValue, reasonOf, session.wordings),
  );
  session.ledger = { ...session.ledger, turns: withKeptMedia(session.ledger.turns, media) };
  for (const [digest, reason] of leftOut)
    session.listeners.tell("warning", {
      code: `media-${reason}`,
      message: `A medium of this conversation is ${reason}: ${digest}. The model is told that it is left out.`,
    });
}

function wantedMedia<W extends object>({ owned, ledger }: SessionState<W>): ReadonlySet<string> {
  const digests = new Set<string>();
  for (const message of owned) for (const { digest } of marksOfMedia(message)) digests.add(digest);
  for (const entry of ledger.turns.flatMap((turn) => turn.entries))
    for (const { digest } of entry.dormant?.sent.kind === "kept" ? marksOfMedia(entry.dormant.sent.message) : []) digests.add(digest);
  return digests;
}

function digestOf(medium: string | Uint8Array): string {
  return typeof medium === "string" ? digestText(medium) : digestBytes(medium);
}

/** Windows share their entries, and still do so behind it. */
function withKeptMedia(turns: SessionState["ledger"]["turns"], media: Media): SessionState["ledger"]["turns"] {
  const made = new Map<number, Entry>();
  const awake = (entry: Entry): Entry => {
    if (entry.dormant?.sent.kind !== "kept") return entry;
    const message = withMedia(entry.dormant.sent.message, media) as ObjectValue;
    if (message === entry.dormant.sent.message) return entry;
    const known = made.get(entry.id) ?? makeEntry(entry.id, { ...entry, dormant: { ...entry.dormant, sent: { kind: "kept", message } } });
    made.set(entry.id, known);
    return known;
  };
  return turns.map((turn) => ({ ...turn, entries: turn.entries.map(awake) }));
}
