import { type BudgetOptions, budgetShape } from "../budget/limits.ts";
import { callable, expecting, flag, listOf, type Misfit, objectOf, oneOf, optional, type Shape, text } from "../json/check.ts";
import type { Value } from "../json/value.ts";
import type { AdmissionPolicy, CallReason } from "../ledger/admission.ts";
import type { MediumFacts } from "../ledger/media-left-out.ts";
import type { ReplayLog } from "../ledger/replay-log.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { RunnerOptions } from "../overflow/runner.ts";
import { isStrategy, type OverflowStrategy, strategyShape } from "../overflow/strategy.ts";
import type { Archive } from "../sources/archive.ts";
import type { MediaStore } from "../sources/media-store.ts";
import type { OwnTool } from "../sources/own-tool.ts";
import { channelShape, kindsInOrder, type Source } from "../sources/source.ts";
import { checked, stray, wireShape } from "../wire/checked.ts";
import { sliced } from "../wire/sliced-count.ts";
import { estimateText } from "../wire/tokens.ts";
import type { Wire } from "../wire/wire.ts";
import { identityShape, lacksAccount, type SessionIdentity } from "./identity.ts";
import type { PinView } from "./pins.ts";

/** How a session is made. Everything but `wire` has a default; a wrong option fails at construction and is named by its path. */
export type SessionOptions<Request extends object = object> = {
  /** The adapter: `anthropic()`, `openaiChat()`. */
  readonly wire: Wire<Request>;
  /**
   * `full` (default): the host hands over its whole history each time. `new`: it hands over new messages only, the session owns the history and takes replies from `settle`.
   * `tail`: it hands over what was kept behind the last landing, and what is new.
   */
  readonly history?: "full" | "new" | "tail" | undefined;
  /**
   * What a changed system text does. `checkpoint` (default): it replaces the old one, and everything behind it is uncached. `append`: the first one stays, changed lines are
   * said as one system message at the end, on models that take one.
   */
  readonly systemChanges?: "checkpoint" | "append" | undefined;
  /**
   * What a changed tool list does. `checkpoint` (default): it replaces the old one. `append`: tools stay declared as they were first sent; new and withdrawn ones are said in band
   * on wires that have a form for it, and calls of withdrawn ones are refused at dispatch (`session.checkCall`).
   */
  readonly toolChanges?: "checkpoint" | "append" | undefined;
  /**
   * What a changed effort (and, on OpenAI Responses, output schema) does. `append` (default): on models that have a form for it the request keeps the first one, and the change is said in the
   * conversation; where that needs a beta header, it is named from the first request on. `checkpoint`: it changes the request.
   */
  readonly settingChanges?: "checkpoint" | "append" | undefined;
  /** Other names by which calls may come, and the tool that each means: `{ shell: "bash" }`. */
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  /** Whether signed, encrypted or plain reasoning goes back to the model that made it. Default `replay`. */
  readonly reasoning?: "replay" | "omit" | undefined;
  /** What a history that lost its oldest turns does. `obey` (default): they leave the window, a `history` checkpoint at 0. `ignore`: the window keeps them. */
  readonly trims?: "obey" | "ignore" | undefined;
  /** Names of message members that are the host's own metadata: neither sent nor compared. */
  readonly ignore?: readonly string[] | undefined;
  /** What speaks into the window by appended events: state, announcements, retrieval, a clock, a skill, guardrails. Each id once. */
  readonly sources?: readonly Source<never>[] | undefined;
  /** Cap of a tool result in tokens, for all tools or by name; `false`: none. Default: 1/48 of the high water mark, within 3,072 and 16,384. */
  readonly toolResultCap?: number | false | ((tool: string, standard: number) => number | false | undefined) | undefined;
  /** Keeps the whole of what a window shows only in part, and gives the model the recall tool (`session.tools.own`) to read it. Default: none. */
  readonly archive?: Archive | undefined;
  /** Keeps the bytes of media for restored sessions that own their history. Snapshots hold digests only. */
  readonly media?: MediaStore | undefined;
  /** Cache marks. `automatic` (default): the provider places them. `planned`: Tidemark does. `off`: only the host's. */
  readonly cache?: "automatic" | "planned" | "off" | undefined;
  /** Ask the provider why its cache does not help, where it can say: `session.explain()` joins the answer. Default `false`. */
  readonly diagnostics?: boolean | undefined;
  /** Lifetime that cache marks ask for, such as `1h`; default: the provider's. Fixed for the session. */
  readonly ttl?: string | undefined;
  /** The host sends `turn.headers` with the request. Only then fields are written that need a beta header (default `false`). */
  readonly headers?: boolean | undefined;
  /** What the provider is asked to do with reasoning whose prefix changed, where `headers` allow it. Default `drop`; `error` in tests. */
  readonly reasoningMismatch?: "drop" | "error" | undefined;
  /** Refuse also what the provider is only likely to reject, and throw on a broken invariant. For tests. */
  readonly strict?: boolean | undefined;
  /** Compare every rendered request with the one before, byte by byte. For tests and demos; costs a serialisation a request. */
  readonly selfCheck?: boolean | undefined;
  /** Runs over every text once, at admission. Snapshot, log and request then agree. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Whether a picture, sound, film or document may be sent. Asked once, when it is new; of one that may not the model is told (`repairs.mediaWithheld`). Must be pure. Default: all may. */
  readonly allowMedia?: ((medium: MediumFacts) => boolean) | undefined;
  /** Whether a call's result comes later, behind other turns: it gets an interim result at once. */
  readonly deferred?: ((call: { readonly id: string; readonly name: string }) => boolean) | undefined;
  /** Why a call that the conversation moved past has no result. Default `unknown`. */
  readonly callReason?: ((call: { readonly id: string; readonly name: string }) => CallReason) | undefined;
  /** Where a reader's result starts in its file, so that a cap's marker names the file's lines. */
  readonly lines?:
    | ((
        call: { readonly id: string; readonly name: string; readonly arguments: Value },
        result: string,
      ) => { readonly from: number } | undefined)
    | undefined;
  /** What the window may hold. Default: the model's window, cut nowhere unless there is an overflow strategy. */
  readonly budget?: BudgetOptions | undefined;
  /** What is done with a window that is above its marks, and what that is held to. Default: nothing; the window is measured and sent. */
  readonly overflow?: OverflowStrategy | OverflowOptions | undefined;
  /** Messages that no strategy may take away, beside those of `session.pin`. Asked at each step. */
  readonly pinned?: ((view: PinView) => boolean) | undefined;
  /** Counts tokens of a text. Default: an estimate by class of text. */
  readonly countText?: ((text: string) => number) | undefined;
  /** Address and account scope that reasoning is bound to, where a session talks to more than one. */
  readonly endpoint?: string | undefined;
  /** Who the session is to the provider's cache and router; what is needed beside the body comes as `turn.headers`. Default: nothing is sent. */
  readonly identity?: SessionIdentity | undefined;
  /** Records every prepared request, so that it can be rebuilt with {@link replay}. */
  readonly log?: ReplayLog | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
};

