import { createSession } from "@tidemark/core";
import { bedrock } from "@tidemark/core/bedrock";
import { expect, test } from "vitest";

const modelId = "us.amazon.nova-pro-v1:0";
const user = (text: string) => ({ role: "user" as const, content: [{ text }] });
const thought = { role: "assistant" as const, content: [{ reasoningContent: { reasoningText: { text: "Let me see." } } }] };
const reply = { output: { message: thought }, stopReason: "end_turn", usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };

/** Bedrock refuses two messages of one role side by side (BC-06), and reads no reasoning that is not signed. */
test.each([
  ["settled", true],
  ["not settled", false],
])("a reply of nothing but reasoning that is not sent keeps its place where neighbours are refused, %s (rule 27)", async (_, settles) => {
  const session = createSession({ wire: bedrock(), strict: true, selfCheck: true });
  const first = await session.prepare({ modelId, messages: [user("One.")] });
  if (settles) first.settle(reply);
  const turn = await session.prepare({ modelId, messages: [user("One."), thought, user("Two.")] });
  expect(turn.request.messages?.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(turn.continuity.checkpoints).toEqual([]);
});
