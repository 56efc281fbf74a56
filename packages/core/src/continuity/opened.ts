import type { Path } from "../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Head, OpenRequest } from "../wire/head.ts";
import { messagesPlace, systemPlace, toolsPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";

/** A request as it was handed over beside what its wire makes of it. */
export type Opened = {
  readonly wire: Wire;
  readonly native: ObjectValue;
  readonly head: Head;
  /** The whole native list, with the leading messages that belong to the head. */
  readonly allMessages: readonly ObjectValue[];
  /** What follows the head. */
  readonly messages: readonly ObjectValue[];
  readonly lead: number;
  readonly headMarks: OpenRequest["headMarks"];
};

/** @throws {TidemarkError} `invalid-request` for what is no request of the wire. */
export function openNative(wire: Wire, request: Value): Opened {
  const { head, messages, lead, headMarks } = wire.open(request as object);
  const native = request as ObjectValue;
  const all = valueAt(native, messagesPlace(wire));
  return {
    wire,
    native,
    head,
    allMessages: (isArray(all) ? all : messages) as readonly ObjectValue[],
    messages: messages as readonly ObjectValue[],
    lead,
    headMarks,
  };
}

/** The native value of a head field; undefined where the request has none. */
export function nativeField(opened: Opened, field: "system" | "tools"): Value | undefined {
  return valueAt(opened.native, field === "tools" ? toolsPlace(opened.wire, opened.head) : systemPlace(opened.wire, opened.head));
}

function valueAt(value: Value, path: Path): Value | undefined {
  let inner: Value | undefined = value;
  for (const step of path) inner = isObject(inner) ? inner[String(step)] : isArray(inner) ? inner[Number(step)] : undefined;
  return inner;
}
