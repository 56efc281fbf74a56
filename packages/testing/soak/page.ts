import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { behaviours } from "./behaviours/table.ts";
import type { Tally } from "./tally.ts";

export type RunFigures = {
  readonly seed: number;
  readonly sessions: number;
  readonly tally: Tally;
  /** Sessions and requests of each wire and of each way to make room. */
  readonly shares: ReadonlyMap<string, { readonly sessions: number; readonly requests: number }>;
  readonly failures: ReadonlyMap<string, number>;
};

const begin = "<!-- figures, written by `pnpm soak --write` -->";
const end = "<!-- end of figures -->";

/** Writes what a run survived between the marks of a page. @throws {TypeError} for a page without them. */
export async function writeFigures(path: string, figures: RunFigures, today: string): Promise<void> {
  const page = await readFile(path, "utf8");
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError(`${path} has no place for figures: put "${begin}" and "${end}" into it.`);
  await writeFile(path, `${page.slice(0, from + begin.length)}\n${figuresText(figures, today)}\n${page.slice(to)}`);
}

function figuresText({ seed, sessions, tally, shares, failures }: RunFigures, today: string): string {
  const { requests, refused } = tally.total();
  const broken = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, Node ${process.versions.node}`;
  return [
    `\n${today}, ${machine}. Seeds ${seed} to ${seed + sessions - 1}: ${count(sessions)} sessions, **${count(requests)} prepared requests**, ${refused} refused, ${broken} sessions with a violation.\n`,
    ...(broken === 0
      ? []
      : [
          table(
            ["violation", "sessions"],
            [...failures].map(([kind, times]) => [kind, count(times)]),
          ),
          "",
        ]),
    table(
      ["wire or way to make room", "sessions", "requests"],
      [...shares].sort(([a], [b]) => a.localeCompare(b)).map(([name, share]) => [name, count(share.sessions), count(share.requests)]),
    ),
    "",
    table(
      ["behaviour", "times", "requests"],
      behaviours.map(({ name }) => [name, count(tally.of(name).times), count(tally.of(name).requests)]),
    ),
    "",
  ].join("\n");
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}
