import type { Draft } from "../ledger/draft.ts";
import { nativeForms } from "../ledger/forms.ts";
import type { Verdict } from "../ledger/verdict.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { Threshold, Wire } from "../wire/wire.ts";
import { hostMarks } from "./host-marks.ts";
import { identified, type SessionIdentity } from "./identity.ts";

export type Rendered<R extends object> = { readonly request: R; readonly headers: Readonly<Record<string, string>> };

export type RenderOptions = {
  readonly cache: "automatic" | "planned" | "off";
  readonly ttl: string | undefined;
  /** The session writes fields that need a beta header (rule 58). */
  readonly controls: boolean;
  readonly mismatch: "drop" | "error";
  /** The threshold above which the provider compacts by itself. */
  readonly threshold: Threshold | undefined;
  /** Betas that the session's sources may need. Written only with `controls`. */
  readonly betas: readonly string[];
  readonly identity: SessionIdentity | undefined;
  readonly endpoint: string | undefined;
  /** Native position of the last message of the request before, where it is still repeated. */
  readonly lagging: number | undefined;
};

/** The native request: sent forms, binding controls, cache marks. */
export function render<W extends object, R extends W>(
  wire: Wire<W>,
  request: R,
  open: OpenRequest,
  draft: Draft,
  verdict: Verdict,
  options: RenderOptions,
): Rendered<R> {
  const messages =
    draft.prefill === undefined
      ? verdict.messages.slice()
      : nativeForms(wire as unknown as Wire, verdict.messages.concat(draft.prefill)).slice();
  const closed = wire.close(request, draft.head, messages);
  const controlled = withControls(wire, withThreshold(wire, closed, options), options);
  const marked = wire.mark(controlled.request, {
    mode: options.cache,
    ttl: options.ttl,
    hostMarks: hostMarks(wire as unknown as Wire, open, draft),
    repeatsTo: draft.lead + verdict.messages.length - 1,
    lagging: options.lagging,
  });
  const named = identified(wire, marked, options);
  return { request: named.request, headers: joined(controlled.headers, named.headers) };
}

function withThreshold<W extends object, R extends W>(wire: Wire<W>, request: R, { threshold, controls }: RenderOptions): R {
  const { compaction } = wire;
  if (threshold === undefined || compaction?.threshold === undefined) return request;
  return controls || compaction.threshold.betas.length === 0 ? compaction.threshold.ask(request, threshold) : request;
}

function withControls<W extends object, R extends W>(wire: Wire<W>, request: R, { controls, mismatch, betas }: RenderOptions): Rendered<R> {
  if (!controls) return { request, headers: {} };
  const bound = wire.control?.(request, mismatch) ?? { request, headers: {} };
  if (betas.length === 0 || wire.inBand === undefined) return bound;
  const announced = wire.inBand.announce(bound.request, betas);
  return { request: announced.request, headers: joined(bound.headers, announced.headers) };
}

/** A header that both have is a list. */
function joined(one: Rendered<object>["headers"], other: Rendered<object>["headers"]): Rendered<object>["headers"] {
  if (Object.keys(other).length === 0) return one;
  const lists = Object.entries(other).map(([name, value]) => [name, [one[name], value].filter((item) => item !== undefined).join(",")]);
  return { ...one, ...Object.fromEntries(lists) };
}
