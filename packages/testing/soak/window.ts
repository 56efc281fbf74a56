import { type Block, blocksOf, isInLoop, type Message } from "./history.ts";
import { type AnyMessage, answeredTo, bytesOf, givenChain, sortedJson } from "./plain-model.ts";
import type { ReadRequest, SoakRequest } from "./request.ts";
import type { Side } from "./sides/side.ts";
import type { Told } from "./way-in.ts";
import { type Word, wordsIn, wordsOf } from "./words.ts";

/** The head of a request, field by field, as text that says what the provider reads. */
type HeadTexts = { readonly model: string; readonly system: string; readonly tools: string; readonly params: string };
export const headFields = ["model", "system", "tools", "params"] as const;

/** A request as the host handed it over. */
export type Given = {
  readonly head: HeadTexts;
  /** How many messages it had. */
  readonly messages: number;
  readonly chain: readonly string[];
  readonly words: readonly Word[];
  /** What the model has not seen and is asked about: the results of the last calls, and the last words of the user. */
  readonly unseen: readonly Word[];
  readonly systemWords: readonly Word[];
  /** What of the host's history is the head, where that is no field: leading system messages (rule 26). */
  readonly headWords: readonly Word[];
};

/** What the soak remembers of a prepared request. */
export type Window = {
  readonly given: Given;
  readonly head: HeadTexts;
  /** The head as it was sent, key order and all. */
  readonly headBytes: HeadTexts;
  readonly messages: readonly AnyMessage[];
  readonly bytes: readonly string[];
  readonly words: readonly Word[];
  readonly systemWords: readonly Word[];
  /** Of messages that were in the head at some time: what was said of them in the conversation stays. */
  readonly headWords: readonly Word[];
  /** The window read as a history that a host might store. */
  readonly asGiven: readonly string[];
  readonly answeredTo: number;
  /** How many messages of the list are the head, where it has no field of its own. */
  readonly lead: number;
  /** Checkpoints up to this request. */
  readonly breaks: number;
  /** Changes that are held until the loop is over, and such as stand under a folded loop: they change nothing that was sent. */
  readonly held: number;
  readonly underRecap: number;
  readonly inLoop: boolean;
  /** What the provider did with it, once it was sent. */
  readonly fate: Fate;
};

type Fate = {
  /** The provider dropped reasoning of it. */
  dropped: boolean;
  /** The signatures of what it dropped because of what stands before it. */
  unread: readonly string[];
  /** The reply that was kept and, unless the host never settles, settled. */
  reply: readonly Block[] | undefined;
  /** The session that prepared it is gone: what it would have taken on trust is lost. */
  restored: boolean;
};

/** `history`: all that the host believes to be in the conversation, also where it hands over only a part. */
export function givenOf(request: SoakRequest, history: readonly Message[], side: Side): Given {
  const tools = request.tools.map(sortedJson).sort();
  return {
    head: { ...headOf(request), system: systemText(request.system, sortedJson), tools: tools.join("\n") },
    messages: history.length,
    chain: givenChain(history),
    words: wordsOf(history),
    unseen: unseenIn(history),
    systemWords: wordsIn(JSON.stringify(request.system)),
    headWords: wordsIn(JSON.stringify(side.read(side.request({ ...request, messages: [...history] })).system)),
  };
}

export function windowOf(request: ReadRequest, given: Given, { repairs, continuity }: Told, before: Window | undefined): Window {
  const { held, underRecap } = repairs;
  const { model, params, system, isSystemBehind, tools, lead, native, messages } = request;
  const systemHead = (text: (value: unknown) => string): string => (isSystemBehind ? "" : systemText(system, text));
  return {
    given,
    head: { model, params, system: systemHead(sortedJson), tools: tools.map(sortedJson).join("\n") },
    headBytes: { model, params, system: systemHead(bytesOf), tools: bytesOf(tools) },
    messages,
    bytes: native.map(bytesOf),
    words: wordsOf(messages),
    systemWords: wordsIn(JSON.stringify(request.system)),
    headWords: [...new Set([...(before?.headWords ?? []), ...given.headWords])],
    asGiven: givenChain(messages),
    answeredTo: answeredTo(messages),
    lead,
    breaks: (before?.breaks ?? 0) + continuity.checkpoints.length,
    held,
    underRecap,
    inLoop: isInLoop(messages),
    fate: { dropped: false, unread: [], reply: undefined, restored: false },
  };
}

function headOf({ model, thinking, output_config }: SoakRequest): Pick<HeadTexts, "model" | "params"> {
  return { model, params: `thinking ${thinking.type}, effort ${output_config?.effort}` };
}

/** A string is one text block. */
function systemText(system: unknown, text: (value: unknown) => string): string {
  return text(typeof system === "string" ? blocksOf({ content: system }) : system);
}

function unseenIn(history: readonly AnyMessage[]): readonly Word[] {
  const behind = history.slice(answeredTo(history));
  const calls = new Set(history.slice(lastRow(history)).flatMap((message) => blocksOf(message).map(({ id }) => id)));
  const results = behind.flatMap((message) =>
    blocksOf(message).filter(({ type, tool_use_id }) => type === "tool_result" && calls.has(tool_use_id)),
  );
  const said = behind.flatMap((message) => blocksOf(message).filter((block) => block.type === "text")).slice(-1);
  return wordsOf([{ role: "user", content: [...results, ...said] }]);
}

/** A window's fate goes on, also when the session is restored from a snapshot of before. */
export function asOfNow(window: Window | undefined): Window | undefined {
  return window && { ...window, fate: { ...window.fate } };
}

/** Where the last row of replies begins. */
export function lastRow(messages: readonly { readonly role: string }[]): number {
  let from = messages.findLastIndex((message) => message.role === "assistant");
  while (messages[from - 1]?.role === "assistant") from--;
  return from;
}
