import { writeFileSync, appendFileSync } from "node:fs";
import { background, chain, elide, onDemandCompaction, reset, summarize } from "@tidemark/core";
import { test } from "vitest";
import { longRecordings } from "./long-recordings.ts";
import { leastOfCut, leastOfElision } from "./least-window.ts";
import { squeezeRecording, summaryText, type Squeezer } from "./squeeze-recording.ts";
const summarizer = async () => ({ text: summaryText, complete: true, refused: false });
const strategies: Record<string, Squeezer> = {
  elide: { strategy: () => elide(), least: leastOfElision },
  reset: { strategy: () => reset(), least: leastOfCut },
  summarize: { strategy: () => summarize({ summarizer }), least: leastOfCut },
  background: { strategy: () => background(summarize({ summarizer })), least: leastOfCut },
  onDemand: { strategy: (send) => onDemandCompaction({ send }), least: leastOfCut, signed: true },
  "elide,summarize,reset": { strategy: () => chain(elide(), summarize({ summarizer }), reset()), least: leastOfCut },
};
test("all", { timeout: 1e7 }, async () => {
  writeFileSync("/tmp/sq.log", "");
  const t0 = process.cpuUsage();
  for (const r of longRecordings()) for (const share of [0.25, 0.5, 0.75]) for (const [name, s] of Object.entries(strategies)) {
    if ((r.messages.length > 300 && !process.env.BIG) || (process.env.ONLY && !r.id.includes(process.env.ONLY))) continue;
    const t = Date.now();
    let line;
    try { const q = await squeezeRecording(r, share, s); line = `${q.requests} req ${q.landings} land ${q.faults.length ? "FAULT " + q.faults.join(" | ") : ""} ${q.ended ? "ENDED " + q.ended : ""}`; }
    catch (e) { line = "THROW " + (e as Error).stack?.slice(0, 600); }
    appendFileSync("/tmp/sq.log", `${r.id} (${r.messages.length}) ${share} ${name}: ${Date.now() - t} ms ${line}\n`);
  }
  console.log(process.cpuUsage(t0));
});
