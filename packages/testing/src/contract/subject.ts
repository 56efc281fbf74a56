import type { ObjectValue, Usage, Wire } from "@tidemark/core";
import type { ContractPromise } from "./promises.ts";

/** A call of a reply, in no wire's words. */
export type SaidCall = { readonly id: string; readonly name: string; readonly input: ObjectValue };

/** What a reply says, in no wire's words and in this order. */
export type Said = { readonly reasoning?: string; readonly text?: string; readonly calls?: readonly SaidCall[] };

export type SaidResult = { readonly id: string; readonly name: string; readonly text: string };

/** A request that breaks a shape rule, and the nearest one that does not. */
export type RuleSample = {
  /** Number of the rule: `AN-04`. */
  readonly rule: string;
  readonly fails: object;
  readonly passes: object;
  /** Beta names and API version in force, where the rule looks at them. */
  readonly betas?: readonly string[];
  readonly version?: string;
};

/** A wire, one dialect of it where it has several, and small samples in its own format. */
export type WireSubject<Request extends object = object> = {
  /** `anthropic`, `openai-chat, deepseek`. */
  readonly name: string;
  readonly wire: Wire<Request>;
  /** A model that sends reasoning, where one does. */
  readonly model: string;
  /** A model that does not read the reasoning of the first. */
  readonly otherModel: string;
  /** A whole request: these messages behind a system text, with the tools `look` and `ask`. */
  request(messages: readonly ObjectValue[], model: string): object;
  /** A user message that says one text. */
  user(text: string): ObjectValue;
  /** Results of one batch as a host hands them over: a message or several. Called with one result, too. */
  results(results: readonly SaidResult[]): readonly ObjectValue[];
  /** The provider's whole reply, finished, with its usage; reasoning as the provider gives it (signed where it signs). */
  reply(said: Said): ObjectValue;
  /** The same reply as stream events, its texts cut into pieces of this many UTF-16 units. */
  stream(reply: ObjectValue, pieceUnits: number): readonly object[];
  /** The `position`th call id as the provider writes ids. Absent: `call_1`. */
  callId?(position: number): string;
  /** The form in which the wire sends a message that came in another. Absent: as it came. */
  sent?(message: ObjectValue): ObjectValue;
  /** A message of a reply as a store keeps it that drops reasoning. */
  withoutReasoning(message: ObjectValue): ObjectValue;
  /** Whether its sessions refuse what the provider is only likely to reject, too. Absent: they do. */
  readonly strict?: boolean;
  readonly samples: WireSamples;
  /** Promises that this wire cannot keep, each with the reason in words. They are skipped, and the report shows why. */
  readonly exempt?: { readonly [promise in ContractPromise]?: string };
};

export type WireSamples = {
  /** Replies that must go out again as they came, beside those that {@link WireSubject.reply} makes: server tools, refusals, parts of every kind. */
  readonly replies: readonly { readonly title: string; readonly reply: ObjectValue }[];
  readonly rules: readonly RuleSample[];
  /** Messages that the provider reads alike: the second list is handed over where the first was sent. A user turn first, and nothing pending at the end. */
  readonly alike: readonly { readonly title: string; readonly given: readonly ObjectValue[]; readonly again: readonly ObjectValue[] }[];
  /** A reply for each way of reporting, one with a cache read of 0 and one without any usage among them. */
  readonly usages: readonly { readonly title: string; readonly reply: ObjectValue; readonly usage: Usage }[];
  /** Errors, as an SDK throws them or as the body that was received; `says` undefined: it is not about length. */
  readonly overflows: readonly {
    readonly error: unknown;
    readonly says: { readonly tokens?: number; readonly limit?: number } | undefined;
  }[];
  /** Marks as hosts set them: a request with marks, on its system text, tools and messages where the wire has them there. Empty: the wire has no marks. */
  readonly marked: readonly object[];
  /** User or assistant messages with a block or a member that no version of the wire knows. */
  readonly unknown: readonly { readonly title: string; readonly message: ObjectValue }[];
};
