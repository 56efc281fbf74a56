import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type BudgetOptions, createSession, type SummarizeOptions, type SummaryInput, summarize, type Wire } from "@tidemark/core";
import { generateText, type LanguageModel, type ModelMessage } from "ai";
import { type Compacting, summaryPlace } from "./compact.ts";
import { checkModel, checkNames } from "./given.ts";
import { asModelMessage } from "./landing.ts";
import { modelName } from "./wire/families.ts";
import type { PromptRequest } from "./wire/request.ts";
import { aiSdkWire } from "./wire/wire.ts";

export type PlanOptions = Pick<SummarizeOptions, "keepRecentTurns" | "summaryTokens" | "instructions"> & {
  /** The model that the messages go to. */
  readonly model: Exclude<LanguageModel, string>;
  /** Its window in tokens, where Tidemark does not know the model. */
  readonly context?: BudgetOptions["context"];
};

/** A compaction that waits for its summary. Plain JSON, so that a durable workflow may keep it between two steps. */
export type CompactionPlan = Compacting & Pick<SummaryInput, "instructions" | "transcript" | "tokensMax">;

/**
 * What of these messages is to be summarised, and asked how, for hosts that compact outside of a call: ask a model with `plan.instructions` and `plan.transcript`, then store
 * `compactModelMessages(messages, plan, text)`. It cuts where a session's `summarize` would: calls stay with their results, the last turns whole. Changes nothing.
 *
 * @returns undefined: there is nothing to summarise.
 * @throws {TidemarkError} `invalid-option` for a wrong option, `pending-calls` for messages that end in calls without results.
 */
export async function planCompaction(messages: readonly ModelMessage[], given: PlanOptions): Promise<CompactionPlan | undefined> {
  checkNames(given, ["model", "context", "keepRecentTurns", "summaryTokens", "instructions"]);
  const { model, context, ...options } = given;
  checkModel(model);
  const request = await requestOf(messages, model);
  let asked: Pick<SummaryInput, "instructions" | "transcript" | "tokensMax"> | undefined;
  const overflow = summarize({
    ...options,
    summarizer: async ({ instructions, transcript, tokensMax }) => {
      asked = { instructions, transcript, tokensMax };
      return { text: summaryPlace, complete: true, refused: false };
    },
  });
  const wire = aiSdkWire() as Wire<PromptRequest>;
  const session = createSession({ wire, overflow, toolResultCap: false, ...(context !== undefined && { budget: { context } }) });
  session.compact();
  await session.prepare(request);
  const landing = session.landings.at(-1);
  if (landing?.replaces === undefined || asked === undefined) return undefined;
  const lead = Math.max(
    request.prompt.findIndex((message) => (message as { readonly role: string }).role !== "system"),
    0,
  );
  return {
    ...asked,
    replaces: { from: landing.replaces.from - lead, to: landing.replaces.to - lead },
    replacement: landing.replacement.map(asModelMessage),
    messageCount: request.prompt.length - lead,
    voidsReasoning: wire.profile(request.model).bindsReasoning !== "no",
  };
}

/** The prompt that the AI SDK makes of messages, as it would hand it to this model. */
async function requestOf(messages: readonly ModelMessage[], { provider, modelId }: PlanOptions["model"]): Promise<PromptRequest> {
  let prompt: PromptRequest["prompt"] = [];
  const listening: LanguageModelV4 = {
    specificationVersion: "v4",
    provider,
    modelId,
    // Files stay where they are.
    supportedUrls: { "*/*": [/.*/] },
    doGenerate: async (params) => {
      ({ prompt } = params);
      return { content: [], finishReason: { unified: "stop", raw: undefined }, usage: unused, warnings: [] };
    },
    doStream: () => Promise.reject(new Error("It only listens.")),
  };
  await generateText({ model: listening, messages: [...messages], allowSystemInMessages: true });
  return { model: modelName(provider, modelId), prompt };
}

const unused = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
