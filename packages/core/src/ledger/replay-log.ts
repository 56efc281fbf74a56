import { digestText } from "../json/canonical.ts";
import { TidemarkError } from "../json/error.ts";
import { type Path, pathText } from "../json/path.ts";
import { copyValue, isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import { withoutMedia } from "../wire/stored-media.ts";

/** The log cannot be replayed: it is cut, changed, reordered, or of another version. Codes: `replay-version`, `replay-damaged`, `replay-missing`, `replay-drift`. */
export class ReplayError extends TidemarkError {}

/** What was particular to one request beside its window. */
type RequestParticulars = {
  /** Digests of media that the log holds no bytes of. */
  readonly media: readonly string[];
};

/**
 * One line of a replay log: plain JSON, in order. `seal` chains the lines, so that a changed, missing or moved one is named. It shows drift; it is no signature.
 */
export type ReplayRecord = { readonly line: number; readonly seal: string } & (
  | { readonly type: "start"; readonly version: 1; readonly policy: string; readonly wire: string; readonly wordings: Value }
  | { readonly type: "restore"; readonly policy: string; readonly wire: string; readonly wordings: Value; readonly head: StoredHead | null }
  | {
      readonly type: "request";
      readonly turn: number;
      /** The head, where it is another one than the last request's. */
      readonly head?: StoredHead;
      /** Messages that the last request of the log had too, from the front. */
      readonly kept: number;
      readonly messages: readonly Value[];
      readonly prefill?: Value;
      /** Where the first of the window's messages stood in the request, where that is not `messages[0]`. */
      readonly place?: Path;
      /** The chain digest behind each of `messages`: d₀ is the head's, dₖ = SHA-256(dₖ₋₁ ‖ digest of message k). */
      readonly chain: readonly string[];
      readonly particulars: RequestParticulars;
    }
  | { readonly type: "settle"; readonly turn: number }
  | { readonly type: "restart" }
  | { readonly type: "move"; readonly wire: string }
);

type RequestRecord = ReplayRecord & { readonly type: "request" };

type StoredHead = { readonly model: string; readonly system: readonly Value[]; readonly tools: readonly Value[]; readonly params: Value };
type RecordBody<R> = R extends ReplayRecord ? Omit<R, "line" | "seal"> : never;

/** What the log is told of a request that was published. */
export type LoggedRequest = {
  readonly turn: number;
  readonly head: Head;
  readonly messages: readonly ObjectValue[];
  readonly prefill: ObjectValue | undefined;
  /** Where the first of the messages stands in the request. Absent: `messages[0]`. */
  readonly place?: Path;
};

const firstMessage: Path = ["messages", 0];

/**
 * Records each prepared request by a chain digest. Attach one to a session; store `records` as lines of JSON, and hand them over again where another process goes on with the
 * session. A message is serialised and hashed once.
 */
export class ReplayLog {
  readonly records: ReplayRecord[];
  #messages: readonly ObjectValue[] = [];
  #chain: readonly string[] = [];
  #head: Head | undefined;
  #headDigest = "";
  readonly #digests = new WeakMap<ObjectValue, string>();

  /** `records`: those of this log so far, as they were stored. They are not checked here: `replay` does that. */
  constructor(records: readonly ReplayRecord[] = []) {
    this.records = [...records];
  }

  /** Opens the log, or notes in it that a session was restored and goes on under these rules. */
  begin(policy: string, wire: string, wordings: Value, head: Head | undefined): void {
    if (this.records.length === 0) this.#write({ type: "start", version: 1, policy, wire, wordings });
    else this.#write({ type: "restore", policy, wire, wordings, head: head === undefined ? null : storeHead(head) });
  }

  request({ turn, head, messages, prefill, place = firstMessage }: LoggedRequest): void {
    const sameHead = this.#head === head || (this.#head !== undefined && headText(this.#head) === headText(head));
    if (!sameHead) {
      this.#head = head;
      this.#headDigest = digestText(headText(head));
    }
    let kept = 0;
    while (sameHead && kept < messages.length && messages[kept] === this.#messages[kept]) kept += 1;
    const added = messages.slice(kept);
    const chain: string[] = [];
    let last = kept === 0 ? this.#headDigest : (this.#chain[kept - 1] as string);
    for (const message of added) {
      last = digestText(last + this.#digestOf(message));
      chain.push(last);
    }
    this.#messages = messages;
    this.#chain = [...this.#chain.slice(0, kept), ...chain];
    const stored = added.map((message) => withoutMedia(message));
    this.#write({
      type: "request",
      turn,
      ...(sameHead ? {} : { head: storeHead(head) }),
      kept,
      messages: stored,
      ...(prefill === undefined ? {} : { prefill }),
      ...(pathText(place) === pathText(firstMessage) ? {} : { place }),
      chain,
      particulars: { media: stored.flatMap((message, index) => (message === added[index] ? [] : mediaDigests(message))) },
    });
  }

  settled(turn: number): void {
    this.#write({ type: "settle", turn });
  }

  /** The requests from here on are another wire's. */
  moved(wire: string): void {
    this.#write({ type: "move", wire });
  }

  restarted(): void {
    this.#write({ type: "restart" });
  }

  #digestOf(message: ObjectValue): string {
    const known = this.#digests.get(message);
    if (known !== undefined) return known;
    const digest = digestText(JSON.stringify(withoutMedia(message)));
    this.#digests.set(message, digest);
    return digest;
  }

  #write(body: RecordBody<ReplayRecord>): void {
    const before = this.records.at(-1)?.seal ?? "";
    const line = this.records.length;
    this.records.push({ line, seal: sealOf(before, line, body), ...body } as ReplayRecord);
  }
}

