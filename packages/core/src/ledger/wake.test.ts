import { describe, expect, test } from "vitest";
import { anthropicSpeaker, bedrockSpeaker, chatSpeaker } from "../../test/speakers.ts";
import { type Change, changes, stories } from "../../test/stories.ts";
import type { Talk } from "../../test/talk.ts";
import type { Repairs } from "../session/turn.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** What is sent behind a change, and what is said of it; then once more. `more`: members of the first request. */
async function behind(talk: Talk, change: Change, more: object = {}): Promise<readonly unknown[]> {
  talk.history = [...change(talk.history, talk)];
  const told: unknown[] = [];
  for (const [words, members] of [
    ["go on", more],
    ["and on", {}],
  ] as const) {
    const turn = await talk.ask(words, members);
    const { kept, appended, checkpoints } = turn.continuity;
    // How what is asleep differs, and what reasoning it had, is not known.
    told.push(JSON.stringify(turn.request), kept, appended, checkpoints.map(asKnown), lost(turn.repairs));
    talk.answer({ text: "ok" });
  }
  return told;
}

// Of what a snapshot has only digests nothing can be held back (rule 62 a).
const { "a tool loop that is open": _held, ...changeable } = stories;

const asKnown = ({ reason, at, tokens, hint }: Checkpoint): object => ({ reason, at, tokens, hint });

/** What did not go out as the host has it. */
const lost = ({ mediaWithheld, resultsCapped, resultsMadeUp, resultsOrphaned, resultsLate }: Repairs): object => ({
  ...{ mediaWithheld, resultsCapped, resultsMadeUp, resultsOrphaned, resultsLate },
});

describe.each(Object.entries(changeable))("a history with %s, then changed (rules 5 and 48)", (_what, { talk: story }) => {
  test.each(Object.entries(changes))("is sent and judged alike, live and restored: %s", async (_how, change) => {
    const restored = await story();
    restored.restore();
    expect(await behind(restored, change)).toEqual(await behind(await story(), change));
  });

  const none: Change = (history) => history;
  const tool = { name: "look", input_schema: { type: "object" } };

  const functionTool = { type: "function", function: { name: "look" } };
  const toolSpec = { name: "look", inputSchema: { json: { type: "object" } } };

  test.each<readonly [string, Readonly<Record<string, object>>]>([
    [
      "another model",
      {
        [anthropicSpeaker.name]: { model: "claude-haiku-5-5" },
        [chatSpeaker.name]: { model: "deepseek-reasoner" },
        [bedrockSpeaker.name]: { modelId: "anthropic.claude-haiku-5-5" },
      },
    ],
    [
      "an older model",
      {
        [anthropicSpeaker.name]: { model: "claude-sonnet-4-6" },
        [chatSpeaker.name]: { model: "deepseek-chat-2" },
        [bedrockSpeaker.name]: { modelId: "anthropic.claude-sonnet-4-6" },
      },
    ],
    [
      "other tools",
      {
        [anthropicSpeaker.name]: { tools: [tool] },
        [chatSpeaker.name]: { tools: [functionTool] },
        [bedrockSpeaker.name]: { toolConfig: { tools: [{ toolSpec }] } },
      },
    ],
    [
      "another parameter",
      {
        [anthropicSpeaker.name]: { output_config: { effort: "low" } },
        [chatSpeaker.name]: { reasoning_effort: "low" },
        [bedrockSpeaker.name]: { inferenceConfig: { temperature: 0.5 } },
      },
    ],
  ])("is sent and judged alike, live and restored, with %s for one request", async (_how, members) => {
    const [live, restored] = [await story(), await story()];
    restored.restore();
    const more = members[live.speaker.name];
    expect(more).toBeDefined();
    expect(await behind(restored, none, more)).toEqual(await behind(live, none, more));
  });
});
