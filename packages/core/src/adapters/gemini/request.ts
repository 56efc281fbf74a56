import { wellFormedTexts } from "../../json/map-texts.ts";
import { type Path, pathText } from "../../json/path.ts";
import { copyValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import type { Profile } from "../../wire/profile.ts";
import { listContents } from "./contents.ts";
import { formOf, setAt, valueAt } from "./form.ts";
import { memberOf } from "./layout.ts";
import { sentPart } from "./parts.ts";
import { withSignedCalls } from "./reasoning.ts";
import { closeTools, openTools } from "./tools.ts";
import type { GeminiRequest } from "./types.ts";

/** Takes a request apart. The contents stay the host's own objects. */
export function openRequest(request: GeminiRequest): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "a request must be an object");
  const { model, contents } = request as unknown as { readonly model: unknown; readonly contents: unknown };
  if (typeof model !== "string")
    throw new InvalidRequestError("$.model", "the model's id must be a string (beside the REST body, which has none)");
  if (contents === undefined || contents === null) throw new InvalidRequestError("$.contents", "the contents must be a list");
  if (Array.isArray(contents)) refuseSparse(contents, ["contents"]);
  const form = formOf(request);
  const { tools, place } = openTools(valueAt(request, form.tools), form.tools);
  const system = openSystem(valueAt(request, form.system), form.system);
  const params: Record<string, unknown> = {};
  for (const path of form.params) setAt(params, path, valueAt(request, path));
  const head: Head = Object.freeze({
    model,
    system: system.parts,
    tools,
    params: copyValue(params) as ObjectValue,
    places: { system: system.place, tools: place },
  });
  return { head, messages: listContents(contents), lead: 0, headMarks: [] };
}

/** The host's own request with this head and these contents in place of its own. Calls get their stand-in signatures where the model asks for one. */
export function closeRequest<R extends GeminiRequest>(request: R, head: Head, messages: readonly ObjectValue[], profile: Profile): R {
  const form = formOf(request);
  const signs = profile.traits.includes("signed-calls");
  const closed: Record<string, unknown> = {
    ...(request as object),
    model: head.model,
    contents: signs ? messages.map(withSignedCalls) : messages,
  };
  setAt(closed, form.system, closeSystem(head.system, valueAt(request, form.system)));
  setAt(closed, form.tools, head.tools.length === 0 ? undefined : closeTools(head.tools));
  for (const path of form.params) setAt(closed, path, valueAt(head.params, path));
  return closed as R;
}

/** Whatever has contents and no messages. */
export function recognises({ contents, messages }: ObjectValue): boolean {
  return (isArray(contents) || isObject(contents) || typeof contents === "string") && messages === undefined;
}

/** The system text as one string. */
export function systemText(head: Head): string {
  return head.system.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}

/** The parts of the system instruction, which may be a text, a part, a list of them, or a content. Blank texts are left out. */
function openSystem(given: unknown, path: Path): { readonly parts: readonly ObjectValue[]; readonly place: Path } {
  if (given === undefined) return { parts: [], place: path };
  const copy = wellFormedTexts(copyValue(given, path));
  const isContent = isObject(copy) && copy.parts !== undefined;
  const list = isContent ? copy.parts : copy;
  const parts = (isArray(list) ? list : [list as Value]).map((part, index) => {
    if (typeof part === "string") return Object.freeze({ text: part });
    if (isObject(part)) return sentPart(part);
    throw new InvalidRequestError(pathText([...path, index]), "the system instruction must be a text, parts, or a content");
  });
  const said = parts.filter(({ text, ...rest }) => typeof text !== "string" || text.trim() !== "" || Object.keys(rest).length > 0);
  return { parts: Object.freeze(said), place: placeOf(said, isContent ? [...path, "parts"] : path, copy) };
}

/** One plain text is compared as a text, wherever it stands. */
function placeOf(parts: readonly ObjectValue[], path: Path, given: Value): Path {
  const [only] = parts;
  const isText = parts.length === 1 && only !== undefined && typeof only.text === "string" && Object.keys(only).length === 1;
  return isText && typeof given !== "string" ? [...path, 0, "text"] : path;
}

/** The parts as a content: the host's own, where it gave one, with its role. */
function closeSystem(parts: readonly ObjectValue[], given: unknown): object | undefined {
  if (parts.length === 0) return undefined;
  if (!isObject(given) || memberOf(given, "parts") === undefined) return { parts };
  const { parts: _given, ...members } = given;
  return { ...(wellFormedTexts(copyValue(members)) as ObjectValue), parts };
}
