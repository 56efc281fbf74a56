import { chain, elide, reset } from "@tidemark/core";
import { test } from "vitest";
import { longRecordings } from "./long-recordings.ts";
import { squeezeRecording } from "./squeeze-recording.ts";
test("one", { timeout: 1e7 }, async () => {
  const r = longRecordings().find(({ id }) => id === "cc-claude-code-log-sample-0d3a8e6f-290f")!;
  console.log(JSON.stringify(await squeezeRecording(r, 0.5, () => reset())));
});
