import { wellFormed } from "../json/unicode.ts";
import { isArray, isObject, type ObjectValue, setMember, type Value } from "../json/value.ts";
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

/** The value with every string mapped; the same object when none changed. */
function mapTexts(value: Value, map: (text: string) => string): Value {
  if (typeof value === "string") return map(value);
  if (isArray(value)) {
    const mapped = value.map((item) => mapTexts(item, map));
    return mapped.some((item, index) => item !== value[index]) ? Object.freeze(mapped) : value;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const mapped: Record<string, Value> = {};
  for (const name of Object.keys(value)) {
    const member = mapTexts(value[name] as Value, map);
    if (member !== value[name]) changed = true;
    setMember(mapped, wellFormed(name), member);
  }
  return changed ? Object.freeze(mapped) : value;
}
