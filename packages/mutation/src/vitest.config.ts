import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { rooms } from "./rooms.ts";

const room = rooms.find(({ name }) => name === process.env["TIDEMARK_ROOM"]);
const conditions = ["@tidemark/source", "node", "development|production"];

/** The tests of a room, on the sources that Stryker has mutated: a copy of `packages/core`, which is where this runs. */
export default defineConfig({
  root: process.cwd(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [...(room?.tests ?? [])],
    setupFiles: [fileURLToPath(new URL("fixed-seed.ts", import.meta.url))],
    testTimeout: 60_000,
  },
});
