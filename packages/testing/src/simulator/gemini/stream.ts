import type { ObjectValue } from "@tidemark/core";
import type { StreamEvent } from "../endpoint.ts";
import { pieces } from "../event-stream.ts";
import { objectOf, objectsOf, without } from "../json.ts";

/** A whole response as the chunks in which the provider streams it, each a response of its own: words in pieces, everything else in one. */
export function streamOf(response: ObjectValue, pieceUnits?: number): readonly StreamEvent[] {
  const { usageMetadata = {}, ...rest } = response;
  const candidate = objectOf(objectsOf(response.candidates)[0]);
  const head = without(rest, "candidates");
  const chunk = (parts: readonly ObjectValue[], last: boolean): StreamEvent => {
    const content = parts.length === 0 ? { role: "model" } : { parts, role: "model" };
    const other = last ? without(candidate, "content") : { index: 0 };
    return { data: { candidates: [{ content, ...other }], ...head, ...(last && { usageMetadata }) } };
  };
  const streamed = objectsOf(objectOf(candidate.content).parts).flatMap((part) => inPieces(part, pieceUnits));
  return [...streamed.map((part) => chunk([part], false)), chunk([], true)];
}

/** Text that bears a signature comes whole: a signature stands on the words that it came with. */
function inPieces(part: ObjectValue, pieceUnits?: number): readonly ObjectValue[] {
  if (typeof part.text !== "string" || part.thoughtSignature !== undefined) return [part];
  return pieces(part.text, pieceUnits).map((text) => ({ ...part, text }));
}
