import { calibrated } from "../budget/calibration.ts";
import type { Measurement } from "../budget/measure.ts";
import { startsWith } from "../budget/sent-window.ts";
import { addUsage } from "../budget/usage-sum.ts";
import { type Explanation, explainCache, type TurnAccount } from "../continuity/explain.ts";
import type { ReplyReading } from "../wire/reply.ts";
import type { Usage } from "../wire/usage.ts";
import type { Wire } from "../wire/wire.ts";
import type { SentTurn } from "./sent-turn.ts";
import type { SessionState } from "./session-state.ts";
import { lifetimeOf } from "./time-to-live.ts";

/** Settled turns that `explain` looks back on. */
const accountsMax = 8;

/** Remembers a turn that goes out; of those whose reply can no longer come the window is let go. */
export function recordSent<W extends object>(session: SessionState<W>, sent: SentTurn): void {
  const { turns } = session.ledger;
  const known = session.sent.map((item) => (turns.some(({ number }) => number === item.turn) ? item : letGo(item)));
  session.sent = [...known, sent].slice(-accountsMax);
  session.sentAt = sent.sentAt;
}

function letGo(sent: SentTurn): SentTurn {
  return sent.measured === undefined ? sent : { ...sent, measured: undefined };
}

/** Joins a turn with its reply's report; breaks of turns that were never settled count for the next one that is. */
export function recordAccount<W extends object>(session: SessionState<W>, wire: Wire<W>, number: number, reading: ReplyReading): void {
  const sent = session.sent.find((item) => item.turn === number);
  if (sent?.measured === undefined) return;
  const measurement = sent.measured();
  const since = session.accounts.at(-1)?.turn ?? 0;
  const checkpoints = session.sent.flatMap((item) => (item.turn > since && item.turn <= number ? item.checkpoints : []));
  const account: TurnAccount = {
    turn: number,
    sentAt: sent.sentAt,
    usage: reading.usage,
    checkpoints,
    tokens: measurement.measure.tokens,
    asked: sent.asked,
    missReason: reading.cacheMissReason,
    ...(isCompacted(session.wire as unknown as Wire, reading) && { compacted: true as const }),
  };
  session.accounts = [...session.accounts, account].slice(-accountsMax);
  recordReport(session, sent.model, measurement, reading.usage);
  session.sent = session.sent.map((item) => (item === sent ? letGo(item) : item));
  session.usage = addUsage(session.usage, reading.usage, wire.profile(sent.model).prices, session.options.ttl);
}

function isCompacted({ compaction }: Wire, { messages }: ReplyReading): boolean {
  const threshold = compaction?.threshold;
  return threshold !== undefined && messages.some((message) => threshold.restarts(message) || compaction?.holds(message) === true);
}

/** The reply's usage is the session's report from now on, and teaches how its tokens are to be counted (rule 31). */
function recordReport<W extends object>(
  session: SessionState<W>,
  model: string,
  { counted, prefill }: Measurement,
  { prompt, passes = 1 }: Pick<Usage, "prompt" | "passes">,
): void {
  if (prompt === undefined || prompt === 0 || passes > 1) return;
  const reported = prompt - prefill;
  const covered = session.report !== undefined && startsWith(counted.window, session.report.window);
  session.calibration = calibrated(session.calibration, model, { reported, counted: counted.tokens }, covered);
  session.report = { prompt: reported, window: counted.window };
}

/** A refusal for length that names the prompt's tokens is a report of the window that was refused. */
export function recordRefusal<W extends object>(session: SessionState<W>, prompt: number): void {
  const sent = session.sent.at(-1);
  const measurement = sent?.measured?.();
  if (sent !== undefined && measurement !== undefined) recordReport(session, sent.model, measurement, { prompt });
}

export function explainSession<W extends object>(session: SessionState<W>): Explanation {
  const model = session.sent.at(-1)?.model;
  return explainCache(session.accounts, {
    cacheTokensMin: model === undefined ? undefined : session.wire.profile(model).cacheTokensMin,
    lifetime: lifetimeOf(session),
    trimsInRow: session.ledger.trimsInRow,
  });
}