function storeHead({ model, system, tools, params }: Head): StoredHead {
  return { model, system, tools, params };
}

function headText({ model, system, tools, params }: Head): string {
  return JSON.stringify([model, system, tools, params]);
}

function sealOf(before: string, line: number, body: object): string {
  return digestText(`${before}\n${line}\n${JSON.stringify(body)}`);
}

function mediaDigests(value: Value): readonly string[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [];
  if (isObject(value) && typeof value["tidemark:medium"] === "string") return [value["tidemark:medium"]];
  return Object.values(value).flatMap((member) => mediaDigests(member as Value));
}

/** A request as it was sent, but for cache marks, identity and headers; media stand as their digests. */
export type ReplayedRequest = { readonly turn: number; readonly head: Head; readonly messages: readonly ObjectValue[] };

/**
 * Rebuilds request `n` (counted from 0) from a log. It reads no record after it, no option of today, no file or URL.
 * @throws {ReplayError} when the log is not to be trusted there, naming the first line or message that differs.
 */
export function replayRequest(records: readonly unknown[], n: number, policy: string): ReplayedRequest {
  let head: Head | undefined;
  let messages: readonly ObjectValue[] = [];
  let chain: readonly string[] = [];
  let seal = "";
  let seen = -1;
  for (const [index, given] of records.entries()) {
    const record = readRecord(given, index, seal, policy);
    seal = record.seal;
    if (record.type !== "request") continue;
    seen += 1;
    if (record.head !== undefined) head = copyValue(record.head) as unknown as Head;
    if (head === undefined) throw damaged(index, "the first request has no head");
    const added = record.messages.map((message) => copyValue(message) as ObjectValue);
    messages = [...messages.slice(0, record.kept), ...added];
    chain = checkedChain(head, chain.slice(0, record.kept), added, record, index);
    if (seen === n)
      return {
        turn: record.turn,
        head,
        messages: record.prefill === undefined ? messages : [...messages, copyValue(record.prefill) as ObjectValue],
      };
  }
  throw new ReplayError(
    "replay-missing",
    `The log ends before request ${n}: it holds ${seen + 1}. It was cut, or the request was never made.`,
  );
}

function checkedChain(
  head: Head,
  kept: readonly string[],
  added: readonly ObjectValue[],
  { chain: recorded, place = firstMessage }: RequestRecord,
  line: number,
): readonly string[] {
  let last = kept.at(-1) ?? digestText(headText(head));
  for (const [index, message] of added.entries()) {
    last = digestText(last + digestText(JSON.stringify(message)));
    if (last !== recorded[index]) {
      const path = pathText([...place.slice(0, -1), Number(place.at(-1)) + kept.length + index]);
      throw new ReplayError("replay-drift", `Line ${line}: ${path} is not the message that was sent.`, { path });
    }
  }
  return [...kept, ...recorded];
}

function readRecord(given: unknown, index: number, seal: string, policy: string): ReplayRecord {
  if (!isRecord(given)) throw damaged(index, "it is no record of a replay log");
  if (index === 0 && (given.type !== "start" || given.version !== 1)) {
    throw new ReplayError(
      "replay-version",
      "The log does not start with a header of version 1. It was cut at its start, or is of another version.",
    );
  }
  if (given.line !== index) throw damaged(index, `line ${given.line} stands here: lines are missing or in another order`);
  if ((given.type === "start" || given.type === "restore") && given.policy !== policy) {
    throw new ReplayError(
      "replay-version",
      `Line ${index} is of policy version ${given.policy}, this release has ${policy}. Replay it with the release that wrote it.`,
    );
  }
  const { line, seal: own, ...body } = given;
  if (sealOf(seal, line, body) !== own) throw damaged(index, "it was changed, or a line before it was");
  return given;
}

const types = ["start", "restore", "request", "settle", "restart", "move"];

function isRecord(given: unknown): given is ReplayRecord {
  if (typeof given !== "object" || given === null) return false;
  const { line, seal, type, messages, chain, kept } = given as Record<string, unknown>;
  if (typeof line !== "number" || typeof seal !== "string" || typeof type !== "string" || !types.includes(type)) return false;
  return (
    type !== "request" || (Array.isArray(messages) && Array.isArray(chain) && typeof kept === "number" && messages.length === chain.length)
  );
}

function damaged(line: number, problem: string): ReplayError {
  return new ReplayError("replay-damaged", `Line ${line} of the log cannot be used: ${problem}.`);
}
