import { isObject, type ObjectValue } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";

/** A path as a wire takes it: the wire, and the model that the path names. */
export type Route = { readonly wire: Wire; readonly model: string | undefined };

/** The first wire that takes requests at this address. */
export function routeOf(wires: readonly Wire[], url: string): Route | undefined {
  const path = pathOf(url);
  for (const wire of wires) {
    const match = wire.http?.path.exec(path);
    if (match) return { wire, model: match.groups?.["model"] && decodeURIComponent(match.groups["model"]) };
  }
  return undefined;
}

/**
 * The request that a body is; undefined for what is none: no JSON object, or one that names a conversation which the server holds. A model that stands in the path is put in;
 * {@link bodyOf} takes it out again.
 */
export function requestOf(route: Route, body: unknown): ObjectValue | undefined {
  if (!isObject(body)) return undefined;
  if (route.wire.http?.heldBy.some((name) => body[name] !== undefined && body[name] !== null)) return undefined;
  return route.model === undefined ? body : { ...body, [modelMember(route)]: route.model };
}

/** What a prepared request is as a body. */
export function bodyOf(route: Route, request: ObjectValue): ObjectValue {
  if (route.model === undefined) return request;
  const { [modelMember(route)]: _model, ...body } = request;
  return body as ObjectValue;
}

function modelMember({ wire }: Route): string {
  return String(wire.abilities.places?.model?.[0] ?? "model");
}

/** The last step of a path that asks a model for words, at whichever provider. */
const asksModel = /(?:\/messages|\/completions|\/responses|\/chat|:(?:stream)?generateContent|\/converse(?:-stream)?)$/i;

/** A path at which a model is asked, whether or not a wire was handed in for it. */
export function asksForWords(url: string): boolean {
  return asksModel.test(pathOf(url));
}

export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start < 0 ? "/" : (url.slice(start).split(/[?#]/, 1)[0] as string);
}
