import { describe, expect, test } from "vitest";
import { sides } from "./sides.ts";
import { hostBySeed, strategies } from "./strategies.ts";

const seeds = 3;
const requests = 40;

describe.each(sides)(
  "$name: after any overflow action the next request is taken, and nothing that must stay is lost (rules 34 to 43)",
  (side) => {
    test.each(Object.keys(strategies))("%s", async (name) => {
      let landings = 0;
      let blocks = 0;
      for (let seed = 0; seed < seeds; seed++) {
        const { host, squeeze } = hostBySeed(side, name, seed);
        const fits = await host.run(requests).catch((error: Error) => {
          throw new Error(`seed ${seed} ${JSON.stringify(squeeze)}: ${error.message}`, { cause: error });
        });
        if (name !== "elide") expect(fits, "the window could not be made to fit").toBe(true);
        landings += host.landings.length;
        blocks += host.history.filter((message) => side.wire.compaction?.holds(message) === true).length;
      }
      // Anthropic's least threshold is far above these windows.
      if (name.startsWith("server") && side.wire.name === "openai-responses")
        expect(blocks, "the provider never compacted").toBeGreaterThan(0);
      expect(landings).toBeGreaterThan(seeds);
    });
  },
);
