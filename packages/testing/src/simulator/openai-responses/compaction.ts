import type { ObjectValue } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { objectsOf, stringOf, without } from "../json.ts";
import { Refusal } from "../refusal.ts";
import type { Encrypter } from "./ciphertext.ts";
import type { Account } from "./reasoning-check.ts";

/**
 * How a request asks for a compaction (facts 2.5). `endpoint`: it came to `/responses/compact`. `trigger`: it ends in a `compaction_trigger`. A number: the provider does it by itself
 * above so many tokens.
 */
export type AskedCompaction = "endpoint" | "trigger" | number | undefined;

export function askedCompaction(path: string, request: ObjectValue, items: readonly ObjectValue[]): AskedCompaction {
  if (path.endsWith("/compact")) return "endpoint";
  if (items.at(-1)?.type === "compaction_trigger") return "trigger";
  const threshold = objectsOf(request.context_management).find(({ type }) => type === "compaction")?.compact_threshold;
  return typeof threshold === "number" ? threshold : undefined;
}

export type Compacting = { readonly encrypter: Encrypter; readonly chance: Chance; readonly account: Account };

/** What the item says of its making. */
const kinds = { threshold: "threshold", asked: "asked" } as const;

export function compactionItem(
  summary: string,
  asked: AskedCompaction,
  model: string,
  { encrypter, chance, account }: Compacting,
): ObjectValue {
  const prefix = typeof asked === "number" ? kinds.threshold : kinds.asked;
  const encrypted_content = encrypter.seal(`compaction ${summary}`, { model, ...account, prefix });
  return { id: `cmp_${chance.token(48)}`, type: "compaction", encrypted_content };
}

/** The endpoint gives the user's messages and the item: the next window as it stands. */
export function compactedWindow(items: readonly ObjectValue[], item: ObjectValue): readonly ObjectValue[] {
  return [...items.filter(({ type = "message", role }) => type === "message" && role === "user"), item];
}

/**
 * The items that are read: those before the last item that the provider made by its threshold are pruned; a window that was asked for is read whole. The trigger itself says nothing.
 * @throws {Refusal} OR-16 for an item that was changed or made elsewhere, or a compaction of nothing.
 */
export function itemsRead(items: readonly ObjectValue[], encrypter: Encrypter): readonly ObjectValue[] {
  let from = 0;
  for (const [index, item] of items.entries()) {
    if (item.type !== "compaction") continue;
    const seal = encrypter.open(stringOf(item.encrypted_content));
    if (seal === undefined || !Object.values<string>(kinds).includes(seal.prefix)) throw changed(index, stringOf(item.encrypted_content));
    if (seal.prefix === kinds.threshold) from = index;
  }
  return items.slice(from).filter(({ type }) => type !== "compaction_trigger");
}

export function assertCompactable(asked: AskedCompaction, items: readonly ObjectValue[]): void {
  if (typeof asked !== "string" || items.length > 0) return;
  throw new Refusal(400, "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.", {
    rule: "OR-16",
    path: "input",
    code: "empty_array",
  });
}

function changed(index: number, code: string): Refusal {
  const text = `The encrypted content ${code.slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  return new Refusal(400, text, { rule: "OR-16", path: `input[${index}]`, code: "invalid_encrypted_content" });
}

/** A compaction of its own, as the endpoint answers. */
export function compactionResponse(id: string, createdAt: number, output: readonly ObjectValue[], usage: ObjectValue): ObjectValue {
  return {
    id,
    object: "response.compaction",
    created_at: createdAt,
    output: output.map((item) => without(item, "prompt_cache_breakpoint")),
    usage,
  };
}
