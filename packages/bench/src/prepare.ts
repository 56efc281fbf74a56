/**
 * What does `prepare` cost beside one `JSON.stringify` of the same request? With one new turn on a history that a host rebuilds by `JSON.parse`
 * each time, with a history that the session owns, right after a restore, and beside another library; and what does a session keep in memory?
 *
 * `pnpm bench prepare [--texts prose,code,cjk] [--messages 200,2000,10000] [--bytes 2000,60] [--alternations 41] [--seconds 4]`; messages of 2,000 bytes are judged
 */
import { parseArgs } from "node:util";
import { restoreSession } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { medians, type Subject } from "./prepare/alternate.ts";
import { compileElsewhere } from "./prepare/elsewhere.ts";
import { type Message, makeHistory, type TextKind, textKinds } from "./prepare/history.ts";
import { converse, newSession, parsed, type Request } from "./prepare/host.ts";
import { bytesBeyondText } from "./prepare/memory.ts";
import { tell } from "./report/figure.ts";

/** Cost in units of one `JSON.stringify`, at most. */
const limits = { full: 0.5, owned: 0.05, restored: 10 };
/** How many times `prepare` costs less than the other library, at least; judged where the history is longest. */
const otherLibraryTimes = 5;
const otherLibraryMessages = 10_000;
/** Short conversations that come before all that is measured, of each text: then the code is compiled as it will be in a process that lives. */
const warmUpConversations = { count: 250, messages: 40 };
/** Messages that each subject sees before anything counts, at least. */
const warmUpMessages = 60_000;
const memoryBytesMax = 400;
const memoryMessages = 2_000;
const judgedBytes = 2_000;

export async function run(args: readonly string[]): Promise<boolean> {
  const plan = planOf(args);
  let passed = true;
  const report = (row: Row): void => {
    console.log(rowText(row));
    if (row.judged && !judge(row)) passed = false;
  };
  console.log(`median of at least ${plan.alternations} alternations in ${plan.seconds} s, in units of one JSON.stringify of the request\n`);
  console.log(["text", "messages", "bytes", "what", "ms", "value", "limit", ""].map(cell).join(" "));
  for (const kind of plan.kinds) await warmUp(kind);
  for (const bytes of plan.bytes)
    for (const kind of plan.kinds) for (const count of plan.counts) for (const row of await measure(kind, count, bytes, plan)) report(row);
  for (const kind of plan.kinds) report(memoryRow(kind));
  return passed;
}

type Row = {
  readonly text: TextKind;
  readonly messages: number;
  readonly bytes: number;
  readonly what: string;
  readonly milliseconds: number | undefined;
  readonly value: number;
  readonly limit: number | undefined;
  /** The limit is the least, not the most. */
  readonly atLeast?: boolean;
  readonly judged: boolean;
};

type Plan = {
  readonly kinds: readonly TextKind[];
  readonly counts: readonly number[];
  readonly bytes: readonly number[];
  readonly alternations: number;
  readonly seconds: number;
};

function planOf(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      texts: { type: "string", default: textKinds.join(",") },
      messages: { type: "string", default: "200,2000,10000" },
      bytes: { type: "string", default: "2000,60" },
      alternations: { type: "string", default: "41" },
      seconds: { type: "string", default: "4" },
    },
  });
  const kinds = textKinds.filter((kind) => values.texts.split(",").includes(kind));
  const [counts, bytes] = [values.messages, values.bytes].map((list) => list.split(",").map(Number)) as [number[], number[]];
  return { kinds, counts, bytes, alternations: Number(values.alternations), seconds: Number(values.seconds) };
}

async function warmUp(text: TextKind): Promise<void> {
  const messages: readonly Message[] = JSON.parse(JSON.stringify(makeHistory(text, warmUpConversations.messages, judgedBytes)));
  for (let told = 0; told < warmUpConversations.count; told++)
    for (const history of ["full", "new"] as const) await converse(newSession(history), history, messages);
}

