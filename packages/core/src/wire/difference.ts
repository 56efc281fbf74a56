import type { Path } from "../json/path.ts";
import type { Value } from "../json/value.ts";

/** What kind of change a difference is. `shape`: a string against one text block; `mark`: a cache mark; `parameter`: a field beside system, tools and messages. */
export type DifferenceClass = "edit" | "insertion" | "removal" | "order" | "shape" | "media" | "mark" | "parameter";

export type Difference = {
  /** Place in the native request: the leaf of an edit, the element that was inserted or removed, the first element in another order. */
  readonly path: Path;
  readonly class: DifferenceClass;
  /** Index in the native message array; undefined for head fields. */
  readonly at: number | undefined;
};

/** A difference with what stands at its place on either side; undefined where there is nothing. */
export type FoundDifference = Difference & {
  readonly previous: Value | undefined;
  readonly next: Value | undefined;
  /** Place of the same message in the next list, where messages were cut otherwise or results came in another order. */
  readonly nextAt: number | undefined;
};

/** `bytes`: whatever a local cache sees. `provider`: only what the provider reads (rule 4). */
export type DifferenceStrength = "bytes" | "provider";
