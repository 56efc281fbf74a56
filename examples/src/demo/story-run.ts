import Anthropic from "@anthropic-ai/sdk";
import { anthropic } from "@tidemark/core/anthropic";
import { anthropicSimulator, manualClock } from "@tidemark/testing";
import { Assistant } from "./assistant.ts";
import type { Connect } from "./connections.ts";
import { throughStore } from "./key-sorting-store.ts";
import { museumServers } from "./museum.ts";
import type { RequestRow } from "./request-row.ts";
import { RowMaker } from "./row-maker.ts";
import { type Incident, requestLabels, type Story } from "./story.ts";
import { Toolbox } from "./toolbox.ts";

/**
 * Plays a story: one assistant, one simulated provider that refuses what Anthropic refuses, the official SDK between them. `connect` is all that
 * differs from run to run. `onRow` is told of each request as it is answered.
 */
export async function runStory(
  story: Story,
  connect: Connect,
  onRow: (row: RequestRow) => void = () => {},
): Promise<readonly RequestRow[]> {
  const clock = manualClock();
  const simulator = anthropicSimulator({ seed: story.seed, clock, mode: "error", script: story.scenes.flatMap(({ replies }) => replies) });
  const client = new Anthropic({ apiKey: "of-the-simulator", fetch: simulator.fetch, maxRetries: 0 });
  const maker = new RowMaker(simulator, anthropic());
  const ask = connect(client, (turn) => maker.prepared(turn));
  const toolbox = new Toolbox(museumServers(story.seed));
  const labels = requestLabels(story);
  const rows: RequestRow[] = [];
  const assistant = new Assistant({
    toolbox,
    model: story.model,
    now: () => new Date(clock.now()),
    ask: async (request) => {
      const reply = await ask(request);
      const row = maker.make(labels[rows.length] ?? "");
      rows.push(row);
      onRow(row);
      return reply;
    },
  });
  const befall = (incident: Incident): void => {
    if (incident.kind === "time") clock.advance(incident.minutes * 60_000);
    else if (incident.kind === "reconnect") toolbox.reconnect(incident.server);
    else if (incident.kind === "restart") assistant.restart(throughStore);
    else assistant.correct(incident.question, incident.by);
  };
  for (const { incidents, question } of story.scenes) {
    incidents.forEach(befall);
    await assistant.answer(question);
  }
  return rows;
}
