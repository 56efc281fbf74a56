import { blocksOf, readConversations } from "../../../testing/test/recordings.ts";

/** A message as Chat Completions has it: what all variants read. Reasoning and pictures are left out: not every peer can send them. */
export type ChatMessage = {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls?: readonly ChatCall[];
  readonly tool_call_id?: string;
};

type ChatCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export type Recorded = { readonly id: string; readonly messages: readonly ChatMessage[]; readonly tokens: number };

/** The longest recorded sessions that are whole conversations, longest first. */
export function longSessions(count: number, tokensMax: number): readonly Recorded[] {
  return readConversations()
    .conversations.filter(({ wire }) => wire === "anthropic")
    .map(({ id, messages }) => asChat(id, messages as readonly Native[]))
    .filter(({ messages, tokens }) => messages.length >= 40 && tokens <= tokensMax)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, count);
}

type Native = { readonly role: string; readonly content: never };
type Block = { readonly [name: string]: unknown };

function asChat(id: string, natives: readonly Native[]): Recorded {
  const talk = new Talk();
  for (const { role, content } of natives) {
    const blocks = blocksOf(content) as readonly Block[];
    const text = blocks.flatMap((block) => (block["type"] === "text" ? [String(block["text"])] : [])).join("\n");
    for (const block of blocks)
      if (block["type"] === "tool_result") talk.result(String(block["tool_use_id"]), resultText(block["content"]));
    const uses = blocks.filter((block) => block["type"] === "tool_use");
    if (role === "assistant") talk.reply(text, uses);
    else if (text !== "") talk.user(text);
  }
  const messages = talk.messages.slice(
    Math.max(
      talk.messages.findIndex(({ role }) => role === "user"),
      0,
    ),
  );
  return { id, messages, tokens: Math.ceil(JSON.stringify(messages).length / 4) };
}

/** A conversation without its recorder's habits: every call has its result right behind it, ids come once, no reply follows another. */
class Talk {
  readonly messages: ChatMessage[] = [];
  /** Ids as sent, by the recorded ones, of calls without a result. */
  readonly #open = new Map<string, string>();
  #calls = 0;

  user(content: string): void {
    this.#close();
    this.messages.push({ role: "user", content });
  }

  reply(content: string, uses: readonly Block[]): void {
    if (content === "" && uses.length === 0) return;
    this.#close();
    if (this.messages.at(-1)?.role === "assistant") this.messages.push({ role: "user", content: "Go on." });
    const tool_calls = uses.map((use) => this.#call(use));
    this.messages.push({ role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) });
  }

  result(recorded: string, content: string): void {
    const sent = this.#open.get(recorded);
    if (sent === undefined) return;
    this.#open.delete(recorded);
    this.messages.push({ role: "tool", tool_call_id: sent, content: content || "(no output)" });
  }

  #call(use: Block): ChatCall {
    const id = `call_${this.#calls++}`;
    this.#open.set(String(use["id"]), id);
    return { id, type: "function", function: { name: String(use["name"]), arguments: JSON.stringify(use["input"] ?? {}) } };
  }

  #close(): void {
    for (const recorded of this.#open.keys()) this.result(recorded, "(interrupted)");
  }
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: Block) => String(part["text"] ?? "")).join("\n") : "";
}
