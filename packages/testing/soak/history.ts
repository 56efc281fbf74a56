/** A host's own messages: plain objects that it may change at any time. */
export type Block = { type: string; [name: string]: unknown };
export type Message = { role: "user" | "assistant" | "system"; content: string | Block[] };
export type Tool = { name: string; description: string; input_schema: object };

export function blocksOf(message: { readonly content: unknown }): readonly Block[] {
  if (typeof message.content === "string") return message.content === "" ? [] : [{ type: "text", text: message.content }];
  return Array.isArray(message.content) ? (message.content as Block[]) : [];
}

export function isThinking({ type }: Block): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** What tells reasoning for its maker's own; undefined: the block is none, or its text is all there is. */
export function signatureOf(block: Block): string | undefined {
  const signature = isThinking(block) ? (block.signature ?? block.data) : undefined;
  return signature === undefined ? undefined : String(signature);
}

export function signaturesOf(message: { readonly content: unknown }): readonly string[] {
  return blocksOf(message).flatMap((block) => signatureOf(block) ?? []);
}

export function isBlank(block: Block): boolean {
  return block.type === "text" && String(block.text).trim() === "";
}

export function holdsResult(message: Message): boolean {
  return blocksOf(message).some((block) => block.type === "tool_result");
}

/** The calls of the replies at the very end, which nobody has answered. */
export function openCalls(history: readonly Message[]): readonly Block[] {
  const calls: Block[] = [];
  for (let at = history.length - 1; at >= 0 && history[at]?.role === "assistant"; at--) {
    calls.unshift(...blocksOf(history[at] as Message).filter((block) => block.type === "tool_use"));
  }
  return calls;
}

export function endsInReply(history: readonly Message[]): boolean {
  return history.at(-1)?.role === "assistant" && openCalls(history).length === 0;
}

/** Whether only results and user text stand behind a reply with calls. */
export function isInLoop(history: readonly Message[]): boolean {
  const last = history.findLastIndex((message) => message.role === "assistant");
  return last >= 0 && blocksOf(history[last] as Message).some((block) => block.type === "tool_use");
}

/** Positions of user messages that only say something. */
export function userTurns(history: readonly Message[]): readonly number[] {
  return history.flatMap((message, at) => (message.role === "user" && !holdsResult(message) ? [at] : []));
}

export function replies(history: readonly Message[]): readonly number[] {
  return history.flatMap((message, at) => (message.role === "assistant" ? [at] : []));
}

/** JSON objects, copied. */
export function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
