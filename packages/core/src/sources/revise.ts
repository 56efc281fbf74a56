import { sameValue } from "../json/compare.ts";
import type { Value } from "../json/value.ts";
import { standing } from "./heard.ts";
import type { Asked, Utterance } from "./source.ts";

/** How a source of one value puts its revisions into words. */
export type RevisionWords = {
  /** The value as the window will know it, where that is not all of what was set. */
  readonly known?: (value: Value) => Value;
  /** Whether what the window knows and what is known now are one. Default: by value. */
  readonly same?: (before: Value, known: Value) => boolean;
  /** `before`: what the model knows; undefined: nothing, or nothing that it can still read whole. */
  say(value: Value, before: Value | undefined, revision: number): Pick<Utterance, "text" | "change">;
  withdraw(before: Value, revision: number): string;
};

/** Rule 16 for a source of one value: the next revision where it changed, a tombstone where it was cleared, nothing where the window says it already. */
export function revise({ setting, heard }: Asked, words: RevisionWords): Utterance | undefined {
  if (setting === undefined) return undefined;
  const last = heard.said.at(-1);
  const holds = last !== undefined && last.withdrawn !== true;
  const revision = heard.revision + 1;
  if ("cleared" in setting) return holds ? { text: words.withdraw(last.value, revision), value: last.value, withdrawn: true } : undefined;
  const known = words.known?.(setting.value) ?? setting.value;
  const before = holds && standing(heard).length > 0 ? last.value : undefined;
  if (before !== undefined && (words.same ?? sameValue)(before, known)) return undefined;
  return { ...words.say(setting.value, before, revision), value: known };
}
