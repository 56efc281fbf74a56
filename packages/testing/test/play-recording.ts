import { createSession, type ObjectValue, type SessionOptions, type Turn, type Value } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { bedrock } from "@tidemark/core/bedrock";
import { openaiChat } from "@tidemark/core/openai-chat";
import { anthropicSimulator, bedrockSimulator, openaiChatSimulator, type Simulator } from "../src/index.ts";
import { blocksOf, type Conversation } from "./recordings.ts";

type Request = ObjectValue & { readonly model: string; readonly messages: readonly ObjectValue[] };

/** What went wrong with a conversation that the session took; empty: nothing. */
export type Faults = readonly string[];

// Recorded conversations are as long as the window of the model that had them.
const profiles = { "claude-opus-5-5": { context: 10_000_000 }, "gpt-4.1": { context: 10_000_000 } };

/** A shorter history is read from a store for each request, so that no object is the one of before; a longer one would take too long. */
const storedMessagesMax = 300;

/**
 * Feeds a recorded conversation to one session as its host would: before each row of replies the history up to there is prepared and sent, the row is what the
 * simulator answers (with its reasoning signed anew), and goes into the history.
 * @throws {TidemarkError} when the session refuses a request.
 */
export async function playRecording(conversation: Conversation): Promise<{ readonly requests: number; readonly faults: Faults }> {
  const faults: string[] = [];
  let row: readonly ObjectValue[] = [];
  const { simulator, options } = sidesOf(conversation, () => ({ message: asOneReply(conversation, row) }));
  const session = createSession({ ...options, ignore: conversation.ignore, toolResultCap: false, strict: true });
  const isStored = conversation.messages.length <= storedMessagesMax;
  const history: ObjectValue[] = [];
  let last: { readonly turn: Turn<Request>; readonly told: number } | undefined;
  let requests = 0;

  const ask = async (): Promise<ObjectValue> => {
    const messages = isStored ? (JSON.parse(JSON.stringify(history)) as ObjectValue[]) : [...history];
    const turn = await session.prepare<Request>({ ...conversation.head, messages } as unknown as Request);
    const place = `request ${requests} (history of ${history.length})`;
    requests += 1;
    faults.push(...broken(turn, last?.turn, history).map((fault) => `${place}: ${fault}`));
    faults.push(...missing(turn, history.slice(last?.told ?? 0)).map((fault) => `${place}: ${fault}`));
    last = { turn, told: history.length };
    const answer = await simulator.handle(turn.request, { headers: turn.headers });
    if (answer.refusal !== undefined)
      faults.push(`${place}: refused by ${answer.refusal.rule}: ${answer.refusal.message} ${answer.refusal.detail ?? ""}`);
    else turn.settle(answer.reply);
    return answer.reply;
  };

  for (let at = 0; at < conversation.messages.length; ) {
    const message = conversation.messages[at] as ObjectValue;
    if (message.role !== "assistant") {
      history.push(message);
      at += 1;
      continue;
    }
    const behind = conversation.messages.findIndex((next, index) => index > at && next.role !== "assistant");
    row = conversation.messages.slice(at, behind < 0 ? undefined : behind);
    history.push(...(history.length === 0 ? row : asStored(conversation, row, await ask())));
    at += row.length;
    if (faults.length > 0) return { requests, faults };
  }
  if (history.at(-1)?.role !== "assistant") await ask();
  return { requests, faults };
}

function sidesOf(
  { wire }: Conversation,
  script: () => { readonly message: ObjectValue },
): { readonly simulator: Simulator; readonly options: SessionOptions<Request> } {
  const sides = {
    anthropic: () => ({
      options: { wire: anthropic({ profiles }) },
      simulator: anthropicSimulator({ profiles, script, mode: "error", keep: 1 }),
    }),
    bedrock: () => ({ options: { wire: bedrock() }, simulator: bedrockSimulator({ script, keep: 1 }) }),
    "openai-chat": () => ({ options: { wire: openaiChat({ profiles }) }, simulator: openaiChatSimulator({ profiles, script, keep: 1 }) }),
  };
  const { simulator, options } = sides[wire]();
  return { simulator, options: options as unknown as SessionOptions<Request> };
}

/** What the model said in one go: all blocks of the row, where a reply is blocks; else the first message of it. */
function asOneReply({ wire }: Conversation, row: readonly ObjectValue[]): ObjectValue {
  if (wire === "openai-chat") return { ...row[0] };
  return { role: "assistant", content: row.flatMap(({ content }) => blocksOf(content)) };
}

/** The row as it goes into the history: cut into messages as it was, with the signatures of this reply. */
function asStored({ wire }: Conversation, row: readonly ObjectValue[], reply: ObjectValue): readonly ObjectValue[] {
  if (wire === "openai-chat") return row;
  const { message } = (reply.output ?? { message: reply }) as { readonly message: ObjectValue };
  const blocks = blocksOf(message.content);
  let from = 0;
  return row.map((message) => {
    const content = blocks.slice(from, from + blocksOf(message.content).length);
    from += content.length;
    return { role: "assistant", content };
  });
}

/** Rule 1: the request goes on from the last one, with no checkpoint and to the byte. A history that brings a reply with it is the one start without a record (rule 8). */
function broken(turn: Turn<Request>, before: Turn<Request> | undefined, history: readonly ObjectValue[]): Faults {
  const starts = before === undefined && history.some(({ role }) => role === "assistant");
  const checkpoints = turn.continuity.checkpoints.filter(({ reason }) => !(starts && reason === "ledger"));
  const faults = checkpoints.map(({ reason, path }) => `checkpoint ${reason} at ${path}`);
  if (before === undefined) return faults;
  const now = turn.request.messages;
  const answered = before.request.messages.slice(0, now.findLastIndex(({ role }) => role === "assistant") + 1);
  const differs = answered.findIndex((message, index) => message !== now[index] && !sameBytes(message, now[index]));
  return differs < 0 ? faults : [...faults, `message ${differs} is not what it was`];
}

const marks = new Set(["cache_control", "prompt_cache_breakpoint"]);

function sameBytes(a: ObjectValue, b: ObjectValue | undefined): boolean {
  const unmarked = (name: string, value: unknown): unknown =>
    marks.has(name) ? undefined : Array.isArray(value) ? value.filter((item) => item?.cachePoint === undefined) : value;
  return JSON.stringify(a, unmarked) === JSON.stringify(b, unmarked);
}

/** User texts and results of the new part of the history that the request does not say. */
function missing(turn: Turn<Request>, news: readonly ObjectValue[]): Faults {
  const lead = turn.request.messages.slice(Math.max(turn.continuity.kept - 1, 0));
  const said = lead.flatMap((message) => [...textsIn(message)]);
  const faults: string[] = [];
  for (const message of news) {
    if (message.role === "assistant") continue;
    for (const text of textsIn(message.content as Value)) {
      if (text.trim() !== "" && !said.some((own) => own.includes(text)))
        faults.push(`${String(message.role)} text is missing: ${JSON.stringify(text.slice(0, 80))}`);
    }
  }
  return faults;
}

/** Members that say nothing by themselves. */
const named = new Set(["type", "role", "tool_use_id", "tool_call_id", "toolUseId", "status", "media_type"]);

function* textsIn(value: Value | undefined): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) if (!named.has(name)) yield* textsIn(member as Value);
  }
}
