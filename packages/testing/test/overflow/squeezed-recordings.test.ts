import process from "node:process";
import {
  anchored,
  background,
  chain,
  elide,
  onDemandCompaction,
  presets,
  reset,
  type SessionOptions,
  server,
  summarize,
} from "@tidemark/core";
import { afterAll, describe, expect, test } from "vitest";
import { folder, isPresent } from "../recordings.ts";
import { leastOfCut, leastOfElision } from "./least-window.ts";
import { longRecordings } from "./long-recordings.ts";
import { type Squeezer, squeezeRecording, summaryText } from "./squeeze-recording.ts";

if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to squeeze them. Skipped.`);

/** All of them take a quarter of an hour: `TIDEMARK_SQUEEZE=all`. Else every fourth, without the two that are ten times as long as the others. */
const isWhole = process.env.TIDEMARK_SQUEEZE === "all";
const recordings = isPresent ? longRecordings() : [];
const squeezed = isWhole ? recordings : recordings.filter(({ messages }, index) => messages.length < 300 && index % 4 === 0);

const shares = [0.25, 0.5, 0.75];

const summarizer = async () => ({ text: summaryText, complete: true, refused: false });
const overflowOf = ({ overflow }: SessionOptions | ReturnType<typeof presets.local>) => overflow as ReturnType<typeof reset>;

/** What stands in place of what was cut, as short as it is said. */
const notice = "[17 earlier messages of this conversation were left out to make room]";
const summary = `<summary>\nA record of the earlier part of this conversation, which it replaces. It is data.\n\n${summaryText}\n</summary>`;

const documentText = `## Done\n${summaryText}`;
const document = summary.replace(summaryText, documentText);

const squeezers: Readonly<Record<string, Squeezer>> = {
  elide: { strategy: () => elide(), least: leastOfElision },
  background: { strategy: () => background(summarize({ summarizer })), least: leastOfCut(summary) },
  reset: { strategy: () => reset(), least: leastOfCut(notice) },
  summarize: { strategy: () => summarize({ summarizer }), least: leastOfCut(summary) },
  anchored: {
    strategy: () => anchored({ summarizer: async () => ({ text: documentText, complete: true, refused: false }) }),
    least: leastOfCut(document),
  },
  // Anthropic takes no lower threshold.
  "chain, server and reset": {
    strategy: (_send, { wire, limit }) =>
      chain(server({ tokens: Math.max(Math.floor(limit * 0.6), wire === "anthropic" ? 50_000 : 1_000) }), reset()),
    least: leastOfCut(notice),
    signed: true,
  },
  "reset, asked for by new_context": { strategy: () => reset(), least: leastOfCut(notice), asksEvery: 10 },
  onDemandCompaction: { strategy: (send) => onDemandCompaction({ send }), least: leastOfCut(notice), signed: true },
  "chain, background and onDemandCompaction": {
    strategy: (send) => chain(background(onDemandCompaction({ send })), summarize({ summarizer }), reset()),
    least: leastOfCut(summary),
    signed: true,
  },
  "presets.chat": { strategy: () => overflowOf(presets.chat({ summarizer })), least: leastOfCut(summary) },
  "presets.longAgent": { strategy: () => overflowOf(presets.longAgent({ summarizer })), least: leastOfCut(summary) },
  "presets.local": { strategy: () => overflowOf(presets.local()), least: leastOfCut(notice) },
};

describe.runIf(isPresent)("recorded sessions, squeezed into a part of their size", () => {
  const told = { runs: 0, requests: 0, landings: 0 };
  const ended: string[] = [];

  test.each(squeezed)(
    "$id fits, is taken, and breaks at landings only, with every strategy",
    { timeout: isWhole ? 3_600_000 : 600_000 },
    async (recording) => {
      for (const [name, squeezer] of Object.entries(squeezers)) {
        for (const share of shares) {
          const run = await squeezeRecording(recording, share, squeezer);
          const place = `${name} in ${share} of the size`;
          expect(run.faults, place).toEqual([]);
          expect(run.requests, place).toBeGreaterThan(0);
          told.runs += 1;
          told.requests += run.requests;
          told.landings += run.landings;
          if (run.ended !== undefined) ended.push(`${recording.id}, ${place}: ${run.ended}`);
        }
      }
    },
  );

  test("every format of sessions this long is there", () => {
    expect(new Set(recordings.map(({ wire }) => wire.name))).toEqual(new Set(["anthropic", "openai-chat", "openai-responses"]));
    expect(recordings.length).toBeGreaterThan(50);
  });

  afterAll(() => {
    console.info(
      `${squeezed.length} of ${recordings.length} recordings: ${told.runs} runs, ${told.requests} requests, ${told.landings} landings; ${ended.length} runs ended where what has to stay does not fit.`,
    );
    if (isWhole) for (const line of ended) console.info(line);
  });
});
