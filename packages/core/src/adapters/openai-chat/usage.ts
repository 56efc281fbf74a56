import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";

type Place = readonly [string, ...string[]];

/** Where servers report tokens that were read from the cache; no two of them mean different things by one name. */
const cacheReadPlaces: readonly Place[] = [
  ["prompt_tokens_details", "cached_tokens"], // OpenAI, OpenRouter, Mistral, xAI, Groq, Cerebras, vLLM: facts 8.2
  ["prompt_cache_hit_tokens"], // DeepSeek: facts 6.1
  ["cached_tokens"], // Kimi, Together: recorded replies
  ["cache_read_input_tokens"], // gateways in front of Claude: recorded replies
];
const cacheWritePlaces: readonly Place[] = [
  ["prompt_tokens_details", "cache_write_tokens"], // OpenAI from GPT-5.6 on, OpenRouter: facts 2.6, 5
  ["cache_creation_input_tokens"], // gateways in front of Claude: recorded replies
];

/** The usage of a reply. llama.cpp reports its cache beside `usage`, in `timings` (facts 7.3), Groq's streams in `x_groq`, Kimi's in the choice. */
export function readUsage(reply: ObjectValue): Usage {
  const usage = usageOf(reply);
  const timings = objectOf(reply.timings);
  const reported = firstOf(usage, cacheReadPlaces) ?? tokens(timings, ["cache_n"]);
  const cacheWrite = firstOf(usage, cacheWritePlaces);
  const evaluated = tokens(usage, ["prompt_cache_miss_tokens"]) ?? tokens(timings, ["prompt_n"]);
  const prompt = tokens(usage, ["prompt_tokens"]) ?? sum(reported, evaluated);
  const cacheRead = readBefore(prompt, reported, cacheWrite);
  return {
    prompt,
    uncached: evaluated ?? uncachedOf(prompt, cacheRead, cacheWrite),
    cacheRead,
    cacheWrite,
    output: tokens(usage, ["completion_tokens"]) ?? tokens(timings, ["predicted_n"]),
    reasoning: tokens(usage, ["completion_tokens_details", "reasoning_tokens"]),
  };
}

function usageOf(reply: ObjectValue): ObjectValue {
  const choice = isArray(reply.choices) ? objectOf(reply.choices[0]) : {};
  const places = [reply.usage, objectOf(reply.x_groq).usage, choice.usage];
  return objectOf(places.find(isObject));
}

/** Gemini behind OpenRouter reports what a request itself wrote as read, too: together they exceed the prompt (recorded reply). */
function readBefore(prompt: number | undefined, read: number | undefined, write: number | undefined): number | undefined {
  if (prompt === undefined || read === undefined || write === undefined || read + write <= prompt) return read;
  return Math.max(read - write, 0);
}

/** `prompt_tokens` is the whole prompt; what was neither read nor written is known only where reads are reported. */
function uncachedOf(prompt: number | undefined, read: number | undefined, write: number | undefined): number | undefined {
  if (prompt === undefined || read === undefined) return undefined;
  return Math.max(prompt - read - (write ?? 0), 0);
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function firstOf(usage: ObjectValue, places: readonly Place[]): number | undefined {
  for (const place of places) {
    const found = tokens(usage, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tokens(holder: ObjectValue, [name, inner]: Place): number | undefined {
  const value = inner === undefined ? holder[name] : objectOf(holder[name])[inner];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function objectOf(value: unknown): ObjectValue {
  return isObject(value) ? value : {};
}
