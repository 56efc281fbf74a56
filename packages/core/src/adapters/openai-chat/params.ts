import type { DialectName } from "./dialects.ts";

type Row = readonly [name: string, ...dialects: DialectName[]];

/**
 * Parameters that a server renders into the prompt or its cache key, beside model, tools and messages. A row without dialects holds for all of
 * them. Safe to change, and so not here: `tool_choice`, token limits, sampling, `stop`, `stream`, `metadata`, `store`, `user`.
 */
const rows: readonly Row[] = [
  ["reasoning_effort"], // OpenAI: facts 2.6 ("settings rendered into the prefix"); DeepSeek 6.1, Mistral 6.2; template servers: 6.6, Together
  ["response_format"], // `text.format`: facts 2.6
  ["verbosity"], // facts 2.6
  ["parallel_tool_calls"], // facts 2.6
  ["service_tier"], // facts 2.6, from the enumeration of diagnostics
  ["prompt_cache_key"], // facts 2.6; Mistral 6.2; OpenRouter routes by it: 5
  ["functions"], // the older form of tools
  ["web_search_options", "openai", "openrouter"], // renders a tool [inferred]
  ["thinking", "deepseek", "kimi", "openrouter"], // facts 6.1, 6.6; it chooses the template
  ["enable_thinking", "qwen", "vllm", "sglang"], // recorded requests; it chooses the template
  ["user_id", "deepseek"], // isolates the cache: facts 6.1
  ["reasoning", "openrouter", "vllm"], // template setting: facts 5, 6.6
  ["session_id", "openrouter", "sglang"], // sticky routing and server sessions: facts 5, 7.2
  ["provider", "openrouter"], // another upstream has another cache: facts 5
  ["plugins", "openrouter"], // context compression edits the middle: facts 5
  ["transforms", "openrouter"], // the same: facts 5
  ["prompt_mode", "mistral"], // chooses a system prompt: facts 6.2
  ["reasoning_format", "groq", "cerebras"], // recorded requests [inferred]
  ["clear_thinking", "cerebras"], // recorded requests: whether earlier reasoning is rendered
  ["chat_template_kwargs", "vllm", "sglang", "llama-cpp", "qwen", "deepseek"], // facts 6.6, Together
  ["chat_template", "vllm", "sglang"], // facts 7.1
  ["cache_salt", "vllm"], // part of every block's hash: facts 7.1
  ["id_slot", "llama-cpp"], // another slot holds another prefix: facts 7.3
];

/** Names of the parameters that enter the cache key in a dialect. */
export function prefixParams(dialect: DialectName): readonly string[] {
  return rows.flatMap(([name, ...only]) => (only.length === 0 || only.includes(dialect) ? [name] : []));
}
