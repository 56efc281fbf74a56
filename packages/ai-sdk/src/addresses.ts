import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isObject, type ObjectValue } from "@tidemark/core/adapter";

/** A prompt as its session made it, and which of its messages are looked through every time: they hold an address, or are not fixed. */
type Handed = { readonly prompt: readonly object[]; readonly open: readonly number[] };

/** By session, which hands out the same frozen messages again and again: only what is new is looked through. */
const handed = new WeakMap<object, Handed>();

/** Providers take addresses of files as `URL` objects; a session keeps them as text. */
export function withAddresses(prompt: readonly object[], session: object | undefined): LanguageModelV4Prompt {
  const before = session && handed.get(session);
  const from = before === undefined ? 0 : repeatedOf(before.prompt, prompt);
  const made = prompt.slice();
  const open = before === undefined ? [] : before.open.filter((index) => index < from);
  for (const index of open) made[index] = revived(prompt[index] as ObjectValue);
  for (let index = from; index < prompt.length; index++) {
    const message = prompt[index] as ObjectValue;
    made[index] = revived(message);
    if (made[index] !== message || !Object.isFrozen(message)) open.push(index);
  }
  if (session !== undefined) handed.set(session, { prompt, open });
  return made as unknown as LanguageModelV4Prompt;
}

/** How many messages a prompt starts with that another starts with. */
function repeatedOf(before: readonly object[], prompt: readonly object[]): number {
  let count = 0;
  while (count < prompt.length && prompt[count] === before[count]) count += 1;
  return count;
}

function revived(value: ObjectValue): object {
  const holdsAddress = (part: unknown): boolean => isObject(part) && isObject(part.data) && part.data.type === "url";
  const { content } = value;
  if (!Array.isArray(content) || !content.some((part) => holdsAddress(part) || isFilesResult(part))) return value;
  const revive = (part: unknown): unknown => {
    if (holdsAddress(part)) return withUrl(part as ObjectValue);
    if (!isFilesResult(part)) return part;
    const { output } = part as { readonly output: ObjectValue };
    const files = (output.value as readonly unknown[]).map((item) => (holdsAddress(item) ? withUrl(item as ObjectValue) : item));
    return { ...(part as object), output: { ...output, value: files } };
  };
  return { ...value, content: content.map(revive) };
}

function isFilesResult(part: unknown): boolean {
  return isObject(part) && isObject(part.output) && part.output.type === "content" && Array.isArray(part.output.value);
}

function withUrl(part: ObjectValue): object {
  const { data } = part as { readonly data: ObjectValue };
  return { ...part, data: { ...data, url: new URL(String(data.url)) } };
}
