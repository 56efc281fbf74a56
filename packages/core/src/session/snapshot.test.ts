import { beforeAll, describe, expect, test } from "vitest";
import { anthropic } from "../adapters/anthropic/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { SnapshotError } from "../ledger/snapshot.ts";
import { createSession, restoreSession } from "./create-session.ts";

const messages = [
  { role: "user", content: "list the files" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "ls", signature: "c2ln" },
      { type: "tool_use", id: "c1", name: "ls", input: { path: "." } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "a.ts" }] },
];

let stored: string;

beforeAll(async () => {
  const session = createSession({ wire: anthropic() });
  const request = { model: "claude-opus-5-5", max_tokens: 100 };
  const reply = { type: "message", role: "assistant", stop_reason: "end_turn", usage: { input_tokens: 9 } };
  (await session.prepare({ ...request, messages: messages.slice(0, 1) })).settle({ ...reply, content: messages[1]?.content });
  (await session.prepare({ ...request, messages })).settle({ ...reply, content: [{ type: "text", text: "one file" }] });
  await session.prepare({ ...request, messages });
  stored = JSON.stringify(session.snapshot());
});

function refusal(snapshot: unknown, wire: object = anthropic()): SnapshotError | undefined {
  try {
    restoreSession(snapshot, { wire: wire as ReturnType<typeof anthropic> });
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotError);
    return error as SnapshotError;
  }
  return undefined;
}

/** The snapshot with one member set, or taken out. */
function altered(path: string, value?: unknown): unknown {
  const snapshot = JSON.parse(stored);
  const steps = path.split(".");
  const last = steps.pop() as string;
  const holder = steps.reduce((inner, step) => inner[step], snapshot);
  expect(holder, path).toHaveProperty(last);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return snapshot;
}

describe("a snapshot", () => {
  test("is taken as it was stored", () => {
    expect(refusal(JSON.parse(stored))).toBeUndefined();
  });

  test.each([
    ["tidemark", "$.tidemark"],
    ["sum", "$.sum"],
    ["wordings", "$.wordings"],
    ["ledger", "$.ledger"],
    ["ledger.nextTurn", "$.ledger.nextTurn"],
    ["ledger.heads.0.model", "$.ledger.heads[0].model"],
    ["ledger.entries.0.kind", "$.ledger.entries[0].kind"],
    ["ledger.entries.0.form.nativeRole", "$.ledger.entries[0].form.nativeRole"],
    ["ledger.entries.0.form.sent.kind", "$.ledger.entries[0].form.sent.kind"],
    ["ledger.entries.0.form.units.0.digest", "$.ledger.entries[0].form.units[0].digest"],
    ["ledger.entries.1.reasoning.vouched", "$.ledger.entries[1].reasoning.vouched"],
    ["ledger.turns.0.settled.usage", "$.ledger.turns[0].settled.usage"],
    ["doubts", "$.doubts"],
  ])("without %s is refused as damaged there", (path, place) => {
    expect(refusal(altered(path))).toMatchObject({ code: "snapshot", path: place, message: expect.stringContaining("is damaged") });
  });

  test.each([
    ["open.0", "first", "$.open[0]"],
    ["ledger.turns.0.entries.0", -1, "$.ledger.turns[0].entries[0]"],
    ["ledger.entries.0.role", "tool", "$.ledger.entries[0].role"],
    ["ledger.entries", {}, "$.ledger.entries"],
    ["warned", 0, "$.warned"],
  ])("with a wrong %s is refused as damaged there", (path, value, place) => {
    expect(refusal(altered(path, value))).toMatchObject({ code: "snapshot", path: place, message: expect.stringContaining("is damaged") });
  });

  test("that was altered to something plausible is refused whole", () => {
    expect(refusal(altered("ledger.heads.0.model", "claude-opus-5"))).toMatchObject({ path: "$.sum" });
    expect(refusal(altered("policy", "0"))).toMatchObject({ path: "$.sum" });
  });

  test("of another version or wire says so", () => {
    expect(refusal(altered("tidemark", 2))?.message).toContain("of a version that this release does not read");
    expect(refusal(JSON.parse(stored), openaiChat())).toMatchObject({ path: "$.wire" });
  });

  test.each([null, undefined, 1, "{}", [], {}, { tidemark: 1 }, () => 1])("that is none (%o) is refused", (given) => {
    expect(refusal(given)).toMatchObject({ code: "snapshot" });
  });
});
