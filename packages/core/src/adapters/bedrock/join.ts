import { isArray, type ObjectValue } from "../../json/value.ts";
import type { BedrockRequest } from "./request.ts";

/** Neighbours of one role as one message: roles must alternate (facts 4). What a landing puts before a user's words is such a neighbour. */
export function joinNeighbours<R extends BedrockRequest>(request: R): R {
  const messages = (request.messages ?? []) as readonly ObjectValue[];
  if (!messages.some(({ role }, index) => messages[index - 1]?.role === role)) return request;
  const joined: ObjectValue[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before === undefined || before.role !== message.role) joined.push(message);
    else joined[joined.length - 1] = Object.freeze({ ...before, content: [...blocksOf(before), ...blocksOf(message)] });
  }
  return { ...request, messages: joined };
}

function blocksOf({ content }: ObjectValue): readonly ObjectValue[] {
  return isArray(content) ? (content as readonly ObjectValue[]) : [];
}
