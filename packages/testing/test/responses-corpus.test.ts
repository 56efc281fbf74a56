import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSession, type ObjectValue } from "@tidemark/core";
import { openaiResponses } from "@tidemark/core/openai-responses";
import { describe, expect, test } from "vitest";
import { openaiResponsesSimulator } from "../src/index.ts";
import { folder, isPresent } from "./recordings.ts";

type Recording = { readonly id: string; readonly tools?: readonly ObjectValue[]; readonly items: readonly ObjectValue[] };

/** The model that binds its reasoning to everything before it, whatever model was recorded. */
const model = "gpt-6.2-sol";
const profiles = { [model]: { context: 10_000_000 } };
const wire = openaiResponses({ profiles });

describe.runIf(isPresent)("recorded sessions of Responses, item by item through a session and a strict provider", () => {
  test.each(isPresent ? recordings() : [])("$id continues from request to request", async ({ items, tools }) => {
    let row: readonly ObjectValue[] = [];
    const simulator = openaiResponsesSimulator({ profiles, script: () => ({ parts: row.map((block) => ({ block })) }), keep: 1 });
    const session = createSession({ wire, strict: true, selfCheck: true, toolResultCap: false });
    const history: ObjectValue[] = [];
    let requests = 0;
    let before: readonly string[] = [];
    for (let at = 0; at < items.length; ) {
      const item = items[at] as ObjectValue;
      if (!isReply(item)) {
        history.push(item);
        at += 1;
        continue;
      }
      const behind = items.findIndex((next, index) => index > at && !isReply(next));
      row = items.slice(at, behind < 0 ? undefined : behind).map((own, index) => minted(own, at + index));
      at += row.length;
      if (history.length === 0) {
        history.push(...row);
        continue;
      }
      row = await compactedAnew(simulator, history, row);
      const request = {
        model,
        store: false,
        ...(tools === undefined ? {} : { tools: tools.map((tool) => ({ ...tool, strict: false })) }),
        input: structuredClone(history),
      };
      const turn = await session.prepare(request).catch(isPending);
      // Three agents were stopped while calls were open, and their logs go on.
      if (turn === undefined) return;
      const starts = requests === 0 && history.some(isReply);
      expect(turn.continuity.checkpoints.filter(({ reason }) => !(starts && reason === "ledger"))).toEqual([]);
      const sent = (turn.request.input as unknown as readonly object[]).map((own) => JSON.stringify(own));
      expect(sent.slice(0, before.length)).toEqual(before);
      before = sent;
      const answer = await simulator.handle(turn.request);
      expect(answer.refusal, `request ${requests} (history of ${history.length})`).toBeUndefined();
      expect(answer.transformations).toEqual([]);
      turn.settle(answer.reply);
      history.push(...(answer.reply.output as unknown as readonly ObjectValue[]));
      requests += 1;
    }
    expect(requests).toBeGreaterThan(0);
  });
});

const prefixes: Readonly<Record<string, string>> = { reasoning: "rs", message: "msg", function_call: "fc", custom_tool_call: "ctc" };

/** Other makers write ids otherwise; this provider gives its own. */
function minted(item: ObjectValue, position: number): ObjectValue {
  const prefix = prefixes[String(item.type)];
  return prefix === undefined ? item : { ...item, id: `${prefix}_${position}` };
}

/** A recorded compaction is another maker's, as recorded reasoning is: this provider makes its own, of the same items. */
async function compactedAnew(
  simulator: ReturnType<typeof openaiResponsesSimulator>,
  history: readonly ObjectValue[],
  row: readonly ObjectValue[],
): Promise<readonly ObjectValue[]> {
  const at = row.findIndex(({ type }) => type === "compaction");
  if (at < 0) return row;
  const input = structuredClone([...history, ...row.slice(0, at)]);
  const { reply } = await simulator.handle({ model, store: false, input }, { path: "/v1/responses/compact" });
  const made = (reply.output as unknown as readonly ObjectValue[]).filter(({ type }) => type === "compaction");
  return row.toSpliced(at, 1, ...made);
}

function isPending(error: unknown): undefined {
  expect(error).toMatchObject({ code: "pending-calls" });
}

function isReply(item: ObjectValue): boolean {
  return wire.read(item).role === "assistant";
}

function recordings(): readonly Recording[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const files = index.sessions.filter(({ format }) => format === "openai-responses").map(({ file }) => file);
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording);
}
