import { OptionError } from "@tidemark/core";
import type { PrepareStepFunction, ToolSet } from "ai";
import { checkNames } from "./given.ts";
import type { TidemarkProviderOptions } from "./options.ts";

/** What a run is given as its `runtimeContext`. */
type RunContext = Record<string, unknown>;

export type StepOptions<TOOLS extends ToolSet = ToolSet, CONTEXT extends RunContext = RunContext> = {
  /** The conversation's name, or where to find it: `({ runtimeContext }) => runtimeContext.chatId`. */
  readonly sessionId: string | ((step: Parameters<PrepareStepFunction<TOOLS, CONTEXT>>[0]) => string);
  /** The host's own `prepareStep`; what it returns goes on with the name added. */
  readonly prepareStep?: PrepareStepFunction<TOOLS, CONTEXT> | undefined;
};

/** `prepareStep: tidemarkStep({ sessionId })`: names the conversation in every step of a run, where its calls cannot do so themselves. @throws {OptionError} */
export function tidemarkStep<TOOLS extends ToolSet, CONTEXT extends RunContext>(
  options: StepOptions<TOOLS, CONTEXT>,
): PrepareStepFunction<TOOLS, CONTEXT> {
  checkNames(options, ["sessionId", "prepareStep"]);
  const { sessionId, prepareStep } = options;
  if (typeof sessionId !== "function" && (typeof sessionId !== "string" || sessionId === ""))
    throw new OptionError("$.sessionId", "expected a text that names the conversation, or a function that gives it");
  return async (step) => {
    const own = await prepareStep?.(step);
    const tidemark: TidemarkProviderOptions = { sessionId: typeof sessionId === "function" ? sessionId(step) : sessionId };
    return { ...own, providerOptions: { ...own?.providerOptions, tidemark } };
  };
}
