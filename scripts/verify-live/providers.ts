import { anthropic } from "../../packages/core/src/adapters/anthropic/index.ts";
import { gemini, geminiInteractions } from "../../packages/core/src/adapters/gemini/index.ts";
import { ollama } from "../../packages/core/src/adapters/ollama/index.ts";
import { type DialectName, openaiChat } from "../../packages/core/src/adapters/openai-chat/index.ts";
import { openaiResponses } from "../../packages/core/src/adapters/openai-responses/index.ts";
import type { Wire } from "../../packages/core/src/wire/wire.ts";

export type ProviderName = keyof typeof providers;

type Provider = {
  /** The environment variable with its key; for a server without keys, with its address. */
  readonly key: string;
  /** A small, cheap model for requests that name none of their own. */
  readonly model: string;
  readonly wire: Wire;
  readonly url: (request: object, key: string) => string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** What goes over the line. Absent: the request as it is. */
  readonly body?: (request: object) => object;
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const googleKey = (key: string) => ({ "x-goog-api-key": key });
const google = "https://generativelanguage.googleapis.com/v1beta";

function chat(dialect: DialectName, key: string, model: string, url: string): Provider {
  return { key, model, wire: openaiChat({ dialect }) as unknown as Wire, url: () => url, headers: bearer };
}

export const providers = {
  anthropic: {
    key: "ANTHROPIC_API_KEY",
    model: "claude-haiku-5-5",
    wire: anthropic() as unknown as Wire,
    url: () => "https://api.anthropic.com/v1/messages",
    headers: (key: string) => ({ "x-api-key": key, "anthropic-version": "2026-10-21" }),
  },
  gemini: {
    key: "GEMINI_API_KEY",
    model: "gemini-3.8-flash",
    wire: gemini() as unknown as Wire,
    url: (request: object) => `${google}/models/${(request as { readonly model: string }).model}:generateContent`,
    headers: googleKey,
    body: (request: object) => ({ ...request, model: undefined }),
  },
  interactions: {
    key: "GEMINI_API_KEY",
    model: "gemini-3.8-flash",
    wire: geminiInteractions() as unknown as Wire,
    url: () => `${google}/interactions`,
    headers: googleKey,
  },
  openai: chat("openai", "OPENAI_API_KEY", "gpt-5.4-nano", "https://api.openai.com/v1/chat/completions"),
  responses: {
    key: "OPENAI_API_KEY",
    model: "gpt-5.4-nano",
    wire: openaiResponses() as unknown as Wire,
    url: () => "https://api.openai.com/v1/responses",
    headers: bearer,
  },
  deepseek: chat("deepseek", "DEEPSEEK_API_KEY", "deepseek-v4-flash", "https://api.deepseek.com/chat/completions"),
  mistral: chat("mistral", "MISTRAL_API_KEY", "mistral-small-latest", "https://api.mistral.ai/v1/chat/completions"),
  cerebras: chat("cerebras", "CEREBRAS_API_KEY", "gpt-oss-120b", "https://api.cerebras.ai/v1/chat/completions"),
  groq: chat("groq", "GROQ_API_KEY", "openai/gpt-oss-20b", "https://api.groq.com/openai/v1/chat/completions"),
  ollama: {
    key: "OLLAMA_HOST",
    model: "qwen3:8b",
    wire: ollama() as unknown as Wire,
    url: (_request: object, address: string) => `${address}/api/chat`,
    headers: () => ({}),
    body: (request: object) => ({ ...request, stream: false }),
  },
} as const satisfies Readonly<Record<string, Provider>>;

export function providerOf(name: ProviderName): Provider {
  return providers[name];
}
