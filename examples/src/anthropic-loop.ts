/** An agent's own loop on the bare Anthropic SDK, with Tidemark in the client: `node --conditions=@tidemark/source examples/src/anthropic-loop.ts` */
import Anthropic from "@anthropic-ai/sdk";
import { anthropicMiddleware } from "@tidemark/core/fetch";
import { anthropicSimulator } from "@tidemark/testing";
import { files, said, summaryOf } from "./simulated.ts";

const provider = anthropicSimulator({ script: said });
const client = new Anthropic({
  apiKey: "none",
  fetch: provider.fetch,
  middleware: [anthropicMiddleware()],
});

const tools: Anthropic.Tool[] = [
  { name: "read", description: "Reads a file.", input_schema: { type: "object", properties: { path: { type: "string" } } } },
];
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "What do a.ts and b.ts do?" }];

for (;;) {
  const reply = await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1_000, system: "You read code.", tools, messages });
  messages.push({ role: "assistant", content: reply.content });
  const results = reply.content.flatMap((block) =>
    block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: files(block.input) }] : [],
  );
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}

console.log(summaryOf(provider));
