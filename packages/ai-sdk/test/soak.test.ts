import { expect, it } from "vitest";
import { behaviours } from "../../testing/soak/behaviours/table.ts";
import { drawPlan } from "../../testing/soak/plan.ts";
import { runSession } from "../../testing/soak/run-session.ts";
import { compactingThroughAiSdk, ThroughAiSdk } from "./through-ai-sdk.ts";

const from = Number(process.env.SOAK_SEED ?? 1);
const seeds = Array.from({ length: Number(process.env.SOAK_SESSIONS ?? 4) }, (_, index) => from + index);

// A note that comes to stand first is a part of the system text: the SDK's prompt cannot tell the two apart.
const withoutNotes = behaviours.filter(({ name }) => name !== "system note");
/** How sessions make room. */
const rooms = [
  ...(["elide", "compaction, reset", "reset", "summarize, reset", "background compaction, summarize, reset"] as const),
  ...(["elide, summarize, reset", "background, reset"] as const),
];
const withoutSlides = behaviours.filter(({ name }) => !name.startsWith("slide"));

const sessions = seeds.flatMap((seed) => [[seed, "none"] as const, [seed, rooms[seed % rooms.length] ?? "reset"] as const]);

it.each(sessions)(
  "the hosts of the wild come through the AI SDK, and none of their requests is refused (seed %i, room: %s)",
  async (seed, room) => {
    const only = seed % 2 === 0 ? withoutNotes : withoutSlides;
    const plan = drawPlan(seed, { wires: ["anthropic"], way: "ai-sdk", only, traits: { overflow: room } });
    const { failure, transcript } = await runSession(plan, {
      isRead: true,
      opens: (options, provider) => new ThroughAiSdk(options, provider),
      compacts: compactingThroughAiSdk,
    });
    if (failure !== undefined && process.env.SOAK_TRACE) console.log(transcript.text());
    expect(failure && [failure.kind, failure.message, ...failure.facts]).toBeUndefined();
  },
);
