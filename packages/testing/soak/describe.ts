import { type Block, blocksOf, type Message } from "./history.ts";
import { wordsIn } from "./words.ts";

/** Messages in short: `user[#u1] assistant[*1b2c #a2 >call_3] user[<call_3 #r4]`. A `*` is thinking, by the end of its proof. */
export function describeAll(messages: readonly Message[]): string {
  return messages.map((message) => `${message.role}[${describeContent(blocksOf(message))}]`).join(" ");
}

export function describeContent(blocks: readonly Block[]): string {
  return blocks.map(describeBlock).join(" ");
}

function describeBlock(block: Block): string {
  const words = wordsIn(JSON.stringify(block.content ?? block.text ?? ""));
  switch (block.type) {
    case "thinking":
    case "redacted_thinking":
      return `*${String(block.signature ?? block.data ?? "unsigned").slice(8, 12)}`;
    case "tool_use":
      return `>${block.id}`;
    case "tool_result":
      return [`<${block.tool_use_id}`, ...words].join(" ");
    case "text":
      return words.length === 0 ? JSON.stringify(String(block.text).slice(0, 30)) : words.join(" ");
    default:
      return block.type;
  }
}
