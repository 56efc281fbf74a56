import { laidOut } from "../../json/laid-out.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, freezeValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { NamedCall, Unit } from "../../wire/unit.ts";

export type Call = Unit & { readonly kind: "call" };

const order: readonly string[] = ["id", "type", "function"];

/**
 * The calls of an assistant message. Newer servers give each an id; ollama 0.6.4 knows none. A call without one goes by its tool's name, which is what a
 * result bears: of several the first that has no result yet is meant.
 */
export function readCalls({ tool_calls }: ObjectValue): readonly Call[] {
  if (tool_calls === undefined || tool_calls === null) return [];
  if (!isArray(tool_calls)) throw new InvalidMessageError("$.tool_calls", "tool_calls must be a list");
  return tool_calls.map((call, index) => {
    if (!isObject(call)) throw new InvalidMessageError(pathText(["tool_calls", index]), "a call must be an object");
    return readCall(call);
  });
}

/** A call that was made on another wire. */
export function callFor({ id, name, arguments: input }: NamedCall): Call {
  return readCall(freezeValue({ id, function: { name, arguments: input } }));
}

function readCall(call: ObjectValue): Call {
  const block = laidOut(call, order, call.id === "" || call.id === null ? ["id"] : []);
  const { name, arguments: carried = {} } = isObject(call.function) ? call.function : {};
  const named = typeof name === "string" ? name : "";
  const id = typeof block.id === "string" ? block.id : named;
  return { kind: "call", block, id, name: named, value: typeof carried === "string" ? parsed(carried) : carried };
}

/** Arguments are an object here. A host that kept them as a string is refused by the rules (OL-01), after it was read. */
function parsed(text: string): Value {
  try {
    return copyValue(JSON.parse(text));
  } catch {
    return text;
  }
}
