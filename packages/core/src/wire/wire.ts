import type { ObjectValue, Value } from "../json/value.ts";
import type { Head, OpenRequest, RequestPlaces } from "./head.ts";
import type { WireHttp } from "./http.ts";
import type { InBand } from "./in-band.ts";
import type { Profile } from "./profile.ts";
import type { ReplyReading } from "./reply.ts";
import type { ShapeRule } from "./rule.ts";
import type { NamedCall, Reading, Role, Unit } from "./unit.ts";

/**
 * A provider's request format. An adapter implements it in one folder; the floors above know wires only through it.
 * Everything is pure: no network, no clock, no state. `Request` is the least structure that a request must have; what goes
 * into a session as `R extends Request` comes out as `R`.
 */
export interface Wire<Request extends object = object> {
  /** `anthropic`, `openai-chat`: also what `checkPrefixContinuity` and snapshots call it. */
  readonly name: string;
  /** Which of its servers it speaks to, where they differ in what their messages may hold. Absent: there is one. */
  readonly dialect?: string;
  readonly abilities: WireAbilities;
  /** How its requests go over HTTP, for `contextFetch`. Absent: it passes them by. */
  readonly http?: WireHttp;

  /** Whether a request looks like this wire's. Used by `checkPrefixContinuity` when it is not told. */
  recognises(request: ObjectValue): boolean;

  /**
   * Takes a request apart.
   * @throws {TidemarkError} `invalid-request` with the path of what is missing or has the wrong type.
   */
  open(request: Request): OpenRequest;
  /** Puts a request together: the host's own request with this head and these messages in place of its own; all else is as the host gave it. */
  close<R extends Request>(request: R, head: Head, messages: readonly ObjectValue[]): R;

  /** Reads a message (a private copy). @throws {TidemarkError} `invalid-message` with a path inside the message. */
  read(message: ObjectValue): Reading;
  /** Puts units together to one message in the wire's key order: the inverse of `read` but for representation. Results come alone where `abilities` join none. */
  compose(nativeRole: string, units: readonly Unit[]): ObjectValue;

  /**
   * The units of a reply as they may go out together, where a wire ties them to each other (rule 15: all or nothing). What they are tied by goes with what is missing.
   * `compose` does the same. Absent: every unit stands for itself.
   */
  asReply?(units: readonly Unit[]): readonly Unit[];
  /** The native messages as which a composed one goes out, where a reply is several. Absent: it goes out as it is. */
  spread?(message: ObjectValue): readonly ObjectValue[];

  /** Text of one role, for what Tidemark itself says: events, notices, folded loops. `system` only where the profile has positional system messages. */
  say(role: Role, text: string): ObjectValue;
  /** A call that was made on another wire, as this one has it. Absent: it goes in words. */
  callFor?(call: NamedCall): Unit & { readonly kind: "call" };
  /** A result that Tidemark makes up for a call without one. */
  resultFor(call: Unit & { readonly kind: "call" }, text: string): Unit;
  /** The same unit with another id, or with other text in place of its content (a placeholder, a cap). */
  withId(unit: Unit & { readonly kind: "call" | "result" }, id: string): Unit;
  withText(unit: Unit & { readonly kind: "result" | "text" }, text: string): Unit;
  /** A result with words behind its own, where these stand apart from its media. Absent: words and media are parts of one list. */
  addWords?(result: Unit & { readonly kind: "result" }, words: string): Unit;
  /** A unit as readable text, for orphan and late results and for folded loops. */
  textOf(unit: Unit): string;

  /** The head's system text as one string. */
  systemText(head: Head): string;
  /** One more element of the head's system text. Absent: what would stand there is said as an event. */
  systemPart?(text: string): ObjectValue;
  /** Whether a system message stays where it stands on a model that takes none there by its words alone. Absent: it does not, and is said by the user. */
  systemStays?(message: ObjectValue, profile: Profile): boolean;
  /** Forms for changes in mid-conversation. Absent: there are none. */
  readonly inBand?: InBand;
  /** A tool definition's name. */
  toolName(tool: ObjectValue): string;
  /**
   * The request with these of its declared tools offered and no other (rule 25), where that changes nothing in the prefix; a `tool_choice` of the host's own stays. The same
   * request: this wire or server has no way to say so. Absent: never.
   */
  offer?<R extends Request>(request: R, names: readonly string[]): R;
  /** A function that Tidemark itself offers, as this wire declares one. Absent: it offers none here. */
  declareTool?(tool: ToolDefinition): ObjectValue;

