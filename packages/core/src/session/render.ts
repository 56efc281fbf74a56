import type { Draft } from "../ledger/reconcile.ts";
import type { Verdict } from "../ledger/verdict.ts";
import type { OpenRequest } from "../wire/head.ts";
import type { Wire } from "../wire/wire.ts";
import { hostMarks } from "./host-marks.ts";

export type Rendered<R extends object> = { readonly request: R; readonly headers: Readonly<Record<string, string>> };

export type RenderOptions = {
  readonly cache: "automatic" | "planned" | "off";
  readonly ttl: string | undefined;
  /** The session writes fields that need a beta header (rule 58). */
  readonly controls: boolean;
  readonly mismatch: "drop" | "error";
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
  const messages = draft.prefill === undefined ? [...verdict.messages] : [...verdict.messages, draft.prefill];
  const closed = wire.close(request, draft.head, messages);
  const controlled =
    options.controls && wire.control !== undefined ? wire.control(closed, options.mismatch) : { request: closed, headers: {} };
  const marked = wire.mark(controlled.request, {
    mode: options.cache,
    ttl: options.ttl,
    hostMarks: hostMarks(wire as unknown as Wire, open, draft),
    repeatsTo: draft.lead + verdict.messages.length - 1,
    lagging: options.lagging,
  });
  return { request: marked, headers: controlled.headers };
}
