/**
 * Tools in the forms that skill files have them: a list, or one text with commas or blanks between them. What stands in parentheses belongs to its tool:
 * `Read, Bash(git add:*, git commit:*)` are two. Undefined: it is neither.
 */
export function allowedTools(given: unknown): readonly string[] | undefined {
  if (typeof given === "string") return split(given);
  if (!Array.isArray(given) || given.some((item) => typeof item !== "string")) return undefined;
  return given.flatMap((item: string) => split(item));
}

function split(text: string): readonly string[] {
  const tools: string[] = [];
  let tool = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth = Math.max(depth - 1, 0);
    if (depth === 0 && /[\s,]/.test(character)) {
      tools.push(tool);
      tool = "";
    } else tool += character;
  }
  return [...tools, tool].flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}
