import { isArray, type ObjectValue } from "../../json/value.ts";

/** Neighbours of one role as one message: roles must alternate (facts 4). What a landing puts before a user's words is such a neighbour. */
export function joinNeighbours(message: ObjectValue, next: ObjectValue): ObjectValue | undefined {
  if (message["role"] !== next["role"]) return undefined;
  return Object.freeze({ ...message, content: Object.freeze([...blocksOf(message), ...blocksOf(next)]) });
}

function blocksOf({ content }: ObjectValue): readonly ObjectValue[] {
  return isArray(content) ? (content as readonly ObjectValue[]) : [];
}
