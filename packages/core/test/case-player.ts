import type { ScriptedReply, Simulator } from "../../testing/src/index.ts";
import {
  anthropicSimulator,
  geminiSimulator,
  ollamaSimulator,
  openaiChatSimulator,
  openaiResponsesSimulator,
} from "../../testing/src/index.ts";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { gemini } from "../src/adapters/gemini/index.ts";
import { ollama } from "../src/adapters/ollama/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { openaiResponses } from "../src/adapters/openai-responses/index.ts";
import { createSession, restoreSession, type Session, type SessionOptions, type Turn } from "../src/index.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import type { Wire } from "../src/wire/wire.ts";
import type { Case, CaseRequest } from "./case-files.ts";

/** What became of one request of a case. */
export type Played = {
  readonly turn: Turn<CaseRequest> | undefined;
  readonly error: unknown;
  /** What the simulator had against the prepared request. */
  readonly refusal: string | undefined;
  /** The prepared request without cache marks, signatures as the placeholders they were in the case. */
  readonly sent: ObjectValue | undefined;
  /** The session before and after, as snapshots. */
  readonly before: unknown;
  readonly after: unknown;
};

type Wires = Readonly<Record<string, (dialect: Case["dialect"]) => { readonly wire: Wire; readonly simulator: typeof anthropicSimulator }>>;

/** Wires that are built. */
const wires: Wires = {
  "anthropic-messages": () => ({ wire: anthropic() as unknown as Wire, simulator: anthropicSimulator }),
  gemini: () => ({
    wire: gemini() as unknown as Wire,
    simulator: (options) => geminiSimulator({ script: options?.script ?? [] }),
  }),
  ollama: () => ({
    wire: ollama() as unknown as Wire,
    simulator: (options) => ollamaSimulator({ script: options?.script ?? [] }),
  }),
  "openai-chat": (dialect = "openai") => ({
    wire: openaiChat({ dialect }) as unknown as Wire,
    simulator: (options) => openaiChatSimulator({ dialect, script: options?.script ?? [] }),
  }),
  "openai-responses": () => ({
    wire: openaiResponses() as unknown as Wire,
    simulator: (options) => openaiResponsesSimulator({ script: options?.script ?? [] }),
  }),
};

/** How a case's notes want it to be fed, where that is not one session in a row. */
export type Feeding = {
  /** The request is prepared by a fork that is taken here, and leaves the parent as it is. */
  readonly forkFor?: readonly number[];
  /** The process restarts before these. */
  readonly restartBefore?: readonly number[];
};

/** Feeds a case's requests to one session, in order; each is sent to the strict simulator, and what that answered is settled. */
export async function playCase(given: Case, options: Partial<SessionOptions>, feeding: Feeding = {}): Promise<readonly Played[]> {
  const made = (wires[given.wire] as Wires[string])(given.dialect);
  const cap = given.options?.toolResultCap;
  const settings: SessionOptions = {
    wire: made.wire,
    strict: true,
    selfCheck: true,
    ...(cap === undefined ? {} : { toolResultCap: cap }),
    ...options,
  };
  const signatures = new Signatures();
  let reply: readonly ObjectValue[] = [];
  const simulator = made.simulator({ mode: "error", script: () => scripted(given, reply) });
  let session: Session = createSession(settings);
  const played: Played[] = [];
  for (const [index, body] of given.requests.entries()) {
    if (feeding.restartBefore?.includes(index)) session = restoreSession(JSON.parse(JSON.stringify(session.snapshot())), settings);
    const asker = feeding.forkFor?.includes(index) ? session.fork() : session;
    const before = asker.snapshot();
    const request = signatures.putInto(body);
    let turn: Turn<CaseRequest> | undefined;
    let error: unknown;
    try {
      turn = await asker.prepare(request);
    } catch (thrown) {
      error = thrown;
    }
    const after = asker.snapshot();
    reply = replyTo(given.requests, index);
    const answer = turn === undefined ? undefined : await simulator.handle(turn.request, { headers: turn.headers });
    const sent = turn === undefined ? undefined : (signatures.takeFrom(withoutMarks(turn.request)) as ObjectValue);
    played.push({ turn, error, refusal: refusalOf(answer), sent, before, after });
    if (turn === undefined || answer?.status !== 200 || reply.length === 0) continue;
    signatures.learn(reply, answer.reply);
    turn.settle({ ...answer.reply, usage: given.options?.settle?.[index]?.usage ?? null });
  }
  return played;
}

