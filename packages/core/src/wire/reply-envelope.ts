import { digestValue } from "../json/canonical.ts";
import { TidemarkError } from "../json/error.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { type Origin, sameOrigin } from "./origin.ts";
import type { Unit } from "./unit.ts";
import type { Wire } from "./wire.ts";

/**
 * Rule 56: what a host whose store keeps only visible blocks stores beside a reply, so that the reply can go out again as the provider made it. Versioned plain JSON.
 */
export type ReplayEnvelope = {
  readonly tidemark: "reply";
  readonly version: 1;
  readonly origin: { readonly wire: string; readonly model: string; readonly endpoint?: string };
  /** The reply in the wire's own messages or items. */
  readonly native: readonly ObjectValue[];
  /** A fingerprint for each visible block, in order. */
  readonly visible: readonly string[];
};

export function makeEnvelope(wire: Wire, native: readonly ObjectValue[], origin: Origin): ReplayEnvelope {
  const { endpoint, ...named } = origin;
  return {
    tidemark: "reply",
    version: 1,
    origin: endpoint === undefined ? named : { ...named, endpoint },
    native,
    visible: fingerprints(native.flatMap((message) => wire.read(message).units)),
  };
}

/** The key under which a reply's envelope is found again: its visible blocks. */
export function visibleKey(units: readonly Unit[]): string {
  return fingerprints(units).join(" ");
}

/**
 * The native units of an envelope, under the key of the visible blocks that it fits; undefined for one of an unknown version, another wire or another origin, or one that is damaged:
 * such a reply goes out as visible history.
 */
export function openEnvelope(
  wire: Wire,
  given: unknown,
  origin: Origin,
): { readonly key: string; readonly units: readonly Unit[] } | undefined {
  if (!isObject(given) || given["tidemark"] !== "reply" || given["version"] !== 1) return undefined;
  const { origin: from, native, visible } = given as Record<string, Value>;
  if (!isObject(from) || !isArray(native) || !native.every(isObject) || !isArray(visible)) return undefined;
  const made = {
    wire: String(from["wire"]),
    model: String(from["model"]),
    endpoint: typeof from["endpoint"] === "string" ? from["endpoint"] : undefined,
  };
  if (!sameOrigin(made, origin)) return undefined;
  const units = readNative(wire, native);
  if (units === undefined) return undefined;
  const key = visibleKey(units);
  return key === visible.join(" ") ? { key, units } : undefined;
}

/** The units of native messages; undefined: the wire cannot read one. */
function readNative(wire: Wire, native: readonly ObjectValue[]): readonly Unit[] | undefined {
  try {
    return native.flatMap((message) => wire.read(copyValue(message) as ObjectValue).units);
  } catch (error) {
    if (error instanceof TidemarkError) return undefined;
    throw error;
  }
}

function fingerprints(units: readonly Unit[]): readonly string[] {
  return units.flatMap((unit) => (unit.kind === "reasoning" ? [] : [digestValue(unit.block)]));
}
