import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { play } from "./stage.ts";

const folder = new URL("./", import.meta.url);
const stories = readdirSync(folder).filter((name) => name.endsWith(".transcript.txt"));

describe("a story goes as it is written down (`vitest -u` writes its right side anew)", () => {
  test.each(stories)("%s", async (name) => {
    const path = new URL(name, folder);
    const played = await play(readFileSync(path, "utf8"));
    expect(played).not.toContain("REFUSED");
    await expect(played).toMatchFileSnapshot(path.pathname);
  });
});
