import type Anthropic from "@anthropic-ai/sdk";
import { createSession } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";

type Given = Pick<Anthropic.MessageCreateParamsNonStreaming, "model" | "max_tokens" | "messages"> & {
  readonly system: string;
  readonly tools: Anthropic.Tool[];
};

declare const client: Anthropic;
declare const { model, max_tokens, system, tools, messages }: Given;

// #region readme
const session = createSession<Anthropic.MessageCreateParamsNonStreaming>({ wire: anthropic() }); // one a conversation
const turn = await session.prepare({ model, max_tokens, system, tools, messages });
const reply = await client.messages.create(turn.request, { headers: turn.headers });
turn.settle(reply);
messages.push({ role: "assistant", content: reply.content });
// #endregion readme
