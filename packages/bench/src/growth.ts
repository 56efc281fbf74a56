/**
 * What does a whole session cost as it grows from 1 to 5,000 messages, beside another library that is asked at each turn, and beside writing each request as JSON? In processor time, and
 * with a history that the host rebuilds by `JSON.parse` for each request.
 *
 * `pnpm bench growth [--messages 5000] [--bytes 500] [--every 25]`; the other two, which keep nothing from turn to turn, are asked at each so-manieth.
 */
import { parseArgs } from "node:util";
import { compileElsewhere } from "./prepare/elsewhere.ts";
import { type Message, makeHistory } from "./prepare/history.ts";
import { newSession, parsed, type Request, replyOf } from "./prepare/host.ts";
import { tell } from "./report/figure.ts";

/** Processor time of all of `prepare` and `settle` of a session beside that of one `JSON.stringify` a request, at most. */
const stringifyTimesMax = 1;
/** The same beside the other library's, at most. */
const otherTimesMax = 1 / 3;
/** A turn's cost a message in the last tenth of the session beside that in its second tenth, at most: it grows with the history and no faster. */
const growthMax = 1.5;

export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: "string", default: "5000" },
      bytes: { type: "string", default: "500" },
      every: { type: "string", default: "25" },
    },
  });
  const messages = makeHistory("code", Number(values.messages) + 1, Number(values.bytes));
  await grow(messages.slice(0, 400), 4);
  const turns = await grow(messages, Number(values.every));
  print(turns);
  const whole = sumOf(turns);
  const tenths = (from: number, to: number): Turn => sumOf(turns.slice(Math.floor(turns.length * from), Math.floor(turns.length * to)));
  const perMessage = ({ own, messages: count }: Turn): number => own / count;
  return [
    tell({ what: "a session's growth, in JSON.stringify of each request", value: whole.own / whole.stringify, limit: stringifyTimesMax }),
    tell({ what: "the same beside context-chef", value: whole.own / whole.other, limit: otherTimesMax }),
    tell({
      what: "cost a message at the session's end beside its start",
      value: perMessage(tenths(0.9, 1)) / perMessage(tenths(0.1, 0.2)),
      limit: growthMax,
    }),
  ].every(Boolean);
}

/** Milliseconds of processor time. */
type Turn = { readonly messages: number; readonly own: number; readonly stringify: number; readonly other: number };

async function grow(messages: readonly Message[], every: number): Promise<readonly Turn[]> {
  const session = newSession("full");
  const turns: Turn[] = [];
  let beside = { stringify: 0, other: 0 };
  for (const [index, reply] of messages.entries()) {
    if (reply.role !== "assistant") continue;
    const text = JSON.stringify(messages.slice(0, index));
    const request = parsed(text);
    const said = replyOf(reply);
    const own = await processorTime(async () => (await session.prepare(request)).settle(said));
    if (turns.length % every === 0) beside = await besides(parsed(text));
    turns.push({ messages: index, own, ...beside });
  }
  return turns;
}

async function besides(request: Request): Promise<{ readonly stringify: number; readonly other: number }> {
  return {
    stringify: await processorTime(() => JSON.stringify(request)),
    other: await processorTime(() => compileElsewhere(request)),
  };
}

async function processorTime(work: () => unknown): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

function sumOf(turns: readonly Turn[]): Turn {
  const sum = (name: keyof Turn): number => turns.reduce((total, turn) => total + turn[name], 0);
  return { messages: sum("messages"), own: sum("own"), stringify: sum("stringify"), other: sum("other") };
}

function print(turns: readonly Turn[]): void {
  console.log(
    ["messages", "turns", "Tidemark, s", "stringify, s", "context-chef, s", "of stringify", "of context-chef"].map(cell).join(" "),
  );
  for (let share = 1 / 8; share <= 1; share *= 2) {
    const until = turns.slice(0, Math.round(turns.length * share));
    const { own, stringify, other } = sumOf(until);
    const seconds = [own, stringify, other].map((milliseconds) => (milliseconds / 1_000).toFixed(2));
    const cells = [until.at(-1)?.messages ?? 0, until.length, ...seconds, (own / stringify).toFixed(2), (own / other).toFixed(3)];
    console.log(cells.map(cell).join(" "));
  }
}

function cell(value: string | number): string {
  return String(value).padStart(16);
}
