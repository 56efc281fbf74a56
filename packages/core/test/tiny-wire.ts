import { isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import type { Head } from "../src/wire/head.ts";
import type { Profile } from "../src/wire/profile.ts";
import type { Reading, Role, Unit } from "../src/wire/unit.ts";
import type { Wire } from "../src/wire/wire.ts";

/**
 * A wire with just enough to compare requests: blocks `text`, `think`, `call`, `result` and `image`, marks in `mark`.
 * `merging` reads neighbours of one role as one turn.
 */
export function tinyWire({ merging }: { readonly merging: boolean }): Wire {
  const wire = {
    name: merging ? "tiny-merging" : "tiny",
    abilities: { resultsJoinUserTurn: merging },
    recognises: (request: ObjectValue) => "messages" in request,
    read: readMessage,
    systemText: ({ system }: Head) => system.map(({ text }) => String(text)).join("\n"),
    toolName: (tool: ObjectValue) => String(tool.name),
    profile: (id: string): Profile => ({ ...profile, id }),
    open: (request: ObjectValue) => ({
      head: {
        model: String(request.model),
        system: request.system === undefined ? [] : [{ text: request.system }],
        tools: (request.tools ?? []) as readonly ObjectValue[],
        params: request.effort === undefined ? {} : { effort: request.effort },
      },
      messages: (request.messages ?? []) as readonly unknown[],
      lead: 0,
      headMarks: [],
    }),
  };
  return wire as unknown as Wire;
}

const profile: Profile = {
  id: "tiny",
  context: 10_000,
  outputMax: undefined,
  bindsReasoning: "yes",
  readsReasoningOf: [],
  positionalSystem: false,
  prefill: false,
  cacheTokensMin: undefined,
  prices: undefined,
  traits: [],
};

function readMessage(message: ObjectValue): Reading {
  const { role, content, ...fields } = message;
  const units: Unit[] = Object.keys(fields).length === 0 ? [] : [{ kind: "fields", block: fields }];
  const marks: { unit: number; mark: Value }[] = [];
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : isArray(content) ? content : [];
  for (const native of blocks) {
    if (!isObject(native)) throw new Error("a block is an object");
    const { mark, ...block } = native as Record<string, Value>;
    if (block.type === "text" && block.text === "") continue;
    if (mark !== undefined) marks.push({ unit: units.length, mark });
    units.push(unitOf(block));
  }
  return { role: role as Role, nativeRole: String(role), units, marks };
}

function unitOf(block: ObjectValue): Unit {
  switch (block.type) {
    case "text":
      return { kind: "text", block, text: String(block.text) };
    case "think":
      return { kind: "reasoning", block, bound: "seal" in block, readable: String(block.text) };
    case "call":
      return { kind: "call", block, id: String(block.id), name: String(block.name), value: argumentsOf(block.input ?? null) };
    case "result":
      return { kind: "result", block, id: String(block.id), text: typeof block.content === "string" ? block.content : undefined };
    case "image":
      return { kind: "media", block };
    default:
      return { kind: "other", block };
  }
}

function argumentsOf(input: Value): Value {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input) as Value;
  } catch {
    return input;
  }
}
