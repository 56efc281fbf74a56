import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paintFor } from "../demo/terminal.ts";
import { showRecordings } from "./show-recording.ts";

const folder = join(import.meta.dirname, "../../recordings");
const plain = paintFor({ isTTY: false }, {});

async function shown(...files: readonly string[]): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await showRecordings(files, { print: (line) => lines.push(line), paint: plain });
  return { code, lines };
}

describe("the recordings that come with the examples", () => {
  test.each(readdirSync(folder))("%s plays both ways, fits a terminal and ends well", async (file) => {
    const { code, lines } = await shown(join(folder, file));
    expect(code).toBe(0);
    for (const line of lines.slice(1)) expect(line.length).toBeLessThanOrEqual(130);
    expect(lines.filter((line) => line.includes("│")).every((line) => line.length <= 100)).toBe(true);
    expect(lines.at(-2)).toMatch(/Tidemark: 0 rejected requests, 0 checkpoints/);
  });

  test("a clock and moved tools cost the host requests, and through Tidemark none", async () => {
    const { lines } = await shown(join(folder, "greenhouse.requests.jsonl"));
    expect(lines.find((line) => line.trim().startsWith("rejected"))).toMatch(/rejected +[1-9]\d* +0$/);
    expect(lines.join("\n")).toContain("rejected: messages.1.content.0: Invalid `signature` in `thinking` block");
  });
});

test("a file that is not there or cannot be read does not keep the others from being shown", async () => {
  const { code, lines } = await shown("nowhere.json", folder, join(folder, "harbour.history.json"));
  expect(code).toBe(2);
  expect(lines[0]).toMatch(/^nowhere\.json: there is no such file\. Expected /);
  expect(lines[1]).toContain("this cannot be read (EISDIR)");
  expect(lines[2]).toContain("harbour.history.json: 5 requests, openai-chat, dialect openai, gpt-5.4");
});