  /** The wire's shape rules, in the order in which the provider looks. */
  readonly rules: readonly ShapeRule[];
  profile(model: string): Profile;
  /**
   * What a request itself says of its size in tokens, where the wire has its own places for that: the window that it asks for (never more than the model's), the cap of
   * its reply. Absent: requests name no window, and their cap is `max_tokens` or `max_completion_tokens`.
   */
  askedFor?(request: Request): { readonly window?: number; readonly output?: number };

  /** Reads a reply of this provider; throws `invalid-reply` for what is none. */
  readReply(reply: object): ReplyReading;
  /** Puts a streamed reply together; give the finished one to `settle`. */
  accumulator(): Accumulator;

  /** Marks an outgoing request for the cache. Must copy what it marks and must not change anything else (rule 54). */
  mark<R extends Request>(request: R, plan: MarkPlan): R;

  /** A message and the one behind it as one, where they are of one role and the provider refuses such neighbours; undefined: they go out as two. Absent: it takes them. */
  join?(message: ObjectValue, next: ObjectValue): ObjectValue | undefined;

  /** Under which names this wire's servers know a session: a member of the body, headers (rule 50). Absent: under none. */
  readonly identity?: { readonly field?: string; readonly headers?: readonly string[] };

  /** Asks the provider, in an outgoing request, why its cache does not help where it does not, in comparison with an earlier reply. Absent: it cannot be asked. */
  diagnose?<R extends Request>(request: R, replyId: string): R;

  /** Whether anything in an outgoing request asks for the cache: a mark, or a provider that caches by itself. */
  asksForCache(request: Request): boolean;

  /** Whether an error says that the prompt was too long, with the figures if it names them. Recognised by a table with samples. */
  readOverflow(error: unknown): { readonly tokens?: number; readonly limit?: number } | undefined;

  /** Where the provider compacts a conversation when it is asked to (rule 42). Absent: it does not. */
  readonly compaction?: Compaction<Request>;

  /**
   * Writes binding controls into a request, from the session's first one on (rule 58): what the provider shall do with reasoning whose prefix
   * changed. Returns the request and the headers that it needs; where the request itself names betas, they are added there and no header is needed.
   * Absent: the wire has no such controls. A model without them, or a host that wrote its own, gets the request back as it was.
   */
  control?<R extends Request>(
    request: R,
    mismatch: "drop" | "error",
  ): { readonly request: R; readonly headers: Readonly<Record<string, string>> };
}

/** A provider's own compaction: what it was sent becomes one block that only the provider can write. */
export interface Compaction<Request extends object> {
  /** Kept turns keep their reasoning behind the block. False: it is void where the model binds it. */
  readonly keepsReasoning: boolean;
  /** Betas that each request with such a block must name. */
  readonly betas: readonly string[];
  /** Whether this model does it. */
  offered(model: string): boolean;
  /** The same request, asking for the block. Headers are needed where the request does not name betas itself. */
  ask<R extends Request>(
    request: R,
    instructions: string | undefined,
  ): { readonly request: R; readonly headers: Readonly<Record<string, string>> };
  /** The block of a reply, as the messages that stand first from now on; a string says why there is none. */
  read(reply: object): readonly ObjectValue[] | string;
  /** Whether a message is such a block. */
  holds(message: ObjectValue): boolean;
  /** The provider does it by itself, above a number of tokens, and its block stands in the reply. Absent: it does not. */
  readonly threshold?: ThresholdCompaction<Request>;
}

export interface ThresholdCompaction<Request extends object> {
  /** Betas that each request which asks for it, or holds such a block, must name. */
  readonly betas: readonly string[];
  /** The same request, with the threshold. One that the host wrote itself stands. */
  ask<R extends Request>(request: R, threshold: Threshold): R;
  /** Whether a message holds such a block: the provider reads nothing before it any more. */
  restarts(message: ObjectValue): boolean;
}

