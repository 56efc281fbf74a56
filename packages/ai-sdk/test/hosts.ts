import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { type ContinuityReport, checkPrefixContinuity, type ObjectValue, type Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { gemini } from "@tidemark/core/gemini";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";
import {
  anthropicSimulator,
  geminiSimulator,
  openaiChatSimulator,
  openaiResponsesSimulator,
  type Script,
  type Simulator,
} from "@tidemark/testing";
import { defaultSettingsMiddleware, generateText, isStepCount, type ModelMessage, streamText, tool, wrapLanguageModel } from "ai";
import { z } from "zod";

// What Tidemark warns of is looked at in the results.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** A provider's real package over the strict simulator of its wire. */
export type Host = {
  readonly name: string;
  readonly wire: Wire;
  /** Whether its replies have reasoning that goes back. */
  readonly reasons: boolean;
  simulate(script: Script): Simulator;
  model(sim: Simulator): LanguageModelV4;
};

export const claude: Host = {
  name: "@ai-sdk/anthropic",
  wire: anthropic(),
  reasons: true,
  simulate: (script) => anthropicSimulator({ script }),
  model: (sim) => createAnthropic({ apiKey: "x", fetch: hasty(sim) })("claude-opus-5-5"),
};

/** The same on a model that lets a reply be begun for it. */
export const haiku: Host = {
  ...claude,
  model: (sim) => createAnthropic({ apiKey: "x", fetch: hasty(sim) })("claude-haiku-4-5"),
};

export const chat: Host = {
  name: "@ai-sdk/openai (chat)",
  wire: openaiChat(),
  reasons: false,
  simulate: (script) => openaiChatSimulator({ script }),
  model: (sim) => createOpenAI({ apiKey: "x", fetch: hasty(sim) }).chat("gpt-5.5"),
};

export const responses: Host = {
  name: "@ai-sdk/openai (responses)",
  wire: openaiResponses(),
  reasons: true,
  simulate: (script) => openaiResponsesSimulator({ script }),
  model: (sim) => {
    const settings = { openai: { store: false, reasoningSummary: "auto" } };
    const model = createOpenAI({ apiKey: "x", fetch: hasty(sim) })("gpt-5.5");
    return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings: { providerOptions: settings } }) });
  },
};

export const compatible: Host = {
  name: "@ai-sdk/openai-compatible",
  wire: openaiChat({ dialect: "deepseek" }),
  reasons: true,
  simulate: (script) => openaiChatSimulator({ script, dialect: "deepseek" }),
  model: (sim) =>
    createOpenAICompatible({ name: "deepseek", baseURL: "https://api.example/v1", apiKey: "x", fetch: hasty(sim), includeUsage: true })(
      "deepseek-v4-pro",
    ),
};

export const google: Host = {
  name: "@ai-sdk/google",
  wire: gemini(),
  reasons: true,
  simulate: (script) => geminiSimulator({ script }),
  model: (sim) => createGoogleGenerativeAI({ apiKey: "x", fetch: hasty(sim) })("gemini-3.8-flash"),
};

export const openrouter: Host = {
  name: "@openrouter/ai-sdk-provider",
  wire: openaiChat({ dialect: "openrouter" }),
  reasons: true,
  simulate: (script) => openaiChatSimulator({ script: withDetails(script), dialect: "openrouter" }),
  model: (sim) => createOpenRouter({ apiKey: "x", fetch: hasty(sim) })("anthropic/claude-opus-5.5"),
};

