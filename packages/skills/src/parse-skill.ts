import { type Skill, TidemarkError } from "@tidemark/core";
import { isMap, parseDocument, type YAMLError } from "yaml";
import { allowedTools } from "./allowed-tools.ts";

/** A skill file cannot be read: its frontmatter is no YAML, or a field has the wrong type. Code: `skill-file`. */
export class SkillFileError extends TidemarkError {
  constructor(file: string, problem: string, cause?: unknown) {
    super("skill-file", `${file}: ${problem}.`, { path: file, cause });
  }
}

const frontmatter = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/;
/** Names of the field under which tools are found in the wild; the first is the specification's. */
const toolFields = ["allowed-tools", "allowed_tools", "allowedTools"] as const;
/** An anchor that stands for another is met in no skill; a file full of them is an attack. */
const aliasesMax = 16;

/**
 * The skill in a `SKILL.md`: YAML frontmatter with `name`, `description` and `allowed-tools`, and the instructions behind it. `fallbackName`: of a file without a name, its folder's.
 * @throws {SkillFileError}
 */
export function parseSkill(text: string, file: string, fallbackName?: string): Skill {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const head = frontmatter.exec(plain);
  const fields = head === null ? {} : fieldsOf(head[1] ?? "", file);
  const name = textIn(fields, "name", file) ?? fallbackName;
  if (name === undefined || name === "") throw new SkillFileError(file, "the frontmatter has no `name`");
  const description = textIn(fields, "description", file);
  const tools = toolFields.map((field) => fields[field]).find((value) => value !== undefined && value !== null);
  const allowed = tools === undefined ? undefined : allowedTools(tools);
  if (tools !== undefined && allowed === undefined) throw new SkillFileError(file, "`allowed-tools` must be a text or a list of texts");
  return Object.freeze({
    name,
    instructions: plain.slice(head?.[0].length ?? 0).trim(),
    ...(description === undefined ? {} : { description }),
    ...(allowed === undefined ? {} : { allowedTools: Object.freeze(allowed) }),
  });
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(yaml: string, file: string): Fields {
  const strict = parseDocument(yaml);
  // Descriptions with a colon and no quotes are common: where the whole is no YAML, each line's text is taken as it stands.
  const document = strict.errors.length === 0 ? strict : parseDocument(quoted(yaml));
  const [error] = document.errors;
  if (error !== undefined) throw new SkillFileError(file, `the frontmatter is no YAML (${firstLine(error)})`, error);
  if (document.contents === null) return {};
  if (!isMap(document.contents)) throw new SkillFileError(file, "the frontmatter must be fields and their values");
  try {
    return document.toJS({ maxAliasCount: aliasesMax }) as Fields;
  } catch (error) {
    throw new SkillFileError(file, "the frontmatter has too many aliases", error);
  }
}

function firstLine(error: YAMLError): string {
  return error.message.split("\n")[0] ?? "";
}

/** Each field of one line with its value in quotes, but for values that are quoted, lists, or go on below. */
function quoted(yaml: string): string {
  return yaml
    .split("\n")
    .map((line) => {
      const [, name, value] = /^([A-Za-z_][\w-]*):[ \t]+([^\s"'[{|>&*!].*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? line : `${name}: ${JSON.stringify(value.trimEnd())}`;
    })
    .join("\n");
}

function textIn(fields: Fields, name: string, file: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new SkillFileError(file, `\`${name}\` must be a text`);
}