/** Tokens of a request above which the provider compacts, and what it is told to keep, where it takes that. */
export type Threshold = { readonly tokens: number; readonly instructions?: string | undefined };

/** A function as every wire knows it. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: ObjectValue;
};

export type WireAbilities = {
  /** Beginnings of the media types that the wire takes: `image/png`, `text/`. Absent: any. */
  readonly media?: readonly string[];
  /** Results take no media. Absent: they do. */
  readonly plainResults?: true;
  /** Results of a batch and the user text behind them are one message (Anthropic) or each a message of its own (Chat). */
  readonly resultsJoinUserTurn: boolean;
  /** Results of a batch are one message, and the user text behind them another. Absent: as {@link resultsJoinUserTurn} says. */
  readonly resultsTogether?: boolean;
  /** The host's framework writes the arguments of a reply's calls anew (defaults of a schema filled in): a settled reply is found again by its calls' ids and names. */
  readonly callsRewritten?: boolean;
  /** Call ids must be unique in a request; a repeated one is mapped at admission (rule 12). */
  readonly callIdsUnique: boolean;
  /** A result may name its call's tool in place of an id, or nothing: it then answers the first call without a result. Absent: it names the id. */
  readonly resultsByName?: boolean;
  /** A request whose last calls have no results yet is refused (rule 12). */
  readonly refusesPendingCalls: boolean;
  /** The first message must be the user's. */
  readonly userFirst: boolean;
  /** So many cache marks a request may have; absent: any number. */
  readonly cacheMarksMax?: number;
  /** A message may be one empty text. Where not, such a message is left out. */
  readonly emptyText: boolean;
  /** Where a positional system or developer message may stand on a model that takes one: `behind-user` is behind a user turn, and last or before an assistant message. */
  readonly systemPlace: "anywhere" | "behind-user";
  /** User text may stand right behind results. Absent: it may; where not, what is said there waits for the next user turn. */
  readonly textBehindResults?: boolean;
  /** Replies report the reasoning that the provider dropped, once {@link Wire.control} has asked for it. */
  readonly reportsDroppedReasoning: boolean;
  /** Reasoning without signature may be sent (rule 15). */
  readonly sendsUnsignedReasoning: boolean;
  /** Neighbours of one role are read as one turn, however they are cut into messages. Absent: as `resultsJoinUserTurn`. */
  readonly mergesTurns?: boolean;
  /** A row of assistant messages is one reply, which `compose` makes one message of and `spread` takes apart again. Absent: each message is a reply of its own. */
  readonly repliesInRows?: boolean;
  /** Messages of one role may stand side by side, so that a reply of which nothing is left is left out (rule 27). Absent: a placeholder keeps its place. */
  readonly repliesMayVanish?: boolean;
  /** Where a request holds its parts, for the paths of reports. Absent members: see `places.ts`. */
  readonly places?: RequestPlaces;
};

export type MarkPlan = {
  readonly mode: "automatic" | "planned" | "off";
  readonly ttl: string | undefined;
  /** Marks of the host, by their place in the outgoing request. `block` counts the blocks of the composed message. */
  readonly hostMarks: readonly HostMark[];
  /** Position of the last message that the next request is sure to repeat. */
  readonly repeatsTo: number;
  /** Position of the message that ended the previous request, where it is still repeated. */
  readonly lagging: number | undefined;
};

export type HostMark =
  | { readonly part: "system" | "tools"; readonly index: number; readonly mark: Value }
  | { readonly part: "messages"; readonly message: number; readonly block: number; readonly mark: Value };

/** Feed it a provider's stream events (parsed), then take the reply. The same contract on every wire. */
export interface Accumulator {
  /** One parsed stream event or chunk. Unknown ones are ignored. */
  add(event: object): void;
  /** The reply as the provider would have answered without streaming; `finished` tells whether the stream said that it was complete. */
  reply(): { readonly reply: object; readonly finished: boolean };
}
