import { TidemarkError } from "../json/error.ts";
import { isObject, type Value } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";

/** No wire among those given recognises both requests, or none was given. Code: `wire-unknown`. */
export class WireUnknownError extends TidemarkError {
  constructor(names: readonly string[]) {
    const looked = names.length === 0 ? "No wire was given" : `None of the wires given (${names.join(", ")}) recognises both requests`;
    super("wire-unknown", `${looked}. Name the wire: { wire: anthropic() } from "@tidemark/core/anthropic", or another adapter.`);
  }
}

/**
 * The wire of two requests: the one that is given, or of several the first that recognises both by their shape.
 *
 * @throws {WireUnknownError} when none does.
 */
export function recogniseWire(given: Wire | readonly Wire[] | undefined, previous: Value, next: Value): Wire {
  if (given !== undefined && !isList(given)) return given;
  const wires = given ?? [];
  const recognised = wires.find((wire) => isObject(previous) && isObject(next) && wire.recognises(previous) && wire.recognises(next));
  if (recognised === undefined) throw new WireUnknownError(wires.map(({ name }) => name));
  return recognised;
}

function isList(given: Wire | readonly Wire[]): given is readonly Wire[] {
  return Array.isArray(given);
}
