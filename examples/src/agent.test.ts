import Anthropic from "@anthropic-ai/sdk";
import { anthropicSimulator } from "@tidemark/testing";
import { expect, test } from "vitest";
import { answer } from "./agent.ts";

test("the README's agent answers through two rounds of tools, and each request reads what the one before left in the cache", async () => {
  const simulator = anthropicSimulator({
    script: [
      { thinking: "Which tide?", calls: [{ name: "tide", input: { harbour: "Vlissingen", day: 1 } }] },
      { thinking: "And the next day's.", calls: [{ name: "tide", input: { harbour: "Vlissingen", day: 2 } }] },
      { text: "Both days at noon." },
    ],
  });
  const reply = await answer("When can I enter?", {
    client: new Anthropic({ apiKey: "of-the-simulator", fetch: simulator.fetch }),
    system: "You know the tides. ".repeat(200),
    tools: [{ name: "tide", input_schema: { type: "object", properties: { harbour: { type: "string" }, day: { type: "integer" } } } }],
    runTools: async (content) =>
      content.flatMap((block) =>
        block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "High at 12:04." }] : [],
      ),
  });
  expect(reply.content).toEqual([expect.objectContaining({ type: "text", text: "Both days at noon." })]);
  const { requests } = simulator;
  expect(requests.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const [at, request] of requests.entries()) {
    const before = requests[at - 1]?.cache;
    expect(request.cache?.read).toBe((before?.read ?? 0) + (before?.written ?? 0));
  }
});
