import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Message, makeHistory, type TextKind } from "./history.ts";
import { converse, newSession } from "./host.ts";

/** Bytes a message that a session keeps beyond the message's own text, once the host has let go of its history. Measured in a process of its own. */
export function bytesBeyondText(kind: TextKind, messageCount: number, messageBytes: number): number {
  const flags = ["--expose-gc", "--conditions=@tidemark/source"];
  const told = execFileSync(process.execPath, [...flags, fileURLToPath(import.meta.url), kind, `${messageCount}`, `${messageBytes}`], {
    encoding: "utf8",
  });
  return Number(told);
}

async function measure(kind: TextKind, messageCount: number, messageBytes: number): Promise<number> {
  await grown(kind, 40, messageBytes); // what is made once for all sessions: code, shapes, tables
  const before = heapBytes();
  const { session, textBytes } = await grown(kind, messageCount, messageBytes);
  const kept = heapBytes() - before - textBytes;
  session.snapshot; // still in use
  return kept / messageCount;
}

async function grown(
  kind: TextKind,
  messageCount: number,
  messageBytes: number,
): Promise<{ session: ReturnType<typeof newSession>; textBytes: number }> {
  const messages: Message[] = JSON.parse(JSON.stringify(makeHistory(kind, messageCount, messageBytes)));
  const session = newSession("full");
  await converse(session, "full", messages);
  return { session, textBytes: messages.reduce((sum, message) => sum + heapBytesOfText(message), 0) };
}

/** Of every string that is not a role or type: one byte a character as long as all are Latin-1, else two. */
function heapBytesOfText(value: unknown, name = ""): number {
  if (typeof value === "string") return name === "role" || name === "type" ? 0 : value.length * (/[\u0100-\uffff]/.test(value) ? 2 : 1);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((sum, [member, item]) => sum + heapBytesOfText(item, member), 0);
}

function heapBytes(): number {
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

if (import.meta.main) {
  const [kind, messageCount, messageBytes] = process.argv.slice(2);
  console.log(await measure(kind as TextKind, Number(messageCount), Number(messageBytes)));
}
