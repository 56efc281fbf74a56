import { expect, it } from "vitest";
import { drawPlan } from "../soak/plan.ts";
import { runSession } from "../soak/run-session.ts";
import { sides } from "../soak/sides/table.ts";

/** Two sessions of each wire: `pnpm soak --way fetch` plays as many as are wanted. */
const seeds = [1, 2];

it.each(sides.map(({ name }) => name))(
  "the hosts of the wild on %s come through contextFetch, and none of their requests is refused",
  async (wire) => {
    let requests = 0;
    for (const seed of seeds) {
      const { failure, tally } = await runSession(drawPlan(seed, { wires: [wire], way: "fetch" }), { isRead: false });
      expect(failure).toBeUndefined();
      requests += tally.total().requests;
    }
    expect(requests).toBeGreaterThan(8 * seeds.length);
  },
);
