import { estimateText, OptionError } from "@tidemark/core";
import { capText, defaultWordings, type Value } from "@tidemark/core/adapter";
import type { ToolResultPart } from "ai";
import { checkNames } from "./given.ts";
import { outputOf, outputText } from "./wire/parts.ts";

export type ClipOptions = {
  /** Tokens of a result that the model sees: head and tail, and a line that says what was left out. At least 64. */
  readonly maxTokens: number;
  /** Counts tokens of a text. Default: an estimate by class of text. */
  readonly countText?: ((text: string) => number) | undefined;
};

type Output = ToolResultPart["output"];
type ToOutput = (options: { readonly output: unknown }) => Output | PromiseLike<Output>;

/**
 * The tool with its results capped for the model, before they are first sent; `execute` and what the user sees stay whole. A result that holds more than text is left alone.
 * Sessions cap on their own: this is for a tool that wants a cap of its own wherever it is used.
 *
 * @throws {OptionError} for what is no tool, and for a cap under which nothing but the marker would be left.
 */
export function clip<T extends object>(tool: T, options: ClipOptions): T {
  if (typeof tool !== "object" || tool === null) throw new OptionError("$.tool", "expected a tool, such as tool({ … }) makes");
  checkNames(options, ["maxTokens", "countText"]);
  const { maxTokens, countText = estimateText } = options;
  if (!Number.isInteger(maxTokens) || maxTokens < 64) throw new OptionError("$.maxTokens", "expected a whole number of at least 64");
  const own = (tool as { readonly toModelOutput?: ToOutput }).toModelOutput;
  const toModelOutput: ToOutput = async (given) => {
    const output = own === undefined ? plainOutput(given.output) : await own(given);
    const text = outputText(output as unknown as Value);
    if (text === undefined) return output;
    const capped = capText(text, maxTokens, countText, defaultWordings);
    return capped === text ? output : (outputOf(output as unknown as Value, capped) as Output);
  };
  return { ...tool, toModelOutput };
}

/** What the AI SDK makes of a result by itself. Source: `createToolModelOutput` of `ai` 7.0.173. */
function plainOutput(output: unknown): Output {
  if (typeof output === "string") return { type: "text", value: output };
  const value: unknown = JSON.parse(JSON.stringify(output) ?? "null");
  return { type: "json", value } as Output;
}
