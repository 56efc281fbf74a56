// #region readme
import Anthropic from "@anthropic-ai/sdk";
import { anthropicMiddleware, contextFetch } from "@tidemark/core/fetch";
import { openaiChat } from "@tidemark/core/openai-chat";
import OpenAI from "openai";

const openai = new OpenAI({ fetch: contextFetch({ wires: [openaiChat()] }) });
const claude = new Anthropic({ middleware: [anthropicMiddleware()] }); // on every backend that the client knows

// #endregion readme

export { claude, openai };
