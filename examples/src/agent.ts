// #region readme
import Anthropic from "@anthropic-ai/sdk";
import { createSession } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";

export async function answer(question: string, { system, tools, runTools, client = new Anthropic() }: Agent): Promise<Anthropic.Message> {
  const session = createSession<Anthropic.MessageCreateParamsNonStreaming>({ wire: anthropic() }); // one a conversation
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
  for (;;) {
    const turn = await session.prepare({ model: "claude-sonnet-5-5", max_tokens: 8_192, system, tools, messages });
    const reply = await client.messages.create(turn.request, { headers: turn.headers });
    turn.settle(reply);
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason !== "tool_use") return reply;
    messages.push({ role: "user", content: await runTools(reply.content) });
  }
}
// #endregion readme

/** What an agent has anyway: instructions, tools, and something that runs them. */
export type Agent = {
  readonly system: string;
  readonly tools: Anthropic.Tool[];
  readonly runTools: (content: readonly Anthropic.ContentBlock[]) => Promise<Anthropic.ToolResultBlockParam[]>;
  readonly client?: Anthropic;
};
