import { type Breach, isArray, isObject, type ObjectValue, type ShapeRule, type Value } from "@tidemark/core/adapter";

/** What a prompt must be before the AI SDK hands it to a provider. Sources: `convertToLanguageModelPrompt` of `ai` 7.0.173 and the types of `@ai-sdk/provider` 4.0.38. */
export const rules: readonly ShapeRule[] = [
  { id: "AI-01", grade: "sure", status: 400, check: ({ prompt }) => inMessages(prompt, misplacedPart) },
  { id: "AI-02", grade: "sure", status: 400, check: ({ prompt }) => callWithoutResult(prompt) },
  { id: "AI-03", grade: "sure", status: 400, check: ({ prompt }) => resultWithoutCall(prompt) },
];

const partsOfRole: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "file"],
  assistant: ["text", "file", "custom", "reasoning", "reasoning-file", "tool-call", "tool-result"],
  tool: ["tool-result", "tool-approval-response"],
};
const knownParts: ReadonlySet<string> = new Set(Object.values(partsOfRole).flat());

function misplacedPart({ role, content }: ObjectValue, at: number): Breach | undefined {
  const allowed = partsOfRole[String(role)];
  if (allowed === undefined || !isArray(content)) return undefined;
  // A part that no version knows is carried.
  const index = content.findIndex((part) => isObject(part) && knownParts.has(String(part.type)) && !allowed.includes(String(part.type)));
  const part = content[index];
  if (!isObject(part)) return undefined;
  return { message: `a ${String(role)} message holds no ${String(part.type)} part`, path: ["prompt", at, "content", index] };
}

/** Every call has its result before the next word of user or system, and before the end. */
function callWithoutResult(prompt: Value | undefined): Breach | undefined {
  const open = new Map<string, Breach>();
  for (const [at, message] of messagesOf(prompt)) {
    if ((message.role === "user" || message.role === "system") && open.size > 0) break;
    for (const [index, part] of partsOf(message)) {
      const id = String(part.toolCallId);
      if (part.type === "tool-call" && part.providerExecuted !== true)
        open.set(id, { message: `Tool result is missing for tool call ${id}.`, path: ["prompt", at, "content", index] });
      else if (part.type === "tool-result" && message.role === "tool") open.delete(id);
    }
  }
  return [...open.values()][0];
}

function resultWithoutCall(prompt: Value | undefined): Breach | undefined {
  const called = new Set<string>();
  for (const [at, message] of messagesOf(prompt)) {
    for (const [index, part] of partsOf(message)) {
      const id = String(part.toolCallId);
      if (part.type === "tool-call") called.add(id);
      else if (part.type === "tool-result" && message.role === "tool" && !called.has(id))
        return { message: `the result of ${id} has no call before it`, path: ["prompt", at, "content", index] };
    }
  }
  return undefined;
}

function inMessages(prompt: Value | undefined, check: (message: ObjectValue, at: number) => Breach | undefined): Breach | undefined {
  for (const [at, message] of messagesOf(prompt)) {
    const breach = check(message, at);
    if (breach !== undefined) return breach;
  }
  return undefined;
}

function messagesOf(prompt: Value | undefined): readonly (readonly [number, ObjectValue])[] {
  return isArray(prompt) ? prompt.flatMap((message, at) => (isObject(message) ? [[at, message] as const] : [])) : [];
}

function partsOf({ content }: ObjectValue): readonly (readonly [number, ObjectValue])[] {
  return isArray(content) ? content.flatMap((part, at) => (isObject(part) ? [[at, part] as const] : [])) : [];
}
