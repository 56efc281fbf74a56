import { sameValue } from "../../json/compare.ts";
import { copyValue, isObject, type ObjectValue, type Value } from "../../json/value.ts";

/**
 * Options with which a model is loaded: a change loads it anew and empties its cache (facts 7.4; the server compares them before it takes a loaded model).
 * All other options are of sampling.
 */
const loading: readonly string[] = [
  "num_ctx",
  "num_batch",
  "num_gpu",
  "num_thread",
  "main_gpu",
  "use_mmap",
  "use_mlock",
  "numa",
  "low_vram",
  "f16_kv",
  "vocab_only",
  "logits_all",
  "embedding_only",
];

/** What of a request's other members enters the prompt or its cache. Not here: `format` binds sampling only, `keep_alive` is a lifetime. */
export function paramsOf(request: object): ObjectValue {
  const { think, options } = request as { readonly think?: unknown; readonly options?: unknown };
  const params: Record<string, Value> = {};
  // Chooses what the template renders.
  if (think !== undefined && think !== null) params.think = copyValue(think, ["think"]);
  const copied = options === undefined || options === null ? undefined : copyValue(options, ["options"]);
  if (isObject(copied)) {
    const named = loading.filter((name) => copied[name] !== undefined && copied[name] !== null);
    if (named.length > 0) params.options = Object.freeze(Object.fromEntries(named.map((name) => [name, copied[name] as Value])));
  }
  return Object.freeze(params);
}

/** Gives a request these parameters; its options of sampling stay as they are. */
export function setParams(request: Record<string, unknown>, params: ObjectValue): void {
  const own = paramsOf(request);
  if (!sameValue(own.think, params.think)) {
    if (params.think === undefined) delete request.think;
    else request.think = params.think;
  }
  if (sameValue(own.options, params.options)) return;
  const others = Object.entries(isObject(request.options) ? request.options : {}).filter(([name]) => !loading.includes(name));
  request.options = { ...(isObject(params.options) ? params.options : {}), ...Object.fromEntries(others) };
}
