/** A `ToolLoopAgent` of the AI SDK over two turns, one generated and one streamed: `node --conditions=@tidemark/source examples/src/ai-sdk-agent.ts` */
import { createAnthropic } from "@ai-sdk/anthropic";
import { withTidemark } from "@tidemark/ai-sdk";
import { anthropicSimulator } from "@tidemark/testing";
import { isStepCount, type ModelMessage, ToolLoopAgent, tool } from "ai";
import { z } from "zod";
import { files, said, summaryOf } from "./simulated.ts";

const provider = anthropicSimulator({ script: said });
const anthropic = createAnthropic({ apiKey: "none", fetch: provider.fetch });

const agent = new ToolLoopAgent({
  model: withTidemark(anthropic("claude-opus-5-5")),
  instructions: "You read code.",
  tools: { read: tool({ description: "Reads a file.", inputSchema: z.object({ path: z.string() }), execute: files }) },
  stopWhen: isStepCount(20),
  providerOptions: { tidemark: { sessionId: "chat 7" } },
});

const messages: ModelMessage[] = [{ role: "user", content: "What do a.ts and b.ts do?" }];
messages.push(...(await agent.generate({ messages })).responseMessages);
messages.push({ role: "user", content: "Once more, with c.ts." });
const streamed = await agent.stream({ messages });
await streamed.consumeStream();
messages.push(...(await streamed.responseMessages));

console.log(summaryOf(provider));
