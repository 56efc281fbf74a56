import { describe, expect, test } from "vitest";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession } from "./create-session.ts";

const reply = {
  id: "resp_2",
  status: "completed",
  output: [{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Yes." }] }],
  usage: { input_tokens: 900, output_tokens: 3, input_tokens_details: { cached_tokens: 512 } },
};

describe("a conversation that the provider holds", () => {
  test.each([{ previous_response_id: "resp_1" }, { conversation: "conv_1" }, { conversation: { id: "conv_1" } }])(
    "by %j is observed and left alone",
    async (held) => {
      const session = createSession({ wire: openaiResponses() });
      const before = session.snapshot().ledger;
      const request = { model: "gpt-5.5", ...held, input: [{ role: "user", content: "Go on." }] };
      const turn = await session.prepare(request);
      expect(turn.request).toBe(request);
      expect(turn.continuity).toEqual({ kept: 0, appended: 1, checkpoints: [] });
      expect(turn.repairs.doubtful).toMatchObject([{ rule: "server-held-state", path: Object.keys(held)[0] }]);
      expect(turn.budget.tokens).toBeGreaterThan(0);
      const settled = turn.settle(reply);
      expect(settled).toMatchObject({ recorded: false, usage: { prompt: 900, cacheRead: 512 }, envelope: undefined });
      expect(session.snapshot().ledger).toEqual(before);
    },
  );

  test("is said once a session, and requests beside it go on as before", async () => {
    const session = createSession({ wire: openaiResponses(), strict: true, selfCheck: true });
    const input: object[] = [{ role: "user", content: "Hello." }];
    const first = await session.prepare({ model: "gpt-4.1", input });
    first.settle(reply);
    input.push(...reply.output, { role: "user", content: "And now?" });
    await session.prepare({ model: "gpt-4.1", previous_response_id: "resp_1", input: "Aside." });
    expect(session.peek({ model: "gpt-4.1", previous_response_id: "resp_1", input: "Again." }).repairs.doubtful).toEqual([]);
    expect((await session.prepare({ model: "gpt-4.1", input })).continuity.checkpoints).toEqual([]);
  });
});
