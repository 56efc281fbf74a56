import type { ObjectValue, Profile } from "@tidemark/core";
import { digest, link } from "../digest.ts";
import { objectOf, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import type { Encrypter, Seal } from "./ciphertext.ts";
import { headPieces, itemPieces } from "./pieces.ts";

export type CheckedReasoning = {
  /** The items that are rendered: without reasoning that was left out. */
  readonly items: readonly ObjectValue[];
  /** What was left out and why, as the reply reports it. */
  readonly transformations: readonly ObjectValue[];
  /** What reasoning made now is bound to. */
  readonly seal: Seal;
};

export type Account = { readonly organisation: string; readonly endUser: string };

/**
 * Holds encrypted reasoning against the prefix that it was made over: what was changed, or comes from elsewhere, is refused (OR-08); on models that
 * bind it, reasoning behind another prefix, of another model, account or end user is left out and reported, and the request succeeds
 * (OR-21). `reasoning.context: "current_turn"` leaves out what earlier turns thought.
 */
export function checkReasoning(
  request: ObjectValue,
  items: readonly ObjectValue[],
  encrypter: Encrypter,
  { profile, account }: { readonly profile: Profile; readonly account: Account },
): CheckedReasoning {
  const binds = profile.bindsReasoning === "yes";
  const turnStart = contextOf(request, profile) === "current_turn" ? items.findLastIndex(({ role }) => role === "user") : 0;
  const shown: ObjectValue[] = [];
  const transformations: ObjectValue[] = [];
  let chain = headChain(request, profile);
  for (const [index, item] of items.entries()) {
    const seal = item.type === "reasoning" ? openSeal(item, index, encrypter, binds ? undefined : account) : undefined;
    const mismatch = seal !== undefined && binds ? mismatchOf(seal, { model: profile.id, ...account, prefix: chain }) : undefined;
    const reason = mismatch ?? (seal !== undefined && index < turnStart ? "turn_boundary" : undefined);
    if (reason !== undefined) transformations.push({ type: "reasoning", id: stringOf(item.id), action: "removed", reason });
    else shown.push(item);
    if (mismatch === undefined) chain = afterItem(chain, item);
  }
  return { items: shown, transformations, seal: { model: profile.id, ...account, prefix: chain } };
}

/** What the first reasoning of a window is bound to. */
export function headChain(request: ObjectValue, profile: Profile): string {
  const pieces = headPieces({ tools: request.tools ?? [], instructions: request.instructions ?? null }, profile);
  return digest(pieces.map(({ text }) => text).join("\n"));
}

/** What later reasoning is bound to, with one more item before it. */
export function afterItem(chain: string, item: ObjectValue): string {
  return itemPieces(item).reduce((digest, { text }) => link(digest, text), chain);
}

export function endUserOf(request: ObjectValue): string {
  return stringOf(request.safety_identifier) || stringOf(request.user);
}

function contextOf(request: ObjectValue, profile: Profile): string {
  const asked = stringOf(objectOf(request.reasoning).context);
  if (asked !== "" && asked !== "auto") return asked;
  return profile.traits.includes("current-turn") ? "current_turn" : "all_turns";
}

/** Before GPT-6.2 another organisation's ciphertext cannot be read. */
function openSeal(item: ObjectValue, index: number, encrypter: Encrypter, account: Account | undefined): Seal {
  const code = stringOf(item.encrypted_content);
  const seal = encrypter.open(code);
  if (seal !== undefined && (account === undefined || seal.organisation === account.organisation)) return seal;
  const text = `The encrypted content ${code.slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  throw new Refusal(400, text, { rule: "OR-08", path: `input[${index}]`, code: "invalid_encrypted_content" });
}

function mismatchOf(seal: Seal, now: Seal): string | undefined {
  if (seal.organisation !== now.organisation) return "organization_mismatch";
  if (seal.endUser !== now.endUser) return "end_user_mismatch";
  if (seal.model !== now.model) return "model_mismatch";
  return seal.prefix === now.prefix ? undefined : "prefix_mismatch";
}
