import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Skill } from "@tidemark/core";
import { parseSkill, SkillFileError } from "./parse-skill.ts";

const fileName = "SKILL.md";
/** Bytes of a file that could be instructions; a larger one is something else. */
const bytesMax = 1_048_576;

/** The skill of a `SKILL.md`, or of the folder that holds one. @throws {SkillFileError} */
export async function loadSkill(path: string): Promise<Skill> {
  const file = (await isFolder(path)) ? join(path, fileName) : path;
  const text = await read(file);
  return parseSkill(text, file, basename(dirname(file)));
}

/** The skills of a folder: of each folder in it that holds a `SKILL.md`, in the order of their names. @throws {SkillFileError} for one that cannot be read, and for two of one name. */
export async function loadSkills(folder: string): Promise<readonly Skill[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const skills = new Map<string, Skill>();
  for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = join(folder, name, fileName);
    if (!(await isFile(file))) continue;
    const skill = await loadSkill(file);
    if (skills.has(skill.name))
      throw new SkillFileError(file, `there is another skill of the name ${JSON.stringify(skill.name)} in ${folder}`);
    skills.set(skill.name, skill);
  }
  return [...skills.values()];
}

async function read(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > bytesMax) throw new SkillFileError(file, `is longer than ${bytesMax} bytes`);
    return await readFile(file, "utf8");
  } catch (error) {
    throw error instanceof SkillFileError ? error : new SkillFileError(file, "cannot be read", error);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
