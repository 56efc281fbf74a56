import { expect, test } from "vitest";
import { createSession } from "../../session/create-session.ts";
import { bedrock } from "./wire.ts";

const said = (role: string, text: string) => ({ role, content: [{ text }] });
const modelId = "us.anthropic.claude-opus-5-5";
const strict = { wire: bedrock(), strict: true, selfCheck: true };

test("neighbours of one role go out as one message, others as they are", () => {
  const { join } = bedrock();
  expect(join?.(said("user", "one"), said("user", "two"))).toEqual({ role: "user", content: [{ text: "one" }, { text: "two" }] });
  expect(join?.(said("user", "one"), said("assistant", "a"))).toBeUndefined();
});

test("a host's two replies in a row, and a recap before a question, are taken by a strict session (rules 38 and 53)", async () => {
  const session = createSession(strict);
  const history = [said("user", "one"), said("assistant", "a"), said("assistant", "b"), said("user", "two")];
  const first = await session.prepare({ modelId, messages: history });
  expect(first.request.messages).toHaveLength(3);
  session.compact({ from: 0, to: 3, text: "SUMMARY: one was answered." });
  const second = await session.prepare({ modelId, messages: history });
  expect(second.request.messages).toHaveLength(1);
  expect(second.continuity.checkpoints.map(({ reason }) => reason)).toContain("compaction");
});

test("positions count messages as they go out: what stands behind two joined replies is repeated up to there (rules 1 and 26)", async () => {
  const session = createSession(strict);
  const history = [
    said("user", "one"),
    said("assistant", "a"),
    said("assistant", "b"),
    said("user", "two"),
    said("assistant", "c"),
    said("user", "three"),
  ];
  await session.prepare({ modelId, messages: history });
  const edited = history.with(3, said("user", "another"));
  const { continuity } = await session.prepare({ modelId, messages: edited });
  expect(continuity.kept).toBe(2);
  expect(continuity.checkpoints).toMatchObject([{ reason: "history", at: 2 }]);
});

test("a message that an answered one was joined with is a checkpoint there (rule 1)", async () => {
  const session = createSession(strict);
  const history = [said("user", "one"), said("assistant", "a"), said("user", "two")];
  await session.prepare({ modelId, messages: history });
  const { continuity } = await session.prepare({ modelId, messages: history.toSpliced(2, 0, said("assistant", "b")) });
  expect(continuity.checkpoints).toMatchObject([{ reason: "history", at: 1 }]);
});
