// #region readme

import { contextFetch } from "@tidemark/core/fetch";
import { openaiChat } from "@tidemark/core/openai-chat";
import OpenAI from "openai";

const openai = new OpenAI({ fetch: contextFetch({ wires: [openaiChat()], session: ({ headers }) => headers.get("x-chat") ?? undefined }) });

// #endregion readme

export { openai };
