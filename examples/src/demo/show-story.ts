import { anthropic } from "@tidemark/core/anthropic";
import { asToday, throughTidemark } from "./connections.ts";
import { faultsOf } from "./faults.ts";
import { PairPrinter } from "./pair-printer.ts";
import { editPositions, museumStory, requestLabels } from "./story.ts";
import { runStory } from "./story-run.ts";
import { summary } from "./summary.ts";
import type { Paint } from "./terminal.ts";
import { totalsOf } from "./totals.ts";

export type Output = { readonly print: (line: string) => void; readonly paint: Paint };

/** Plays the demo's story in both ways at once. Returns the exit code: 1 when the run through Tidemark was not what it promises. */
export async function showStory(seed: string, { print, paint }: Output): Promise<number> {
  const story = museumStory(seed);
  print(paint.bold(`One agent session of ${requestLabels(story).length} requests, played twice: the same host, the same replies.`));
  print("The provider is a simulated Anthropic, as strict as its documents; the official SDK talks to it.");
  const pairs = new PairPrinter(print, paint);
  const runs = await Promise.allSettled([
    runStory(story, asToday, (row) => pairs.today(row)),
    runStory(story, throughTidemark, (row) => pairs.tidemark(row)),
  ]);
  const paid = { model: story.model, prices: anthropic().profile(story.model).prices };
  print("");
  for (const line of summary(totalsOf(pairs.rows.today, paid.prices), totalsOf(pairs.rows.tidemark, paid.prices), paid, paint)) print(line);
  const stopped = runs.flatMap((run) => (run.status === "rejected" ? [`A run stopped: ${String(run.reason)}`] : []));
  const faults = [...stopped, ...faultsOf(pairs.rows.tidemark, editPositions(story))];
  for (const fault of faults) print(paint.red(`  Fault: ${fault}`));
  return faults.length === 0 ? 0 : 1;
}
