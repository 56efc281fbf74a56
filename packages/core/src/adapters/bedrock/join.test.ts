import { expect, test } from "vitest";
import { createSession } from "../../session/create-session.ts";
import { joinNeighbours } from "./join.ts";
import { bedrock } from "./wire.ts";

const said = (role: string, text: string) => ({ role, content: [{ text }] });
const modelId = "us.anthropic.claude-opus-5-5";

test("neighbours of one role go out as one message, and nothing is copied where there are none", () => {
  const neighbours = { modelId, messages: [said("user", "one"), said("user", "two"), said("assistant", "a"), said("assistant", "b")] };
  expect(joinNeighbours(neighbours).messages).toEqual([
    { role: "user", content: [{ text: "one" }, { text: "two" }] },
    { role: "assistant", content: [{ text: "a" }, { text: "b" }] },
  ]);
  const apart = { modelId, messages: [said("user", "one"), said("assistant", "a")] };
  expect(joinNeighbours(apart)).toBe(apart);
});

test("a host's two replies in a row, and a recap before a question, are taken by a strict session (rules 38 and 53)", async () => {
  const session = createSession({ wire: bedrock(), strict: true, selfCheck: true });
  const history = [said("user", "one"), said("assistant", "a"), said("assistant", "b"), said("user", "two")];
  const first = await session.prepare({ modelId, messages: history });
  expect(first.request.messages).toHaveLength(3);
  session.compact({ from: 0, to: 3, text: "SUMMARY: one was answered." });
  const second = await session.prepare({ modelId, messages: history });
  expect(second.request.messages).toHaveLength(1);
  expect(second.continuity.checkpoints.map(({ reason }) => reason)).toContain("compaction");
});
