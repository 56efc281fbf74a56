import type { ObjectValue } from "@tidemark/core";
import { pieces } from "../event-stream.ts";
import { objectOf, objectsOf, stringOf } from "../json.ts";

/** A whole reply as the lines in which the server streams it, its texts in pieces of so many UTF-16 units: thinking, text, calls, and the figures with the last. */
export function linesOf(reply: ObjectValue, pieceUnits?: number): readonly ObjectValue[] {
  const { model = "", created_at = "", message, ...figures } = reply;
  const { role = "assistant", content, thinking, tool_calls } = objectOf(message);
  const line = (more: ObjectValue): ObjectValue => ({ model, created_at, message: { role, content: "", ...more }, done: false });
  return [
    ...pieces(stringOf(thinking), pieceUnits).map((piece) => line({ thinking: piece })),
    ...pieces(stringOf(content), pieceUnits).map((piece) => line({ content: piece })),
    ...objectsOf(tool_calls).map((call) => line({ tool_calls: [call] })),
    { ...line({}), ...figures },
  ];
}
