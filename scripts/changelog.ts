/**
 * Gathers packages/<name>/CHANGELOG.md, which changesets writes, into the root's CHANGELOG.md, by version. All packages have one version.
 * Run by `pnpm run version`.
 */
import { glob, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** One change and the packages that it is in. */
type Change = { readonly text: string; readonly packages: string[] };

/** Releases by version, newest first as in the packages' own files; in each, changes by heading. */
type Releases = Map<string, Map<string, Change[]>>;

/** `texts`: the text of each package's changelog, by the package's short name. */
export function gatherChangelogs(texts: ReadonlyMap<string, string>): string {
  const releases: Releases = new Map();
  for (const [name, text] of texts) addChangelog(releases, name, text);
  const versions = [...releases.keys()].sort(newestFirst);
  const sections = versions.map((version) => {
    const parts = [...(releases.get(version) ?? [])].map(([heading, changes]) => `### ${heading}\n\n${changes.map(line).join("\n")}\n`);
    return `## ${version}\n\n${parts.join("\n")}`;
  });
  return `# Changelog\n\n${sections.join("\n")}`;
}

function line({ text, packages }: Change): string {
  return `- ${packages.join(", ")}: ${text}`;
}

function addChangelog(releases: Releases, name: string, text: string): void {
  for (const section of text.split(/^## /m).slice(1)) {
    const version = firstLine(section);
    for (const part of section.split(/^### /m).slice(1)) {
      const heading = firstLine(part);
      const items = part
        .split(/^- /m)
        .slice(1)
        .map((item) => item.trim());
      for (const item of items) {
        if (item.startsWith("Updated dependencies")) continue;
        addChange(releases, version, heading, name, item);
      }
    }
  }
}

function addChange(releases: Releases, version: string, heading: string, name: string, text: string): void {
  const release = releases.get(version) ?? new Map<string, Change[]>();
  releases.set(version, release);
  const changes = release.get(heading) ?? [];
  release.set(heading, changes);
  const known = changes.find((change) => change.text === text);
  if (known) known.packages.push(name);
  else changes.push({ text, packages: [name] });
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf("\n")).trim();
}

function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const texts = new Map<string, string>();
  const paths: string[] = [];
  for await (const path of glob("packages/*/CHANGELOG.md", { cwd: root })) paths.push(path);
  for (const path of paths.sort()) texts.set(basename(dirname(path)), await readFile(join(root, path), "utf8"));
  await writeFile(join(root, "CHANGELOG.md"), gatherChangelogs(texts));
}
