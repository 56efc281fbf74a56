import type { ObjectValue } from "../json/value.ts";
import { thresholdOf } from "../overflow/strategy.ts";
import { strategyOf } from "./options.ts";
import type { RenderOptions } from "./render.ts";
import type { SessionState } from "./session-state.ts";
import { sourceBetas } from "./sources.ts";

/** How this session has its requests written; with `lagging` where one goes on from the request before. */
export function renderOptions<W extends object, R extends W>(
  session: SessionState<W>,
  request: R,
  model: string,
  messages: readonly ObjectValue[],
  lagging?: number,
): RenderOptions {
  const { options } = session;
  const controls = mayControl(session, request);
  return {
    ...compacting(session, model, messages, controls),
    cache: options.cache ?? "automatic",
    ttl: options.ttl,
    identity: options.identity,
    endpoint: options.endpoint,
    controls,
    mismatch: options.reasoningMismatch ?? "drop",
    lagging,
  };
}

/** Rule 58: a field that needs a beta header is written only where Tidemark can write the header too. */
export function mayControl<W extends object, R extends W>(session: SessionState<W>, request: R): boolean {
  const { control, inBand } = session.wire;
  const named = session.options.headers === true || Array.isArray((request as { betas?: unknown }).betas);
  return named && (control !== undefined || inBand !== undefined);
}

/** The provider's compaction needs betas, unless the client names them itself. */
export function mayCompact<W extends object, R extends W>(session: SessionState<W>, request: R): boolean {
  return session.wire.compaction?.betas.length === 0 || mayControl(session, request);
}

/** The provider's threshold, and the betas of it, of a compaction block, and of the session's sources. A signed block and a threshold are refused beside each other (facts 1.8). */
function compacting<W extends object>(
  session: SessionState<W>,
  model: string,
  [first]: readonly ObjectValue[],
  controls: boolean,
): Pick<RenderOptions, "betas" | "threshold"> {
  const { wire, options } = session;
  const { compaction } = wire;
  const holdsBlock = first !== undefined && compaction?.holds(first) === true;
  const signed = holdsBlock && compaction.keepsReasoning;
  const threshold = compaction?.offered(model) === true && !signed ? thresholdOf(strategyOf(options)) : undefined;
  if (!controls) return { threshold, betas: [] };
  const betas = [...(holdsBlock ? compaction.betas : []), ...(threshold === undefined ? [] : (compaction?.threshold?.betas ?? []))];
  return { threshold, betas: [...sourceBetas(session, model), ...betas] };
}
