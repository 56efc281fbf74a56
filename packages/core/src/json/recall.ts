import { compareValues } from "./compare.ts";
import type { Path } from "./path.ts";
import { copyValue, type Value } from "./value.ts";

/**
 * Makes something of a value that hosts hand over again and again, such as a list of tools: what was made of the last one is handed out again as long as the
 * value is the same, since comparing costs less than copying. `make` must be pure and gets a private copy.
 */
export function recalling<T>(make: (copy: Value) => T): (given: unknown, path: Path) => T {
  let last: { readonly copy: Value; readonly made: T } | undefined;
  return (given, path) => {
    if (last === undefined || compareValues(last.copy, given) !== "same") {
      const copy = copyValue(given, path);
      last = { copy, made: make(copy) };
    }
    return last.made;
  };
}