function refusalOf(answer: Awaited<ReturnType<Simulator["handle"]>> | undefined): string | undefined {
  if (answer?.refusal === undefined) return undefined;
  const { rule, message, detail } = answer.refusal;
  return [rule, message, detail].filter((part) => part !== undefined).join(": ");
}

/** The reply to a request is what stands behind its messages in the next one: one message, or the items of a Responses reply. */
function replyTo(requests: readonly CaseRequest[], index: number): readonly ObjectValue[] {
  const next = requests[index + 1];
  const behind = messagesOf(next).slice(messagesOf(requests[index]).length);
  if (next?.input === undefined) return behind[0]?.role === "assistant" || behind[0]?.role === "model" ? behind.slice(0, 1) : [];
  const end = behind.findIndex(({ role, type }) => (role ?? "assistant") !== "assistant" || String(type).endsWith("_output"));
  return end < 0 ? behind : behind.slice(0, end);
}

/** A case's messages, under whichever name its wire has them. */
export function messagesOf(request: ObjectValue | undefined): readonly ObjectValue[] {
  return (request?.messages ?? request?.contents ?? request?.input ?? []) as readonly ObjectValue[];
}

function scripted({ wire }: Case, reply: readonly ObjectValue[]): ScriptedReply {
  const [only] = reply;
  if (only === undefined) return { text: "Said and thrown away." };
  return wire === "openai-responses" ? { parts: reply.map((block) => ({ block })) } : { message: only };
}

/** Placeholders of a case and what the simulator signed for them. */
class Signatures {
  readonly #minted = new Map<string, string>();

  /** Where a case's reply has a placeholder, the simulator's has a signature. */
  learn(reply: readonly ObjectValue[], minted: ObjectValue): void {
    const wanted = reply.flatMap(contentOf);
    const got = contentOf(minted);
    for (const [index, block] of wanted.entries()) {
      for (const name of ["signature", "data", "thoughtSignature", "encrypted_content"]) {
        const [placeholder, signature] = [block[name], got[index]?.[name]];
        if (typeof placeholder === "string" && placeholder.startsWith("sig:") && typeof signature === "string") {
          this.#minted.set(placeholder, signature);
        }
      }
    }
  }

  putInto(request: CaseRequest): CaseRequest {
    return mapStrings(request, (text) => this.#minted.get(text) ?? text) as CaseRequest;
  }

  takeFrom(sent: Value): Value {
    const placeholders = new Map([...this.#minted].map(([placeholder, signature]) => [signature, placeholder]));
    return mapStrings(sent, (text) => placeholders.get(text) ?? text);
  }
}

/** Where signatures stand: in the blocks of a message or of a whole reply of the provider, or in the items of a reply. */
function contentOf(message: Value): readonly ObjectValue[] {
  if (!isObject(message)) return [];
  const candidate = isArray(message.candidates) ? message.candidates[0] : undefined;
  if (isObject(candidate)) return contentOf(candidate.content ?? null);
  if (message.encrypted_content !== undefined) return [message];
  const content = message.output ?? message.content ?? message.parts;
  return isArray(content) ? content.filter(isObject) : [];
}

/** A fresh copy, as a host makes one that reads its history from a store. */
function mapStrings(value: Value, map: (text: string) => string): Value {
  if (typeof value === "string") return map(value);
  if (isArray(value)) return value.map((item) => mapStrings(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapStrings(member, map)]));
}

const marks = ["cache_control", "prompt_cache_breakpoint"];

export function withoutMarks(value: Value): Value {
  if (isArray(value)) return value.map(withoutMarks);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !marks.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMarks(member)]));
}
