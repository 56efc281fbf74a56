import { expect, it, vi } from "vitest";

const programs = {
  "anthropic-loop": { run: () => import("./anthropic-loop.ts"), requests: 3 },
  "openai-fetch": { run: () => import("./openai-fetch.ts"), requests: 3 },
  "ai-sdk-agent": { run: () => import("./ai-sdk-agent.ts"), requests: 6 },
};

it.each(Object.entries(programs))("%s runs, and each of its requests continues the one before", async (_name, { run, requests }) => {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => printed.push(line));
  await run();
  log.mockRestore();
  const following = Array.from({ length: requests - 1 }, (_, index) => `request ${index + 2}: continues`);
  expect(printed.join("\n").split("\n")).toEqual([`${requests} requests, 0 refused`, ...following]);
});
