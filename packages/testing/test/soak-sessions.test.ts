import { expect, it } from "vitest";
import { drawPlan } from "../soak/plan.ts";
import { runSession } from "../soak/run-session.ts";
import { sides } from "../soak/sides/table.ts";

/** A few sessions of each wire, with what they drew to make room: `pnpm soak` plays as many as are wanted. */
const seeds = [1, 2];

it.each(sides.flatMap(({ name }) => seeds.map((seed) => ({ name, seed }))))(
  "a session of the wild on $name keeps every promise of the library to its strict provider (seed $seed)",
  async ({ name, seed }) => {
    const { failure, tally } = await runSession(drawPlan(seed, { wires: [name] }), { isRead: false });
    expect(failure).toBeUndefined();
    expect(tally.total().requests).toBeGreaterThan(0);
  },
);
