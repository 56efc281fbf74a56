import { TidemarkError } from "../json/error.ts";
import { copyValue, type Value } from "../json/value.ts";
import { SourceValueError } from "./source.ts";

/** A private frozen copy of what was set. @throws {SourceValueError} where it has no JSON form. */
export function plainValue(source: string, value: unknown): Value {
  try {
    return copyValue(value);
  } catch (error) {
    if (!(error instanceof TidemarkError)) throw error;
    throw new SourceValueError(source, error.path ?? "$", "it has no JSON form", error);
  }
}

/** Words that were set. */
export function plainText(source: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new SourceValueError(source, "$", "a text is expected");
}
