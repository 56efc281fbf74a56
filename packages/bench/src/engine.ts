/**
 * What does llama.cpp evaluate, and how long is it until its first token, for the sessions of the demo and of the corpus: sent by the host as it is today, by other libraries, and
 * through Tidemark? The model's weights are random and written here; what is evaluated and kept of a prompt is real.
 *
 * `pnpm bench engine [--sessions 1] [--share 0.5] [--tokens 40000] [--write]`; `--write` puts the figures into `docs-site/real-engine.md`. Installs llama.cpp by itself.
 */
import { parseArgs } from "node:util";
import { isPresent } from "../../testing/test/recordings.ts";
import { longSessions } from "./economy/corpus.ts";
import { type Engine, loadEngine } from "./engine/load-engine.ts";
import { type Conversation, demoSession, recordedSession, type Session } from "./engine/sessions.ts";
import { machineLines } from "./report/machine.ts";
import { markdownTable, writeFigures } from "./report/page.ts";

const contextTokens = 131_072;
/** Of the prompt before, on a turn without a landing: the slot holds all of it but the mark that opened the answer. */
const reuseShareMin = 0.99;
/** Tokens evaluated, and time to first tokens, beside those of the host as it is today. */
const todayTimesMax = 0.3;

export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sessions: { type: "string", default: "1" },
      share: { type: "string", default: "0.5" },
      tokens: { type: "string", default: "40000" },
      write: { type: "boolean", default: false },
    },
  });
  const engine = await loadEngine(contextTokens);
  console.log(engine.names.join(", "));
  const rows: Row[] = [];
  const report = async (session: Session): Promise<void> => {
    for await (const row of rowsOf(engine, session)) {
      rows.push(row);
      console.log(cellsOf(row).map(cell).join(" "));
    }
  };
  console.log(columns.map(cell).join(" "));
  await report(await demoSession());
  if (isPresent) {
    for (const recorded of longSessions(Number(values.sessions), Number(values.tokens)))
      await report(await recordedSession(recorded, Number(values.share)));
  } else console.log("The recorded sessions are not here (TIDEMARK_DATA): the demo alone.");
  await engine.close();
  if (values.write) {
    const notes = [...(await machineLines()), ...engine.names];
    await writeFigures("real-engine.md", [notes.join(" · "), "", ...markdownTable(columns, rows.map(cellsOf))]);
  }
  return rows.every(({ missed }) => missed === undefined || missed.length === 0);
}

type Account = {
  readonly requests: number;
  readonly tokens: number;
  readonly evaluated: number;
  readonly reused: number;
  readonly firstTokenMs: number;
  readonly summarised: number;
  /** Prompts that did not fit. */
  readonly refused: number;
  /** Least share of the prompt before that was reused on a turn without a landing. */
  readonly reuseShare: number;
};

type Row = Account & {
  readonly session: string;
  readonly way: string;
  readonly evaluatedTimes: number;
  readonly firstTokenTimes: number;
  /** Undefined: not Tidemark's. */
  readonly missed: readonly string[] | undefined;
};

async function* rowsOf(engine: Engine, { name, conversations }: Session): AsyncGenerator<Row> {
  let today: Account | undefined;
  for (const conversation of conversations) {
    const account = await accountOf(engine, conversation);
    today ??= account;
    const evaluatedTimes = (account.evaluated + account.summarised) / today.evaluated;
    const firstTokenTimes = account.firstTokenMs / today.firstTokenMs;
    const { way } = conversation;
    const missed = way.startsWith("Tidemark") ? missedBy({ ...account, evaluatedTimes, firstTokenTimes }) : undefined;
    yield { ...account, session: name, way, evaluatedTimes, firstTokenTimes, missed };
  }
}

async function accountOf(engine: Engine, { sent, summarised }: Conversation): Promise<Account> {
  await engine.forget();
  const sum = { tokens: 0, evaluated: 0, reused: 0, firstTokenMs: 0, refused: 0, reuseShare: 1 };
  let before: number | undefined;
  for (const { prompt, landed } of sent) {
    const read = await engine.read(prompt);
    if (read === undefined) {
      sum.refused += 1;
      continue;
    }
    sum.tokens += read.tokens;
    sum.evaluated += read.evaluated;
    sum.reused += read.reused;
    sum.firstTokenMs += read.firstTokenMs;
    if (before !== undefined && !landed) sum.reuseShare = Math.min(sum.reuseShare, read.reused / before);
    before = read.tokens;
  }
  return { ...sum, summarised, requests: sent.length };
}

function missedBy({
  refused,
  reuseShare,
  evaluatedTimes,
  firstTokenTimes,
}: Pick<Row, "refused" | "reuseShare" | "evaluatedTimes" | "firstTokenTimes">): readonly string[] {
  return [
    ...(refused > 0 ? [`${refused} did not fit`] : []),
    ...(reuseShare < reuseShareMin ? ["a turn without a landing was evaluated again"] : []),
    ...(evaluatedTimes > todayTimesMax ? [`evaluates more than ${todayTimesMax} of today`] : []),
    ...(firstTokenTimes > todayTimesMax ? [`waits more than ${todayTimesMax} of today`] : []),
  ];
}

const columns = [
  ...["session", "way", "requests", "prompt tokens", "reused", "evaluated"],
  ...["of today", "first token, of today", "least reuse without a landing", ""],
];

function cellsOf(row: Row): readonly string[] {
  const { session, way, requests, tokens, reused, evaluated, summarised, evaluatedTimes, firstTokenTimes, reuseShare, missed } = row;
  return [
    ...[session, way, String(requests), grouped(tokens), percent(reused / tokens)],
    grouped(evaluated) + (summarised > 0 ? ` + ${grouped(summarised)}` : ""),
    ...[evaluatedTimes.toFixed(2), firstTokenTimes.toFixed(2)],
    missed === undefined ? "" : percent(reuseShare),
    row.refused > 0 ? `${row.refused} did not fit` : missed === undefined ? "" : missed.length === 0 ? "pass" : missed.join("; "),
  ];
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const widths = [24, 34, 9, 14, 8, 20, 9, 22, 30, 0];

function cell(text: string, index: number): string {
  return text.slice(0, (widths[index] ?? 0) || undefined).padEnd(widths[index] ?? 0);
}
