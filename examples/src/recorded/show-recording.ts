import { readFile } from "node:fs/promises";
import { PairPrinter } from "../demo/pair-printer.ts";
import type { RequestRow } from "../demo/request-row.ts";
import type { Output } from "../demo/show-story.ts";
import { summary } from "../demo/summary.ts";
import { count } from "../demo/table.ts";
import { totalsOf } from "../demo/totals.ts";
import { whatIsRead } from "./documents.ts";
import { playRecording } from "./play-recording.ts";
import { providerOf } from "./provider.ts";
import { type Recording, readRecording } from "./recording.ts";
import { RecordingError } from "./recording-error.ts";

/** Exit codes: all well; something was rejected or broke without a word; a file cannot be read. */
const codes = { well: 0, fault: 1, unreadable: 2 };

/** Shows recordings one after the other. Returns the worst exit code. */
export async function showRecordings(files: readonly string[], output: Output): Promise<number> {
  let worst = codes.well;
  for (const file of files) worst = Math.max(worst, await showFile(file, output));
  return worst;
}

async function showFile(file: string, output: Output): Promise<number> {
  try {
    return await showRecording(readRecording(file, await textOf(file)), output);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    output.print(output.paint.red(error.message));
    return codes.unreadable;
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new RecordingError({ file }, code === "ENOENT" ? "there is no such file" : `this cannot be read (${code})`, whatIsRead);
  }
}

async function showRecording(recording: Recording, { print, paint }: Output): Promise<number> {
  const provider = providerOf(recording);
  const { wire, model, dialect } = provider;
  print(
    paint.bold(
      `${recording.file}: ${count(recording.steps.length, "request")}, ${wire.name}${dialect === undefined ? "" : `, dialect ${dialect}`}, ${model}`,
    ),
  );
  if (recording.assumed.length > 0) print(`Assumed, since the recording does not say: ${recording.assumed.join("; ")}.`);
  print("Played twice, without pauses, against a simulated provider that gives the recorded replies and signs their thinking anew.");
  const pairs = new PairPrinter(print, paint);
  await Promise.all([
    playRecording(recording, provider, "today", (row) => pairs.today(row)),
    playRecording(recording, provider, "tidemark", (row) => pairs.tidemark(row)),
  ]);
  const paid = { model, prices: wire.profile(model).prices };
  const [today, tidemark] = [pairs.rows.today, pairs.rows.tidemark].map((rows) => totalsOf(rows, paid.prices));
  print("");
  if (today !== undefined && tidemark !== undefined) for (const line of summary(today, tidemark, paid, paint)) print(line);
  print("");
  return pairs.rows.tidemark.some(isFaulty) ? codes.fault : codes.well;
}

/** A request that Tidemark itself refuses to send, with its reason, is no fault: the provider would refuse it as well. */
function isFaulty({ rejections, problem }: RequestRow): boolean {
  return rejections.length > 0 || problem?.includes("without a checkpoint") === true;
}
