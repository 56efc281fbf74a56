import { type ObjectValue, TidemarkError } from "@tidemark/core";

/** One piece of a scripted reply, in the order in which the model says it. */
export type ReplyPart =
  /** Reasoning. Signed by the simulator where the wire signs; `redacted` hides its text. */
  | { readonly thinking: string; readonly redacted?: boolean }
  | { readonly text: string }
  | { readonly call: ScriptedCall }
  /** A block of the wire as it is, such as a recorded one. A thinking block among them is signed anew. */
  | { readonly block: ObjectValue };

/** A call without an id gets one by the simulator's seed. */
export type ScriptedCall = { readonly name: string; readonly input: ObjectValue; readonly id?: string };

/** What the model answers to one request, the same on every wire. */
export type ScriptedReply = {
  /** The short form of `parts`: thinking first, then text, then calls. */
  readonly thinking?: string | undefined;
  readonly text?: string | undefined;
  readonly calls?: readonly ScriptedCall[] | undefined;
  readonly parts?: readonly ReplyPart[] | undefined;
  /** A recorded reply, in the wire's own words: an assistant message. Its reasoning is signed anew. */
  readonly message?: ObjectValue | undefined;
  /** The wire's stop or finish reason, where it is not the usual one. */
  readonly stop?: string | undefined;
  /** The request fails although it was right. `network`: there is no answer at all. */
  readonly error?:
    | { readonly status: number; readonly message?: string | undefined; readonly type?: string | undefined }
    | "network"
    | undefined;
  /** A streamed reply ends after this many events: the connection breaks, or `cleanly` just closes. */
  readonly cut?: { readonly after: number; readonly cleanly?: boolean | undefined } | undefined;
  /** Text of the summary when the request asks for a compaction; null: there is none. */
  readonly summary?: string | null | undefined;
};

/** Answers the `position`th request that was found right, counted from 0. The response begins when it resolves. */
export type Script = (request: ObjectValue, position: number) => ScriptedReply | Promise<ScriptedReply>;

/** A list is answered in its order. @throws {TidemarkError} `script-exhausted` out of `fetch` when it has no more. */
export function scriptOf(script: Script | readonly ScriptedReply[] | undefined): Script {
  if (script === undefined) return () => ({ text: "Done." });
  if (typeof script === "function") return script;
  return (_request, position) => {
    const reply = script[position];
    if (reply !== undefined) return reply;
    throw new TidemarkError(
      "script-exhausted",
      `The script has ${script.length} replies, and request ${position + 1} asks for one more. Add a reply.`,
    );
  };
}

export function partsOf(reply: ScriptedReply): readonly ReplyPart[] {
  if (reply.parts !== undefined) return reply.parts;
  const parts: ReplyPart[] = [];
  if (reply.thinking !== undefined) parts.push({ thinking: reply.thinking });
  if (reply.text !== undefined) parts.push({ text: reply.text });
  for (const call of reply.calls ?? []) parts.push({ call });
  return parts;
}
