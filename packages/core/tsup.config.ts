import { defineConfig } from "tsup";

// JavaScript only: the declarations are made by tsc (tsconfig.build.json), which writes the same folders.
export default defineConfig({
  entry: {
    index: "src/index.ts",
    "adapters/anthropic/index": "src/adapters/anthropic/index.ts",
    "adapters/gemini/index": "src/adapters/gemini/index.ts",
    "adapters/bedrock/index": "src/adapters/bedrock/index.ts",
    "adapters/ollama/index": "src/adapters/ollama/index.ts",
    "adapters/openai-chat/index": "src/adapters/openai-chat/index.ts",
    "adapters/openai-responses/index": "src/adapters/openai-responses/index.ts",
    "fetch/index": "src/fetch/index.ts",
    adapter: "src/adapter.ts",
    tiktoken: "src/tiktoken.ts",
    "genai-prices": "src/genai-prices.ts",
  },
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  clean: true,
});
