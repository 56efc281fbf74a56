/**
 * The OpenAI SDK with `contextFetch`. The host writes its history through a store that sorts keys and turns arguments around, and the requests stay the same:
 * `node --conditions=@tidemark/source examples/src/openai-fetch.ts`
 */
import { contextFetch } from "@tidemark/core/fetch";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiChatSimulator } from "@tidemark/testing";
import OpenAI from "openai";
import { files, said, stored, summaryOf } from "./simulated.ts";

const provider = openaiChatSimulator({ script: said });
const client = new OpenAI({ apiKey: "none", fetch: contextFetch({ wires: [openaiChat()], fetch: provider.fetch }) });

const tools: OpenAI.ChatCompletionTool[] = [
  { type: "function", function: { name: "read", parameters: { type: "object", properties: { path: { type: "string" } } } } },
];
let messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "system", content: "You read code." },
  { role: "user", content: "What do a.ts and b.ts do?" },
];

for (;;) {
  const { choices } = await client.chat.completions.create(
    { model: "gpt-5.5", tools, messages },
    { headers: { "x-tidemark-session": "chat 7" } },
  );
  const message = choices[0]?.message;
  if (message === undefined) break;
  messages.push(message);
  const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
  if (calls.length === 0) break;
  for (const call of calls) messages.push({ role: "tool", tool_call_id: call.id, content: files(JSON.parse(call.function.arguments)) });
  messages = stored(messages);
}

console.log(summaryOf(provider));
