// #region readme
import { ChatAnthropic } from "@langchain/anthropic";
import { anthropic } from "@tidemark/core/anthropic";
import { contextFetch } from "@tidemark/core/fetch";
import { createAgent, createMiddleware } from "langchain";

const fetch = contextFetch({ wires: [anthropic()] });
const namesThread = createMiddleware({
  name: "NamesThread",
  wrapModelCall: (request, handler) => {
    const headers = { "x-tidemark-session": String(request.runtime.configurable?.thread_id) };
    return handler({ ...request, modelSettings: { ...request.modelSettings, headers } });
  },
});
const model = new ChatAnthropic({ model: "claude-opus-5-5", clientOptions: { fetch } });
const agent = createAgent({ model, tools, middleware: [namesThread] });
// #endregion readme

declare const tools: StructuredTool[];

test("an agent of LangChain is made as the page says", () => {
  expectTypeOf(agent.invoke).toBeFunction();
});

import type { StructuredTool } from "@langchain/core/tools";
import { expectTypeOf, test } from "vitest";
