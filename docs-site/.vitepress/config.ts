import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The pages of a folder by their own titles, in alphabetical order: a page is in the sidebar as soon as its file is there. */
function pagesIn(folder: string, order: (a: string, b: string) => number = (a, b) => a.localeCompare(b)): DefaultTheme.SidebarItem[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`)
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .sort(order)
    .map((name) => ({ text: titleOf(`${root}/${folder}/${name}`), link: `/${folder}/${name.slice(0, -3)}`.replace("//", "/") }));
}

function titleOf(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(file, "utf8"));
  if (heading?.[1] === undefined) throw new Error(`${file} has no title: begin it with a line "# …".`);
  return heading[1].replaceAll("`", "");
}

function section(text: string, items: DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] {
  return items.length === 0 ? [] : [{ text, items }];
}

export default defineConfig({
  title: "Tidemark",
  description: "Keeps the requests of an LLM agent append-only.",
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: {
    search: { provider: "local" },
    outline: "deep",
    sidebar: [
      ...section("Guide", pagesIn(".")),
      ...section("Wires", pagesIn("wires")),
      ...section(
        "Decisions",
        pagesIn("decisions", (a, b) => b.localeCompare(a)),
      ),
    ],
  },
});
