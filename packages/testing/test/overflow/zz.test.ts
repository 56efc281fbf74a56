import { test } from "vitest";
import { writeFileSync } from "node:fs";
import { sides } from "./sides.ts";
import { hostBySeed } from "./strategies.ts";
test("x", { timeout: 60_000 }, async () => {
  const lines: string[] = [];
  const { host } = hostBySeed(sides[Number(process.env.SIDE ?? 0)] as never, process.env.STRAT as string, Number(process.env.SEED), (l) => lines.push(l));
  await host.run(40).catch((e: Error) => lines.push(String(e.stack)));
  writeFileSync("/tmp/ovf/log.txt", lines.join("\n"));
});
