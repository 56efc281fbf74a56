// #region readme
import Anthropic from "@anthropic-ai/sdk";
import { anthropicMiddleware } from "@tidemark/core/fetch";

const client = new Anthropic({ middleware: [anthropicMiddleware({ header: "x-chat" })] });
await client.messages.create(request, { headers: { "x-chat": chat.id } });
// #endregion readme

declare const chat: { readonly id: string };
declare const request: Anthropic.MessageCreateParamsNonStreaming;
