import type { ObjectValue } from "../../json/value.ts";
import { imageSize } from "../../wire/image-size.ts";
import { mediumIn } from "../../wire/media.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { type Found, first, listOf } from "../../wire/rule-parts.ts";
import { rule } from "./rule-parts.ts";

/** Asked to look as closely as it can, or not told how, the model takes a picture as it is: facts 2.8. */
const unscaled: readonly unknown[] = [undefined, null, "auto", "original"];

/** OR-20, on models that scale nothing down (their formula has no longest edge). Pictures that are a link or a file are not measured. */
export const imageRules: readonly ShapeRule[] = [
  rule("OR-20", "likely", ({ items, context }) => {
    const { imageTokens: formula } = context.profile;
    if (formula?.kind !== "patches" || formula.edgeMax !== undefined || formula.patchesMax === undefined) return undefined;
    const { side, patchesMax } = formula;
    return first(items, (item, at) =>
      first([...contentOf(item)], ([member, part, place]): Found => {
        const patches = part.type === "input_image" && unscaled.includes(part.detail) ? patchesOf(part, side) : 0;
        const path = ["input", at, member, place];
        return patches > patchesMax
          ? [path, `The image requires ${patches} patches after processing, exceeding the limit of ${patchesMax}.`]
          : undefined;
      }),
    );
  }),
];

function* contentOf(item: ObjectValue): Generator<readonly [member: string, part: ObjectValue, place: number]> {
  for (const member of ["content", "output"]) for (const [place, part] of listOf(item[member]).entries()) yield [member, part, place];
}

function patchesOf(part: ObjectValue, side: number): number {
  const { data } = mediumIn(part);
  const size = data === undefined ? undefined : imageSize(data);
  return size === undefined ? 0 : Math.ceil(size.width / side) * Math.ceil(size.height / side);
}
