import type { CheckpointReason } from "@tidemark/core";
import { behaviours } from "./behaviours/table.ts";
import type { Outcome } from "./run-session.ts";
import type { Count, Tally } from "./tally.ts";

/** Reasons that a run must have met. */
const metReasons: readonly CheckpointReason[] = ["history", "ledger", "system", "tools", "params", "model", "elision", "compaction"];
export const occurrencesMin = 100;

/** A row for each behaviour, and their sum. */
export function tableOf(tally: Tally): string {
  const rows = behaviours.map(({ name, number }) => rowOf(number === undefined ? "" : String(number), name, tally.of(name)));
  const heads = ["", "behaviour", "times", "requests", "refused", "checkpoints", "repairs"];
  return alignColumns([heads, ...rows, rowOf("", "all", tally.total())]);
}

function rowOf(number: string, name: string, { times, requests, refused, checkpoints, repairs }: Count): readonly string[] {
  return [number, name, String(times), String(requests), String(refused), countsText(checkpoints), countsText(repairs)];
}

function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
}

const textColumns = new Set([1, 5, 6]);

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (textColumns.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  return lines.map((cells) => cells.join("  ").trimEnd()).join("\n");
}

/** What a whole run did not meet often enough to say anything about it. */
export function rareOccurrences(tally: Tally): readonly string[] {
  const rareBehaviours = behaviours.filter(({ name, byNameOnly }) => byNameOnly !== true && tally.of(name).times < occurrencesMin);
  const { checkpoints } = tally.total();
  const rareReasons = metReasons.filter((reason) => (checkpoints.get(reason) ?? 0) < occurrencesMin);
  return [
    ...rareBehaviours.map(({ name }) => `behaviour "${name}": ${tally.of(name).times} times`),
    ...rareReasons.map((reason) => `checkpoint ${reason}: ${checkpoints.get(reason) ?? 0} times`),
  ];
}

/** A failure with the shortest session that shows it. */
export function failureText({ plan, failure, transcript }: Outcome): string {
  const facts = failure?.facts.filter((fact) => fact !== "").map((fact) => `    ${fact}`) ?? [];
  return [
    `FAIL ${failure?.kind} (seed ${plan.seed}): ${failure?.message}`,
    ...facts,
    ...transcript
      .text()
      .split("\n")
      .map((line) => `  ${line}`),
    "",
  ].join("\n");
}
