import type { ObjectValue, Profile } from "@tidemark/core";
import { objectsOf, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { blocksOf, isThinking, pathOf, proofOf } from "./blocks.ts";
import type { IssuedReplies, IssuedReply } from "./issued.ts";

/** An open tool loop's latest assistant turn: results stand behind it, no other reply does. `from`: its first message. */
export type OpenTurn = {
  readonly from: number;
  readonly blocks: readonly ObjectValue[];
  readonly replies: readonly IssuedReply[];
};

/** AN-14: an open tool loop's latest assistant turn keeps the thinking that it was given with. */
export function checkOpenTurn(
  turn: OpenTurn,
  issued: IssuedReplies,
  reader: { readonly profile: Profile; readonly organisation: string },
): void {
  for (const reply of turn.replies) {
    const owed = reads(reader, reply) ? reply.thinking.filter((block) => !issued.isReleased(block)) : [];
    if (!holdsThinking(turn.blocks, owed)) throw cannotBeModified(turn);
  }
}

/** AN-15 cannot ask for thinking that the replies of the open turn never had. */
export function neverThought(turn: OpenTurn | undefined): boolean {
  return turn !== undefined && turn.replies.length > 0 && turn.replies.every((reply) => reply.thinking.length === 0);
}

export function openTurn(request: ObjectValue, issued: IssuedReplies): OpenTurn | undefined {
  const messages = objectsOf(request.messages);
  const last = messages.findLastIndex((message) => message.role === "assistant");
  if (last < 0 || !messages.slice(last + 1).some(holdsResult)) return undefined;
  let from = last;
  while (messages[from - 1]?.role === "assistant") from--;
  const blocks = messages.slice(from, last + 1).flatMap((message) => blocksOf(message.content));
  const replies = blocks.flatMap((block) => (block.type === "tool_use" ? (issued.byCall(stringOf(block.id)) ?? []) : []));
  return { from, blocks, replies: [...new Set(replies)] };
}

function holdsResult(message: ObjectValue): boolean {
  return message.role === "user" && blocksOf(message.content).some((block) => block.type === "tool_result");
}

/** Thinking that this model would not be shown may as well be gone. */
function reads(reader: { readonly profile: Profile; readonly organisation: string }, reply: IssuedReply): boolean {
  if (reply.organisation !== reader.organisation) return false;
  return reply.model === reader.profile.id || reader.profile.readsReasoningOf.includes(reply.model);
}

/** Whether thinking stands in the turn: all of it, in its order, unchanged. */
function holdsThinking(turn: readonly ObjectValue[], owed: readonly ObjectValue[]): boolean {
  const sent = turn.filter(isThinking);
  let at = 0;
  for (const block of owed) {
    while (at < sent.length && proofOf(sent[at] as ObjectValue) !== proofOf(block)) at++;
    if (at === sent.length || stringOf(sent[at]?.thinking) !== stringOf(block.thinking)) return false;
    at++;
  }
  return true;
}

function cannotBeModified(turn: OpenTurn): Refusal {
  const path = pathOf(turn.from, 0);
  const text =
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.";
  return new Refusal(400, `${path}: ${text}`, { rule: "AN-14", path });
}

/** AN-28: a turn that had a fallback block keeps it. */
export function checkFallbacks(request: ObjectValue, issued: IssuedReplies): void {
  for (const [index, message] of objectsOf(request.messages).entries()) {
    if (message.role !== "assistant") continue;
    const blocks = blocksOf(message.content);
    const owes = blocks.some((block) => isThinking(block) && issued.byProof(proofOf(block))?.hasFallback === true);
    if (!owes || blocks.some((block) => block.type === "fallback")) continue;
    const path = `messages.${index}.content`;
    throw new Refusal(400, `${path}: the \`fallback\` block of the original response is missing. It must stay at its place.`, {
      rule: "AN-28",
      path,
    });
  }
}
