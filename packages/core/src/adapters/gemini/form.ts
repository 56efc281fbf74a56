import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import { nameIn } from "./layout.ts";
import { prefixParams } from "./params.ts";

/** Where one request holds its parts: as the REST body has them, or all in `config`, as `@google/genai` takes them; in the host's own spelling. */
export type Form = {
  readonly system: Path;
  readonly tools: Path;
  readonly toolConfig: Path;
  readonly cachedContent: Path;
  readonly params: readonly Path[];
};

export function formOf(request: object): Form {
  const isSdk = isObject((request as ObjectValue).config);
  const spelt = (...path: readonly string[]): Path => spelling(request, path);
  const own = (name: string): Path => (isSdk ? spelt("config", name) : spelt(name));
  return {
    system: own("systemInstruction"),
    tools: own("tools"),
    toolConfig: own("toolConfig"),
    cachedContent: own("cachedContent"),
    params: prefixParams.map(([name, place]) => (isSdk || place === "top" ? own(name) : spelt("generationConfig", name))),
  };
}

/** The path as the request spells it. */
function spelling(request: object, path: readonly string[]): Path {
  let at: unknown = request;
  return path.map((name) => {
    if (!isObject(at)) return name;
    const own = nameIn(at, name);
    at = at[own];
    return own;
  });
}

export function valueAt(holder: unknown, path: Path): unknown {
  let at = holder;
  for (const step of path) at = isObject(at) ? at[step] : isArray(at) ? at[Number(step)] : undefined;
  return at ?? undefined;
}

/** Sets or takes away a member of an own copy; what holds it is copied, the host's objects are not written to. */
export function setAt(copy: Record<string, unknown>, path: Path, value: unknown): void {
  const [step, ...rest] = path as readonly string[];
  if (step === undefined) return;
  if (rest.length === 0) {
    if (value === undefined) delete copy[step];
    else copy[step] = value;
    return;
  }
  const held = copy[step];
  if (!isObject(held) && value === undefined) return;
  const inner: Record<string, unknown> = isObject(held) ? { ...held } : {};
  copy[step] = inner;
  setAt(inner, rest, value);
}
