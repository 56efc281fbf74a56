import { createSession, type ObjectValue, type Wire } from "@tidemark/core";
import { expect, test } from "vitest";
import { aiSdkWire } from "../src/index.ts";

/** What a session sends for a loop that it did not see being made, in place of the loop. */
async function folded(output: object): Promise<ObjectValue | undefined> {
  const signed = { anthropic: { signature: "c2lnbmVk" } };
  const session = createSession({ wire: aiSdkWire() as unknown as Wire });
  const turn = await session.prepare({
    model: "anthropic.messages/claude-opus-5-5",
    prompt: [
      { role: "user", content: [{ type: "text", text: "look" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", providerOptions: signed },
          { type: "tool-call", toolCallId: "c1", toolName: "shot", input: {} },
        ],
      },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "shot", output }] },
    ],
  });
  const { prompt } = turn.request as unknown as { readonly prompt: readonly ObjectValue[] };
  expect(prompt.map(({ role }) => role)).toEqual(["user", "user"]);
  return prompt[1];
}

test("a picture in a result of a folded loop stays a picture (rule 62 c)", async () => {
  const shot = { type: "file", mediaType: "image/png", data: { type: "data", data: "aGVsbG8=" } };
  const said = await folded({ type: "content", value: [{ type: "text", text: "a screen" }, shot] });
  expect(said?.["content"]).toEqual([{ type: "text", text: expect.stringContaining("a screen") }, shot]);
});

test("JSON that a tool put out is text there, whatever it looks like (rule 62 c)", async () => {
  const said = await folded({ type: "json", value: [1, { mediaType: "image/png" }] });
  expect(said?.["content"]).toEqual([{ type: "text", text: expect.stringContaining('"mediaType":"image/png"') }]);
});
