// #region readme
import { anthropic } from "@ai-sdk/anthropic";
import { withTidemark } from "@tidemark/ai-sdk";
import { generateText } from "ai";

const model = withTidemark(anthropic("claude-opus-5-5"));
const { text } = await generateText({ model, messages, tools, providerOptions: { tidemark: { sessionId: chat.id } } });
// #endregion readme

declare const chat: { readonly id: string };
declare const messages: ModelMessage[];
declare const tools: ToolSet;

import type { ModelMessage, ToolSet } from "ai";

export { text };
