import type { ObjectValue } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";

/**
 * Thinking is plain text in a field of its own: nobody signs it, every model may read it, and its template says what becomes of it. Without that of
 * a tool-calling reply the model repeats its calls (facts 7.4; a report against the Python client).
 */
export function readThinking({ thinking }: ObjectValue): readonly Unit[] {
  if (typeof thinking !== "string" || thinking === "") return [];
  return [{ kind: "reasoning", block: Object.freeze({ thinking }), bound: false, readable: thinking }];
}