/** The gateway gives reasoning as details, some of them encrypted; nothing else of it is handed back by its package. */
function withDetails(script: Script): Script {
  return async (request, position) => {
    const { thinking, text, calls = [], ...rest } = await script(request, position);
    if (thinking === undefined) return { ...rest, ...(text !== undefined && { text }), calls };
    const tool_calls = calls.map(({ name, input }, index) => ({
      id: `call_${position}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    const details = [
      { type: "reasoning.text", text: thinking, signature: btoa(thinking), format: "anthropic-claude-v1", index: 0 },
      { type: "reasoning.encrypted", data: btoa(`more ${thinking}`), format: "anthropic-claude-v1", index: 1 },
    ];
    const message = { role: "assistant", content: text ?? null, reasoning: thinking, reasoning_details: details };
    return { ...rest, message: { ...message, ...(tool_calls.length > 0 && { tool_calls }) } };
  };
}

export const hosts: readonly Host[] = [claude, chat, responses, compatible, openrouter, google];

/** A server that does not let a retry wait. */
function hasty(sim: Simulator): typeof fetch {
  return async (input, init) => {
    const response = await sim.fetch(input as string, init);
    if (!response.ok) response.headers.set("retry-after-ms", "1");
    return response;
  };
}

export const tools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string(), limit: z.number().default(10) }),
    execute: ({ path }) => ({ path, text: `Text of ${path}.` }),
  }),
  list: tool({
    description: "Lists a folder.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `Folder ${path}`,
    toModelOutput: ({ output }) => ({ type: "content", value: [{ type: "text", text: `It holds: ${output}` }] }),
  }),
};

/** Calls two tools at once in every step but each `turnSteps`th, which ends the turn. */
export const working =
  (turnSteps: number): Script =>
  (_request, position) =>
    position % turnSteps === turnSteps - 1
      ? { thinking: `It is done ${position}.`, text: `Done ${position}.` }
      : {
          thinking: `Which file ${position}?`,
          text: `Looking ${position}.`,
          calls: [
            { name: "read", input: { path: `${position}.ts` } },
            { name: "list", input: { path: `src/${position}` } },
          ],
        };

export type Way = "generate" | "stream";
export type TurnOptions = Partial<Parameters<typeof generateText>[0]> & { readonly way?: Way };

/** One turn of a host's own making: asks, runs the loop, and keeps what the SDK says it should keep. */
export async function turnOf(model: LanguageModelV4, history: ModelMessage[], question: string, more: TurnOptions = {}): Promise<void> {
  history.push({ role: "user", content: question });
  const { way = "generate", ...rest } = more;
  const options = {
    model,
    tools,
    instructions: "You read files.",
    stopWhen: isStepCount(100),
    maxRetries: 2,
    ...rest,
    messages: history,
  } as Parameters<typeof generateText>[0];
  if (way === "generate") {
    history.push(...(await generateText(options)).responseMessages);
  } else {
    let failure: unknown;
    const result = streamText({
      ...options,
      onError: ({ error }) => {
        failure = error;
      },
    } as Parameters<typeof streamText>[0]);
    await result.consumeStream();
    if (failure !== undefined) throw failure;
    history.push(...(await result.responseMessages));
  }
}

export const named = (sessionId: string) => ({ providerOptions: { tidemark: { sessionId } } });

/** Each request beside the one before it. Google's body has no model: its path has. */
function reports(sim: Simulator, wire: Wire, requests = sim.requests): readonly ContinuityReport[] {
  const whole = requests.map(({ body, path }) => ({ model: path, ...body }));
  return whole.slice(1).map((body, index) => checkPrefixContinuity(whole[index] ?? {}, body, { wire }));
}

/** How many replies a request's history has, on whichever wire. */
export function repliesIn({ messages, contents, input }: ObjectValue): number {
  if (input !== undefined) return (input as readonly ObjectValue[]).filter(({ type }) => type === "reasoning").length;
  return ((messages ?? contents) as readonly ObjectValue[]).filter(({ role }) => role === "assistant" || role === "model").length;
}

/** Where requests do not continue the one before. */
export function breaks(sim: Simulator, wire: Wire, requests = sim.requests): readonly string[] {
  return reports(sim, wire, requests).flatMap(({ verdict, path }) => (verdict === "breaks" ? [path ?? "$"] : []));
}

export function refused(sim: Simulator): readonly string[] {
  return sim.requests.flatMap(({ refusal }) => (refusal === undefined ? [] : [`${refusal.rule}: ${refusal.message}`]));
}

export function thinkingCount(sim: Simulator): number {
  const text = sim.requests.at(-1)?.text ?? "";
  return [
    ...text.matchAll(
      /"type":"(?:redacted_)?thinking"|"reasoning_content":"[^"]|"reasoning_details":\[\{|"encrypted_content":"|"thoughtSignature":"(?!skip)/g,
    ),
  ].length;
}
