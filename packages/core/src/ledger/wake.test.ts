import { describe, expect, test } from "vitest";
import { chatSpeaker } from "../../test/speakers.ts";
import { type Change, changes, stories } from "../../test/stories.ts";
import { breaks, bytes, type Talk } from "../../test/talk.ts";

/** What is sent behind a change, and what is said of it; then once more. `more`: members of the first request. */
async function behind(talk: Talk, change: Change, more: object = {}): Promise<readonly unknown[]> {
  talk.history = [...change(talk.history, talk)];
  const told: unknown[] = [];
  for (const [words, members] of [
    ["go on", more],
    ["and on", {}],
  ] as const) {
    const turn = await talk.ask(words, members);
    told.push(
      bytes(turn),
      breaks(turn),
      turn.continuity.checkpoints.map(({ hint }) => hint),
    );
    talk.answer({ text: "ok" });
  }
  return told;
}

describe.each(Object.entries(stories))("a history with %s, then changed (rules 5 and 48)", (_what, { talk: story }) => {
  test.each(Object.entries(changes))("is sent and judged alike, live and restored: %s", async (_how, change) => {
    const restored = await story();
    restored.restore();
    expect(await behind(restored, change)).toEqual(await behind(await story(), change));
  });

  const none: Change = (history) => history;
  const tool = { name: "look", input_schema: { type: "object" } };

  test.each([
    ["another model", { model: "claude-haiku-5-5" }, { model: "deepseek-reasoner" }],
    ["an older model", { model: "claude-sonnet-4-6" }, { model: "deepseek-chat-2" }],
    ["other tools", { tools: [tool] }, { tools: [{ type: "function", function: { name: "look" } }] }],
    ["another parameter", { output_config: { effort: "low" } }, { reasoning_effort: "low" }],
  ])("is sent and judged alike, live and restored, with %s for one request", async (_how, onAnthropic, onChat) => {
    const [live, restored] = [await story(), await story()];
    restored.restore();
    const more = live.speaker === chatSpeaker ? onChat : onAnthropic;
    expect(await behind(restored, none, more)).toEqual(await behind(live, none, more));
  });
});
