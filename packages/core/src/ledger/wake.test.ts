import { describe, expect, test } from "vitest";
import { anthropicSpeaker, bedrockSpeaker, chatSpeaker } from "../../test/speakers.ts";
import { type Change, changes, stories } from "../../test/stories.ts";
import type { Talk } from "../../test/talk.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession, restoreSession } from "../session/create-session.ts";
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

test("reasoning that a store dropped goes out behind a restore with all that went with it, its item's id too (rules 6 and 48)", async () => {
  const wire = openaiResponses();
  let session = createSession({ wire });
  const input: object[] = [{ role: "user", content: "read it" }];
  const request = (): never => ({ model: "gpt-5.6", store: false, include: ["reasoning.encrypted_content"], input: [...input] }) as never;
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk" };
  const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: "{}", status: "completed" };
  const first = await session.prepare(request());
  first.settle({ id: "resp_1", object: "response", status: "completed", model: "gpt-5.6", output: [reasoning, call] });
  input.push(call, { type: "function_call_output", call_id: "c1", output: "text" });
  const before = (await session.prepare(request())).request as unknown as { readonly input: readonly object[] };
  expect(before.input[1]).toEqual(reasoning);
  session = restoreSession(JSON.parse(JSON.stringify(session.snapshot())), { wire });
  input.push({ role: "assistant", content: "done" }, { role: "user", content: "go on" });
  const turn = await session.prepare(request());
  expect((turn.request as unknown as { readonly input: readonly object[] }).input.slice(0, 4)).toEqual(before.input);
  expect(turn.continuity.checkpoints).toEqual([]);
});
