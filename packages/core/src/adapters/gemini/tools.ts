import { wellFormedTexts } from "../../json/map-texts.ts";
import { type Path, pathText } from "../../json/path.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidRequestError } from "../../wire/errors.ts";
import { memberOf, nameIn } from "./layout.ts";

const declarations = "functionDeclarations";

/** Tool definitions, one a function; a server tool stands as it is. `place`: where the definitions stand in the request. */
export type OpenTools = { readonly tools: readonly ObjectValue[]; readonly place: Path };

export function openTools(given: unknown, path: Path): OpenTools {
  if (given === undefined || given === null) return { tools: [], place: path };
  const copy = wellFormedTexts(copyValue(given, path));
  if (!isArray(copy) && !isObject(copy)) throw new InvalidRequestError(pathText(path), "tools must be a list");
  const list = isArray(copy) ? copy : [copy];
  const tools = list.flatMap((tool, index) => declared(tool, [...path, index]));
  const [only] = list;
  const isOneList = list.length === 1 && isObject(only) && holdsOnlyDeclarations(only);
  return { tools: Object.freeze(tools), place: isOneList && isArray(copy) ? [...path, 0, nameIn(only, declarations)] : path };
}

/** The definitions as the wire has them: neighbouring functions in one tool. */
export function closeTools(tools: readonly ObjectValue[]): readonly ObjectValue[] {
  const closed: (ObjectValue | ObjectValue[])[] = [];
  for (const tool of tools) {
    const last = closed.at(-1);
    if (!isDeclaration(tool)) closed.push(tool);
    else if (isArray(last)) (last as ObjectValue[]).push(tool);
    else closed.push([tool]);
  }
  return closed.map((tool) => (isArray(tool) ? { [declarations]: tool as readonly ObjectValue[] } : (tool as ObjectValue)));
}

/** A function's name; a server tool goes by its kind. */
export function toolName(tool: ObjectValue): string {
  return isDeclaration(tool) ? (tool.name as string) : Object.keys(tool).join("+");
}

function declared(tool: Value, path: Path): readonly ObjectValue[] {
  if (!isObject(tool)) throw new InvalidRequestError(pathText(path), "a tool must be an object");
  if (!holdsOnlyDeclarations(tool)) return [tool];
  return (memberOf(tool, declarations) as readonly Value[]).map((definition, index) => {
    if (isObject(definition)) return definition;
    throw new InvalidRequestError(pathText([...path, declarations, index]), "a function declaration must be an object");
  });
}

function holdsOnlyDeclarations(tool: ObjectValue): boolean {
  const found = memberOf(tool, declarations);
  return isArray(found) && Object.keys(tool).length === 1 && found.every((definition) => isObject(definition) && isDeclaration(definition));
}

function isDeclaration(tool: ObjectValue): boolean {
  return typeof tool.name === "string";
}
