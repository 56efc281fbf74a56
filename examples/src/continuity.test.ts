// #region readme
import "@tidemark/testing/vitest";
import Anthropic from "@anthropic-ai/sdk";
import { anthropicSimulator } from "@tidemark/testing";
import { expect, test } from "vitest";
import { answer } from "./agent.ts";

test("the agent keeps its prefix", async () => {
  const { fetch, requests } = anthropicSimulator({
    script: [{ thinking: "Tides.", calls: [{ name: "tide", input: {} }] }, { text: "Noon." }],
  });
  const client = new Anthropic({ apiKey: "none", fetch });
  await answer("When can I enter?", { client, system: "You know the tides.", tools: [tide], runTools: noon });
  expect(requests.map(({ body }) => body)).toKeepPrefix();
});
// #endregion readme

const tide: Anthropic.Tool = { name: "tide", input_schema: { type: "object" } };

async function noon(content: readonly Anthropic.ContentBlock[]): Promise<Anthropic.ToolResultBlockParam[]> {
  return content.flatMap((block) =>
    block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "High at 12:04." }] : [],
  );
}