async function measure(text: TextKind, messages: number, bytes: number, { alternations, seconds }: Plan): Promise<readonly Row[]> {
  const compares = bytes === judgedBytes && messages >= otherLibraryMessages;
  const { going, restored } = await subjectsOf(makeHistory(text, messages + 1, bytes), compares);
  const rounds = { counted: alternations, warmUps: Math.max(5, warmUpMessages / messages), seconds };
  const times = await medians(going, rounds);
  const timesRestored = await medians(restored, { ...rounds, seconds: 0 });
  const judged = bytes === judgedBytes;
  const row = (what: string, name: string, limit: number, measured = times): Row => {
    const milliseconds = measured.get(name) as number;
    return { text, messages, bytes, what, milliseconds, value: milliseconds / (measured.get("stringify") as number), limit, judged };
  };
  const rows: Row[] = [
    { text, messages, bytes, what: "JSON.stringify", milliseconds: times.get("stringify"), value: 1, limit: undefined, judged: false },
    row("prepare", "full", limits.full),
    row("owning the history", "owned", limits.owned),
    row("first after restore", "restored", limits.restored, timesRestored),
  ];
  const other = times.get("other");
  if (other !== undefined) {
    const value = other / (times.get("full") as number);
    rows.push({
      text,
      messages,
      bytes,
      what: "context-chef / prepare",
      milliseconds: other,
      value,
      limit: otherLibraryTimes,
      atLeast: true,
      judged,
    });
  }
  return rows;
}

/**
 * The sessions know all messages but the last, which is the new turn; what they know came out of a store as what they are asked about does, its texts on one piece each. Each round
 * asks a fork, so that all rounds find the same state. A restore alternates by itself: it makes a whole session, and leaves as much behind.
 */
async function subjectsOf(
  messages: readonly Message[],
  compares: boolean,
): Promise<{ readonly going: readonly Subject<Request>[]; readonly restored: readonly Subject<Request>[] }> {
  const text = JSON.stringify(messages);
  const known: readonly Message[] = JSON.parse(text).slice(0, -1);
  const newTurn = JSON.stringify(messages.slice(-1));
  const full = newSession("full");
  await converse(full, "full", known);
  const owned = newSession("new");
  await converse(owned, "new", known);
  const snapshot = JSON.stringify(full.snapshot());
  const asked = (name: string, fork: () => ReturnType<typeof newSession>, history: string): Subject<Request> => {
    let session = fork();
    return {
      name,
      ready: () => {
        session = fork();
        return parsed(history);
      },
      run: (request) => session.prepare(request),
    };
  };
  const stringify: Subject<Request> = { name: "stringify", ready: () => parsed(text), run: (request) => JSON.stringify(request) };
  return {
    going: [
      stringify,
      asked("full", () => full.fork(), text),
      asked("owned", () => owned.fork(), newTurn),
      ...(compares ? [{ name: "other", ready: () => parsed(text), run: compileElsewhere }] : []),
    ],
    restored: [stringify, asked("restored", () => restoreSession(JSON.parse(snapshot), { wire: anthropic() }), text)],
  };
}

function memoryRow(text: TextKind): Row {
  const value = bytesBeyondText(text, memoryMessages, judgedBytes);
  return {
    text,
    messages: memoryMessages,
    bytes: judgedBytes,
    what: "B beyond the text",
    milliseconds: undefined,
    value,
    limit: memoryBytesMax,
    judged: true,
  };
}

/** Of whatever text. */
function judge({ what, messages, value, limit, atLeast = false }: Row): boolean {
  return limit === undefined || tell({ what: `${what}, ${messages} messages`, value, limit, atLeast });
}

function holds({ value, limit, atLeast }: Row): boolean {
  return limit === undefined || (atLeast === true ? value >= limit : value <= limit);
}

function rowText(row: Row): string {
  const limit = row.limit === undefined ? "" : `${row.atLeast === true ? ">=" : "<="} ${row.limit}`;
  const verdict = row.limit === undefined ? "" : row.judged ? (holds(row) ? "pass" : "FAIL") : "printed";
  const figures = [row.milliseconds?.toFixed(3) ?? "", row.value.toFixed(row.value >= 20 ? 0 : 3), limit, verdict];
  return [row.text, row.messages, row.bytes, row.what, ...figures].map(cell).join(" ");
}

const widths = [6, 9, 6, 23, 10, 8, 7, 8];

function cell(value: string | number, column: number): string {
  const width = widths[column] ?? 8;
  return column === 0 || column === 3 || column === 7 ? `${value}`.padEnd(width) : `${value}`.padStart(width);
}
