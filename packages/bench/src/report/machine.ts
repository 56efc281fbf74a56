import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";

/** On what, with what and when figures were taken. */
export async function machineLines(): Promise<readonly string[]> {
  const [core] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    new Date().toISOString().slice(0, 10),
    `commit ${execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()}`,
    `${cpus().length} cores (${core?.model}), ${gigabytes} GiB, ${type()} ${release()}`,
    `Node ${process.versions.node}, V8 ${process.versions.v8}`,
    ...(await peerVersions()),
  ];
}

async function peerVersions(): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(dependencies).flatMap(([name, version]) => (name.startsWith("@tidemark/") ? [] : [`${name} ${version}`]));
}