const strategyOrHeld = expecting(
  "a strategy, such as reset(), or { strategy }",
  (value) => typeof value === "object" && value !== null && "strategy" in value,
);
const amount = expecting("a number of at least 0", (value) => typeof value === "number" && value >= 0);
const heldStrategy = objectOf(
  {
    strategy: strategyShape,
    tool: optional(objectOf({ definition: objectOf({ name: text }), call: callable })),
    minimumGain: optional(amount),
    expectedTurns: optional(amount),
    pauseMs: optional(amount),
  },
  stray,
);

/** Every option but the wire. */
export const optionShapes: Readonly<Record<Exclude<keyof SessionOptions, "wire">, Shape>> = {
  history: optional(oneOf("full", "new", "tail")),
  systemChanges: optional(oneOf("checkpoint", "append")),
  toolChanges: optional(oneOf("checkpoint", "append")),
  settingChanges: optional(oneOf("checkpoint", "append")),
  toolAliases: optional(objectOf({})),
  reasoning: optional(oneOf("replay", "omit")),
  trims: optional(oneOf("obey", "ignore")),
  ignore: optional(listOf(text)),
  sources: optional(sourceList),
  toolResultCap: optional(expecting("a whole number of at least 64, false or a function", isCap)),
  media: optional(objectOf({ put: callable, get: callable })),
  archive: optional(objectOf({ put: callable, get: callable, recall: objectOf({ call: callable }) })),
  cache: optional(oneOf("automatic", "planned", "off")),
  diagnostics: optional(flag),
  ttl: optional(expecting("minutes or hours, such as 5m or 1h", (value) => typeof value === "string" && /^\d+[mh]$/.test(value))),
  headers: optional(flag),
  reasoningMismatch: optional(oneOf("drop", "error")),
  strict: optional(flag),
  selfCheck: optional(flag),
  redact: optional(callable),
  allowMedia: optional(callable),
  deferred: optional(callable),
  callReason: optional(callable),
  lines: optional(callable),
  budget: optional(budgetShape),
  overflow: optional((value) => (isStrategy(value) ? undefined : (strategyOrHeld(value) ?? heldStrategy(value)))),
  pinned: optional(callable),
  countText: optional(callable),
  endpoint: optional(text),
  identity: optional(identityShape),
  // By what it can do: the class itself is only in the bundle of a host that makes one.
  log: optional(objectOf({ begin: callable, request: callable, settled: callable, restarted: callable })),
  now: optional(callable),
};

