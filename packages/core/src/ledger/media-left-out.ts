import type { ObjectValue } from "../json/value.ts";
import { marksOfMedia } from "../wire/stored-media.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { fill, type Wordings } from "./wordings.ts";

export type MediaReason = keyof Wordings["mediaReasons"];

/** A message that a snapshot holds, with a line in place of each medium that is not at hand (rule 14). */
export function withMediaLeftOut(
  wire: Wire,
  message: ObjectValue,
  reasonOf: (digest: string) => MediaReason,
  wordings: Wordings,
): ObjectValue {
  if (marksOfMedia(message).length === 0) return message;
  const { role, nativeRole, units } = wire.read(message);
  const said = units.flatMap((unit): readonly Unit[] => {
    const lines = marksOfMedia(unit.block).map(({ digest, type, size }) =>
      fill(wordings.mediaLeftOut, { type, size, reason: wordings.mediaReasons[reasonOf(digest)] }),
    );
    if (lines.length === 0) return [unit];
    if (unit.kind === "result") return [wire.withText(unit, [wire.textOf(unit), ...lines].join("\n"))];
    return wire.read(wire.say(role, lines.join("\n"))).units;
  });
  return wire.compose(nativeRole, said);
}
