import { isArray, isObject } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { first } from "../../wire/rule-parts.ts";
import { memberOf } from "./layout.ts";
import { partRule, placeText, rule } from "./look.ts";
import { dataNames } from "./parts.ts";
import { isContentMember, isPartMember } from "./rule-names.ts";
import { toolRules } from "./rules-tools.ts";
import { turnRules } from "./rules-turns.ts";

// Texts: facts 3.1 to 3.5 and 3.7. GE-09 (edited signatures), GE-11 (cached contents) and GE-13 (too long) need what only a server knows: a simulator judges them.

/** GE-01 to GE-14 in the order in which they are looked at. */
export const rules: readonly ShapeRule[] = [
  rule("GE-12", "weak", ({ contents }) =>
    first(contents, (content, index) => {
      const stray = Object.keys(content).find((name) => !isContentMember(name));
      return stray === undefined ? undefined : [["contents", index, stray], unknownName(stray, `contents[${index}]`)];
    }),
  ),
  partRule("GE-12", "weak", ({ part, path }) => {
    const stray = Object.keys(part).find((name) => !isPartMember(name));
    return stray === undefined ? undefined : [[...path, stray], unknownName(stray, placeText(path))];
  }),
  rule("GE-01", "sure", ({ contents }) =>
    contents.length > 0 ? undefined : [["contents"], "* GenerateContentRequest.contents: contents is not specified"],
  ),
  rule("GE-02", "sure", ({ contents }) =>
    first(contents, ({ role }, index) =>
      role === undefined || role === "user" || role === "model"
        ? undefined
        : [["contents", index, "role"], "Please use a valid role: user, model."],
    ),
  ),
  rule("GE-03", "likely", ({ contents }) =>
    first(contents, ({ parts }, index) =>
      isArray(parts) && parts.length > 0
        ? undefined
        : [["contents", index, "parts"], `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`],
    ),
  ),
  partRule("GE-03", "likely", ({ part, path }) => {
    const data = dataNames.filter((name) => memberOf(part, name) !== undefined);
    // A part with a member that is not known may hold data of a kind to come.
    if (data.length === 1 || (data.length === 0 && Object.keys(part).some((name) => !isPartMember(name)))) return undefined;
    return [path, `* GenerateContentRequest.${placeText(path)}.data: required oneof field 'data' must have one initialized field`];
  }),
  partRule("GE-07", "likely", ({ part, path }) => {
    const response = memberOf(part, "functionResponse");
    const given = isObject(response) ? memberOf(response, "response") : {};
    if (given === undefined || isObject(given)) return undefined;
    const place = [...path, "functionResponse", "response"];
    return [place, `Invalid value at '${placeText(place)}' (type.googleapis.com/google.protobuf.Struct)`];
  }),
  ...turnRules,
  ...toolRules,
];

function unknownName(name: string, place: string): string {
  return `Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`;
}
