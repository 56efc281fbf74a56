import { expecting, misfitIn, type Shape } from "../json/check.ts";
import { type Path, pathText } from "../json/path.ts";
import { OptionError } from "./errors.ts";

/** What a maker was given, as it is. `at`: where it stands in the options of the caller. @throws {OptionError} naming the first member that does not fit by its path. */
export function checked<T>(given: T, shape: Shape, ...at: Path): T {
  const misfit = misfitIn(given, shape);
  if (misfit !== undefined) throw new OptionError(pathText([...at, ...misfit.path]), misfit.problem);
  return given;
}

/** What is wrong with a member that no option is named after. */
export const stray = "there is no such option";

/** By what it can do: a wire of the host's own is one, too. */
export const wireShape: Shape = expecting(
  "a wire, such as anthropic()",
  (value) => typeof value === "object" && value !== null && "open" in value && "read" in value,
);