const shape = objectOf({ wire: wireShape, ...optionShapes }, stray);

const sourceShape = listOf(objectOf({ id: text, kind: oneOf(...kindsInOrder), channel: channelShape, speak: callable }));

function sourceList(value: unknown): Misfit | undefined {
  const misfit = sourceShape(value);
  if (misfit !== undefined) return misfit;
  const ids = (value as readonly Source[]).map(({ id }) => id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index || id === "system");
  return twice < 0 ? undefined : { path: [twice, "id"], problem: `the id ${JSON.stringify(ids[twice])} is taken` };
}

/** A strategy may hold its own settings. */
export type OverflowOptions = RunnerOptions & {
  readonly strategy: OverflowStrategy;
  /** `newContext()`: the model may ask for a landing itself (`session.tools.own`). Default: it may not. */
  readonly tool?: OwnTool | undefined;
};

/** The strategy of a session's options, without what it is held to. */
export function strategyOf<R extends object>({ overflow }: SessionOptions<R>): OverflowStrategy | undefined {
  return overflow === undefined || "run" in overflow ? overflow : overflow.strategy;
}

/** Under a smaller cap nothing but the marker would be left of a result. */
function isCap(value: unknown): boolean {
  return value === false || typeof value === "function" || (Number.isInteger(value) && (value as number) >= 64);
}

/** @throws {OptionError} naming the first wrong option. */
export function checkOptions<R extends object>(options: SessionOptions<R>): SessionOptions<R> {
  return checked(options, shape);
}

/** Tokens within which the default cap of a tool result stays, and its share of the high water mark (rule 13). */
const resultCapTokens = { min: 3_072, max: 16_384, share: 48 };

/** What is decided once for a session and handed to every admission. */
export function admissionPolicy<R extends object>(
  options: SessionOptions<R>,
  wordings: Wordings,
  highWaterTokens: number | undefined,
  archived: AdmissionPolicy["archived"],
): AdmissionPolicy {
  const capOf = resultCapOf(options.toolResultCap, highWaterTokens);
  return {
    wordings,
    resultCap: (tool) => capOf(tool) ?? Number.POSITIVE_INFINITY,
    countText: options.countText === undefined ? estimateText : sliced(options.countText),
    archived,
    redact: options.redact,
    allowMedia: options.allowMedia,
    reasoning: lacksAccount(options) ? "omit" : (options.reasoning ?? "replay"),
    deferred: options.deferred ?? (() => false),
    callReason: options.callReason ?? (() => "unknown"),
    lines: options.lines,
  };
}

export function resultCapOf(option: SessionOptions["toolResultCap"], highWaterTokens = 0): (tool: string) => number | undefined {
  const standard = Math.min(Math.max(Math.floor(highWaterTokens / resultCapTokens.share), resultCapTokens.min), resultCapTokens.max);
  const asCap = (value: number | false | undefined): number | undefined => (value === false ? undefined : (value ?? standard));
  return typeof option === "function" ? (tool) => asCap(option(tool, standard)) : () => asCap(option);
}
