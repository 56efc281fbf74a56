import { sameValue } from "../json/compare.ts";
import type { ObjectValue, Value } from "../json/value.ts";

/** The neutral role of a message. Tool results are `user`; developer messages are `system`. */
export type Role = "user" | "assistant" | "system";

/**
 * The smallest piece of a message that means something by itself, in the wire's own words: one block, one call, one result.
 *  1. `block` is native, has no cache mark, and no member that the wire reads like an absent one.
 *  2. `block`'s own members stand in the wire's key order; what lies inside (arguments, schemas) is as received.
 *  3. Two units are equivalent (rule 4) exactly when {@link sameUnit} says so.
 */
export type Unit = NativeUnit & {
  /** Members that go out with the unit and are not compared, since a host's store may drop them (rule 4): item ids, a status. Only the wire looks inside. */
  readonly loose?: ObjectValue;
};

type NativeUnit =
  | { readonly kind: "text"; readonly block: ObjectValue; readonly text: string }
  /** `bound`: signed or encrypted, so that the provider can tell where it was made. `readable`: its visible text, if it has one. */
  | { readonly kind: "reasoning"; readonly block: ObjectValue; readonly bound: boolean; readonly readable: string }
  /** `value`: the parsed arguments when the wire carries them as a string that parses, else what it carries. */
  | { readonly kind: "call"; readonly block: ObjectValue; readonly id: string; readonly name: string; readonly value: Value }
  /** `text`: the whole content when it is nothing but text (`""` when it is empty); undefined when it holds anything else. */
  | { readonly kind: "result"; readonly block: ObjectValue; readonly id: string; readonly text: string | undefined }
  | { readonly kind: "media"; readonly block: ObjectValue }
  /** A block of which the wire knows nothing, or nothing that matters here. Carried verbatim. */
  | { readonly kind: "other"; readonly block: ObjectValue }
  /** Members of the message itself beside role and content (`name`, `clear_at`, unknown ones). First of its message, which then keeps its own cut. */
  | { readonly kind: "fields"; readonly block: ObjectValue };

/** A message taken apart: what a wire reads of it. Empty text that bears nothing is not among the units. */
export type Reading = {
  readonly role: Role;
  /** The role as the wire writes it: `tool`, `developer`, `user`. */
  readonly nativeRole: string;
  readonly units: readonly Unit[];
  /** Cache marks that the host set, by the unit they sit on. */
  readonly marks: readonly { readonly unit: number; readonly mark: Value }[];
};

/** Rule 4 between two units: the same value whatever the key order, argument strings by what they parse to. */
export function sameUnit(kept: Unit, given: Unit): boolean {
  if (kept.kind !== given.kind) return false;
  if (kept.kind === "call" && given.kind === "call")
    return kept.name === given.name && sameValue(kept.value, given.value) && sameCall(kept, given);
  return sameValue(kept.block, given.block);
}

function sameCall(kept: Unit & { kind: "call" }, given: Unit & { kind: "call" }): boolean {
  if (kept.id !== given.id) return false;
  return sameValue(withoutArguments(kept), withoutArguments(given));
}

/** A call's block with its arguments taken out at whatever depth the wire carries them: they were compared by value. */
function withoutArguments(unit: Unit & { kind: "call" }): ObjectValue {
  const { input: _input, arguments: _arguments, function: inner, ...rest } = unit.block as Record<string, Value>;
  if (typeof inner !== "object" || inner === null) return rest;
  const { arguments: _inner, ...named } = inner as Record<string, Value>;
  return { ...rest, function: named };
}

/** A call in no wire's words. */
export type NamedCall = { readonly id: string; readonly name: string; readonly arguments: ObjectValue };
