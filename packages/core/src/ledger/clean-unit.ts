import { mapTexts } from "../json/map-texts.ts";
import { wellFormed } from "../json/unicode.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";

/** Rules 9 and 57: every text of a unit well-formed, and redacted where the host asks for it. Reasoning is never altered: `undefined` means that it must be left out. */
export function cleanUnit<U extends Unit>(unit: U, redact: ((text: string) => string) | undefined): U | undefined {
  if (unit.kind === "reasoning") {
    if (redact === undefined) return unit;
    return mapTexts(unit.block, redact) === unit.block ? unit : undefined;
  }
  const clean = redact === undefined ? wellFormed : (text: string): string => wellFormed(redact(text));
  const block = mapTexts(unit.block, clean) as ObjectValue;
  if (block === unit.block) return unit;
  if (unit.kind === "text") return { ...unit, block, text: clean(unit.text) };
  if (unit.kind === "result") return { ...unit, block, text: unit.text === undefined ? undefined : clean(unit.text) };
  if (unit.kind === "call") return { ...unit, block, value: mapTexts(unit.value, clean) };
  return { ...unit, block };
}
