import { callable, expecting, listOf, objectOf, optional, type Shape, text, wholeFrom } from "../json/check.ts";
import type { Session } from "../session/create-session.ts";
import { identityDefaultsShape, type SessionIdentity } from "../session/identity.ts";
import { optionShapes, type SessionOptions } from "../session/options.ts";
import type { Settled, Turn } from "../session/turn.ts";
import { checked, stray } from "../wire/checked.ts";
import { OptionError } from "../wire/errors.ts";
import type { Wire } from "../wire/wire.ts";

/** What a request over HTTP says of itself, for the choice of its session. */
export type HttpRequest = {
  readonly url: string;
  readonly headers: Headers;
  /** The parsed body. Not to be written to. */
  readonly body: object;
  readonly wire: Wire;
};

/** Options of the sessions that are made here: all of a session's but those that the place decides. To the provider each conversation is known by its own name. */
export type SessionDefaults = Omit<SessionOptions, "wire" | "headers" | "history" | "identity"> & {
  readonly identity?: Omit<SessionIdentity, "session"> | undefined;
};

/** A request that a session prepared. */
export type SentRequest = {
  /** What the host named the session; undefined: it was told by content. */
  readonly id: string | undefined;
  readonly session: Session;
  readonly turn: Turn;
};

export type ContextWarning = { readonly code: string; readonly message: string };

/** Everything but the wires: shared by `contextFetch` and the middlewares of SDKs. */
export type ContextOptions = {
  /**
   * Which conversation a request belongs to: any text that stays the same for its life. Two conversations must not have the same; undefined leaves the request to the
   * header, and then to its content.
   */
  readonly session?: ((request: HttpRequest) => string | undefined) | undefined;
  /** Header that names the conversation; it is never sent on. Default `x-tidemark-session`. */
  readonly header?: string | undefined;
  /**
   * How sessions are made: their options, or a function that makes or restores the session of an id (asked once an id; make it with `headers: true`). A conversation
   * that is told by content has sessions of its own, which repeat and repair and do nothing else.
   */
  readonly sessions?: SessionDefaults | ((id: string, wire: Wire) => Session | Promise<Session>) | undefined;
  /** So many sessions are kept; the one that was idle longest goes first. Default 1,000. */
  readonly sessionsMax?: number | undefined;
  /** A request was prepared and is about to be sent. */
  readonly onTurn?: ((sent: SentRequest) => void) | undefined;
  /** Its reply is complete. */
  readonly onSettled?: ((sent: SentRequest & { readonly settled: Settled }) => void) | undefined;
  /** What is wrong with the way Tidemark is used, and what to do; each once. Default `console.warn`. */
  readonly onWarning?: ((warning: ContextWarning) => void) | undefined;
};

const members = {
  session: optional(callable),
  header: optional(expecting("a header name", (value) => typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value))),
  sessions: optional(expecting("session options or a function that makes a session", isOptionsOrFunction)),
  sessionsMax: optional(wholeFrom(1)),
  onTurn: optional(callable),
  onSettled: optional(callable),
  onWarning: optional(callable),
};

const wire = objectOf({ name: text, open: callable, accumulator: callable });
const wires = listOf(wire);
const wireList: Shape = (value) => wires(value) ?? some(value);
const some = expecting("at least one wire", (value) => (value as readonly unknown[]).length > 0);
const misplaced = `${stray}; those of sessions stand in sessions`;
const shapes: Readonly<Record<"fetch" | "middleware", Shape>> = {
  fetch: objectOf({ ...members, wires: wireList, fetch: optional(callable) }, misplaced),
  middleware: objectOf({ ...members, wire: optional(wire) }, misplaced),
};

/** @throws {OptionError} naming the first wrong option by its path. */
export function checkContextOptions(options: ContextOptions, place: "fetch" | "middleware"): void {
  checked(options, shapes[place]);
}

/** Options of a session that the place where it is used decides. */
const decided = ["wire", "headers", "history"] as const;
const defaults = objectOf({ ...optionShapes, identity: optional(identityDefaultsShape) }, stray);

/** Wrong options of sessions are told when they are handed over, not by the first request. @throws {OptionError} naming the first wrong one by its path. */
export function checkSessionDefaults(sessions: ContextOptions["sessions"]): void {
  if (typeof sessions !== "object") return;
  const own = decided.find((name) => (sessions as Partial<SessionOptions>)[name] !== undefined);
  if (own !== undefined)
    throw new OptionError(`$.sessions.${own}`, "it is decided here; leave it away, or hand over a function that makes sessions");
  checked(sessions, defaults, "sessions");
}

function isOptionsOrFunction(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}
