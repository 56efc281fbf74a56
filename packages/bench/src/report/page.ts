import { readFile, writeFile } from "node:fs/promises";

const [from, to] = ["<!-- figures, written by `pnpm bench` -->", "<!-- end of figures -->"];

/** Puts figures into a page of the documentation, in place of those that it has. */
export async function writeFigures(page: string, lines: readonly string[]): Promise<void> {
  const file = new URL(`../../../../docs-site/${page}`, import.meta.url);
  const [before, rest] = (await readFile(file, "utf8")).split(from);
  const after = rest?.split(to)[1];
  if (before === undefined || after === undefined) throw new Error(`docs-site/${page} has no place for figures: ${from} and ${to}.`);
  await writeFile(file, [before, from, "\n\n", ...lines.map((line) => `${line}\n`), "\n", to, after].join(""));
  console.log(`Figures are in docs-site/${page}.`);
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}
