/** What a history is written in: each costs a serialiser something else (plain bytes, escapes, two-byte characters). */
export type TextKind = "prose" | "code" | "cjk";

export const textKinds: readonly TextKind[] = ["prose", "code", "cjk"];

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object }
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content: string | readonly { readonly type: "text"; readonly text: string }[];
    };

export type Message = { readonly role: "user" | "assistant"; readonly content: Block[] };

/** Steps of a task: a user's words, then calls and results until the last reply is text. */
const stepsOfTask = 8;

/** UTF-8 bytes of a character, and the words that a text is made of. */
const samples: Readonly<Record<TextKind, { readonly characterBytes: number; readonly words: readonly string[] }>> = {
  prose: {
    characterBytes: 1,
    words: "the request goes out again as it was sent and the cache reads all of it but what is new ".match(/\S+ /g) ?? [],
  },
  code: {
    characterBytes: 1,
    words: [
      'const name = "value";\n',
      "\tif (path === 'a\\\\b') {\n",
      '\t\treturn { "kind": "call" };\n',
      "\t}\n",
      "// keeps <tags> & more\n",
    ],
  },
  cjk: { characterBytes: 3, words: ["文脈", "管理", "追記", "のみ", "検査", "署名", "接頭辞", "。", "、"] },
};

/** A history of an agent that thinks, calls tools with nested arguments and reads their results: user and assistant in turn, the last one the user's. */
export function makeHistory(kind: TextKind, messageCount: number, messageBytes: number): Message[] {
  const random = seeded(7);
  const text = (share: number): string => textOf(kind, (messageBytes * share) / samples[kind].characterBytes, random);
  const messages: Message[] = [];
  for (let index = 0; index < messageCount; index++) {
    const step = Math.floor(index / 2) % stepsOfTask;
    if (index % 2 === 1)
      messages.push({ role: "assistant", content: replyBlocks(index, step < stepsOfTask - 1, messageBytes, text, random) });
    else if (step === 0) messages.push({ role: "user", content: [{ type: "text", text: text(1) }] });
    else
      messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: callId(index - 1), content: output(step, text(1)) }] });
  }
  return messages;
}

/** Hosts hand over a result's text both ways. */
function output(step: number, text: string): string | readonly { readonly type: "text"; readonly text: string }[] {
  return step % 2 === 0 ? [{ type: "text", text }] : text;
}

function replyBlocks(index: number, calls: boolean, messageBytes: number, text: (share: number) => string, random: () => number): Block[] {
  const thinking: Block = { type: "thinking", thinking: text(0.3), signature: base64(messageBytes * 0.2, random) };
  if (!calls) return [thinking, { type: "text", text: text(0.5) }];
  const input = { path: `/work/src/part-${index}.ts`, edit: { from: index, to: index + 12, old: text(0.2), new: text(0.2) }, dry: false };
  return [thinking, { type: "text", text: text(0.1) }, { type: "tool_use", id: callId(index), name: "edit_file", input }];
}

function callId(index: number): string {
  return `toolu_${index.toString(36).padStart(18, "0")}`;
}

function textOf(kind: TextKind, length: number, random: () => number): string {
  const { words } = samples[kind];
  let text = "";
  while (text.length < length) text += words[Math.floor(random() * words.length)];
  return text.slice(0, Math.max(1, Math.floor(length)));
}

function base64(length: number, random: () => number): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let text = "";
  while (text.length < length) text += digits[Math.floor(random() * digits.length)];
  return text;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
