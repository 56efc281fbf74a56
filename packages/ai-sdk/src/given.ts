import { OptionError } from "@tidemark/core";

/** A model as the provider's package makes it. @throws {OptionError} for anything else: an id is resolved by the AI SDK only where it makes the call. */
export function checkModel(model: unknown): void {
  if (typeof model !== "object" || model === null || !("doGenerate" in model))
    throw new OptionError("$.model", 'expected a model, such as anthropic("claude-opus-5-5")');
}

/** Options that there are. @throws {OptionError} naming the first that there is not. */
export function checkNames(options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new OptionError("$", `expected { ${names[0]} }`);
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray !== undefined) throw new OptionError(`$.${stray}`, "there is no such option");
}
