// #region readme
import { anthropic } from "@ai-sdk/anthropic";
import { withTidemark } from "@tidemark/ai-sdk";
import { ToolLoopAgent } from "ai";

const model = withTidemark(anthropic("claude-opus-5-5"));
const agent = new ToolLoopAgent({ model, tools, providerOptions: { tidemark: { sessionId: chat.id } } });
// #endregion readme

declare const chat: { readonly id: string };
declare const tools: ToolSet;

import type { ToolSet } from "ai";

export { agent };
