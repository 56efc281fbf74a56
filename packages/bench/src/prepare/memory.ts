import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { getHeapSpaceStatistics } from "node:v8";
import { type Message, makeHistory, type TextKind } from "./history.ts";
import { type BenchSession, converse, newSession } from "./host.ts";

/** Bytes a message that a session keeps beyond the message's own text, once the host has let go of its history. Measured in a process of its own. */
export function bytesBeyondText(kind: TextKind, messageCount: number, messageBytes: number): number {
  const flags = ["--expose-gc", "--conditions=@tidemark/source"];
  const told = execFileSync(process.execPath, [...flags, fileURLToPath(import.meta.url), kind, `${messageCount}`, `${messageBytes}`], {
    encoding: "utf8",
  });
  return Number(told);
}

async function measure(kind: TextKind, messageCount: number, messageBytes: number): Promise<number> {
  await bytesKept(kind, messageCount, messageBytes);
  return (await bytesKept(kind, messageCount, messageBytes)) / messageCount;
}

async function bytesKept(kind: TextKind, messageCount: number, messageBytes: number): Promise<number> {
  const before = await heapBytes();
  const held = [await grown(kind, messageCount, messageBytes)];
  const after = await heapBytes();
  const textBytes = held.pop()?.textBytes ?? 0;
  return after - before - textBytes;
}

type Grown = { readonly session: BenchSession; readonly textBytes: number };

async function grown(kind: TextKind, messageCount: number, messageBytes: number): Promise<Grown> {
  const messages: Message[] = JSON.parse(JSON.stringify(makeHistory(kind, messageCount, messageBytes)));
  const session = newSession("full");
  await converse(session, "full", messages);
  return { session, textBytes: messages.reduce((sum, message) => sum + textBytesOf(message), 0) };
}

/** Bytes of a value's JSON text in memory, escapes apart: one a character as long as all of a string are Latin-1, else two. */
function textBytesOf(value: unknown): number {
  if (typeof value === "string") return value.length * (/[\u0100-\uffff]/.test(value) ? 2 : 1) + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const items: readonly unknown[] = Object.values(value);
  const separators = Math.max(items.length - 1, 0) + names.length;
  return (
    items.reduce<number>((sum, item) => sum + textBytesOf(item), 2 + separators) + names.reduce((sum, name) => sum + name.length + 2, 0)
  );
}

/** Where V8 keeps objects; what it compiles on the way has spaces of its own. */
const objectSpaces: readonly string[] = ["new_space", "old_space", "large_object_space", "new_large_object_space"];

async function heapBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return getHeapSpaceStatistics().reduce((sum, space) => sum + (objectSpaces.includes(space.space_name) ? space.space_used_size : 0), 0);
}

if (import.meta.main) {
  const [kind, messageCount, messageBytes] = process.argv.slice(2);
  console.log(await measure(kind as TextKind, Number(messageCount), Number(messageBytes)));
}
