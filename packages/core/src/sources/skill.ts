import { isObject, type Value } from "../json/value.ts";
import type { Channel } from "../ledger/entry.ts";
import { plainValue } from "./accept.ts";
import { element, escapeText } from "./event-text.ts";
import { revise } from "./revise.ts";
import { type Source, SourceValueError } from "./source.ts";

/** Instructions for one kind of work, active for a while: a mode, a persona, what a `SKILL.md` holds. */
export type Skill = {
  readonly name: string;
  readonly instructions: string;
  readonly description?: string | undefined;
  /** Tools that it works with, as patterns: `Read`, `Bash(git *)`. Said to the model; refusing others is the host's, see `session.tools.ban`. */
  readonly allowedTools?: readonly string[] | undefined;
};

/** The one active skill of a session (rule 22): said when it is activated or switched, taken back with a tombstone by `session.clear`. Default channel `system`. */
export function skill({ id = "skill", channel = "system" }: { readonly id?: string; readonly channel?: Channel } = {}): Source<Skill> {
  return Object.freeze({
    id,
    kind: "skill",
    channel,
    accept: (value: Skill) => skillOf(id, value),
    speak: (asked) =>
      revise(asked, {
        say: (value, before, rev) => {
          const name = nameOf(value);
          const earlier = before === undefined ? undefined : nameOf(before);
          const tools = toolsOf(value);
          return { text: element("skill", { name, rev, replaces: earlier, tools }, escapeText(instructionsOf(value))) };
        },
        withdraw: (before, rev) => element("skill", { name: nameOf(before), rev, withdrawn: "true" }, asked.wordings.skillEnded),
      }),
  } satisfies Source<Skill>);
}

/** Only what is said of a skill is kept, so that another description is no other skill. */
function skillOf(id: string, given: unknown): Value {
  const value = plainValue(id, given);
  if (!isObject(value) || typeof value["name"] !== "string" || typeof value["instructions"] !== "string")
    throw new SourceValueError(id, "$", "a skill has a name and instructions");
  const { name, instructions, allowedTools } = value;
  return Object.freeze({ name, instructions, ...(allowedTools === undefined ? {} : { allowedTools }) });
}

function nameOf(value: Value): string {
  return isObject(value) ? String(value["name"]) : "";
}

function instructionsOf(value: Value): string {
  return isObject(value) ? String(value["instructions"]) : "";
}

function toolsOf(value: Value): string | undefined {
  const tools = isObject(value) ? value["allowedTools"] : undefined;
  return Array.isArray(tools) && tools.length > 0 ? tools.join(", ") : undefined;
}
