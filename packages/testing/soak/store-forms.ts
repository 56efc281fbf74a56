import type { Chance } from "../src/simulator/chance.ts";
import { type Block, blocksOf, clone, type Message } from "./history.ts";

/** What stores do to a history without changing what it says (rule 4): each makes a new one. */
const storeForms = {
  "keys sorted": (history: readonly Message[]): Message[] => sorted(history) as Message[],
  "strings as blocks": (history: readonly Message[]): Message[] =>
    history.map((message) => ({ ...message, content: blocksOf(message).map(resultAsBlocks) })),
  "blocks as strings": (history: readonly Message[]): Message[] =>
    history.map((message) => ({ ...message, content: asString(blocksOf(message).map(resultAsString)) })),
  "results reversed": (history: readonly Message[]): Message[] =>
    history.map((message) => (holdsOneResultACall(message) ? { ...message, content: [...blocksOf(message)].reverse() } : message)),
  "neighbours joined": (history: readonly Message[]): Message[] => {
    const joined: Message[] = [];
    for (const message of history) {
      const last = joined.at(-1);
      if (last?.role === message.role && message.role !== "system") last.content = [...blocksOf(last), ...blocksOf(message)];
      else joined.push({ ...message });
    }
    return joined;
  },
  "messages split": (history: readonly Message[]): Message[] =>
    history.flatMap((message) => {
      const blocks = blocksOf(message);
      if (message.role === "system" || blocks.length < 2) return [message];
      return blocks.map((block): Message => ({ role: message.role, content: [block] }));
    }),
  "nulls added": (history: readonly Message[]): Message[] => mapBlocks(history, withNulls),
  "nulls dropped": (history: readonly Message[]): Message[] =>
    // A provider's compaction is handed back as it is, or it is an edit (facts on compaction).
    mapBlocks(history, (block) => (block.type === "compaction" ? block : withoutNulls(block))),
} as const;

export type StoreForm = keyof typeof storeForms;
export const storeFormNames: readonly StoreForm[] = Object.keys(storeForms) as StoreForm[];

/** Some of them, one after the other, in one pass through a store. */
export function throughStore(history: readonly Message[], forms: readonly StoreForm[]): Message[] {
  return clone(forms.reduce<readonly Message[]>((stored, form) => storeForms[form](stored), clone(history))) as Message[];
}

export function drawForms(chance: Chance, possible: readonly StoreForm[] = storeFormNames): readonly StoreForm[] {
  return possible.filter(() => chance.happens(0.35));
}

/** Where a call has two results, their order says which one counts. */
function holdsOneResultACall(message: Message): boolean {
  const blocks = blocksOf(message);
  return blocks.every(({ type }) => type === "tool_result") && new Set(blocks.map((block) => block.tool_use_id)).size === blocks.length;
}

function mapBlocks(history: readonly Message[], map: (block: Block) => Block): Message[] {
  return history.map((message) => ({
    ...message,
    content: typeof message.content === "string" ? message.content : message.content.map(map),
  }));
}

function withoutNulls(block: Block): Block {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null)) as Block;
}

function withNulls(block: Block): Block {
  if (block.type === "text") return { ...block, citations: null, cache_control: null };
  if (block.type === "tool_result") return { is_error: null, ...block };
  return block;
}

function resultAsBlocks(block: Block): Block {
  return block.type === "tool_result" ? { ...block, content: [...blocksOf({ content: block.content ?? "" })] } : block;
}

function resultAsString(block: Block): Block {
  if (block.type !== "tool_result") return block;
  return { ...block, content: asString(blocksOf({ content: block.content ?? "" })) };
}

/** One bare text block as its text; an empty list as an empty string. */
function asString(blocks: readonly Block[]): string | Block[] {
  const [first, ...others] = blocks;
  if (first === undefined) return "";
  const bare = Object.entries(first).every(([name, value]) => name === "type" || name === "text" || value === null);
  return others.length === 0 && first.type === "text" && bare ? String(first.text) : [...blocks];
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
