import { isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";

type Draft = Record<string, Value>;

/** Deeper, or further along in a list, no arguments of a tool go; a path that does is not followed. */
const stepsMax = 64;
const indexMax = 10_000;

/**
 * Adds one piece of streamed arguments (Vertex AI's `streamFunctionCallArguments`): a JSON path into them and a value, a text in pieces. A piece that names no
 * place is left out.
 */
export function addPartialArg(args: Draft, piece: ObjectValue): void {
  const steps = typeof piece.jsonPath === "string" ? stepsOf(piece.jsonPath) : [];
  const last = steps.pop();
  const value = pieceValue(piece);
  if (last === undefined || value === undefined) return;
  const holder = holderAt(args, [...steps, last]);
  const before = holder?.[last as keyof typeof holder] as Value | undefined;
  const whole = typeof value === "string" && typeof before === "string" && Object.hasOwn(holder as object, last) ? before + value : value;
  if (isArray(holder)) (holder as Value[])[Number(last)] = whole;
  else if (holder !== undefined) setMember(holder as Draft, String(last), whole);
}

function pieceValue({ stringValue, numberValue, boolValue, nullValue }: ObjectValue): Value | undefined {
  return nullValue !== undefined ? null : (stringValue ?? numberValue ?? boolValue);
}

/** `$.operations[0].action` and `$['odd name']`. */
function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const [, name, position, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'|")(.*?)(?:'|")\]/g)) {
    const step = name ?? quoted ?? Number(position);
    if (steps.length === stepsMax || (typeof step === "number" && step > indexMax)) return [];
    steps.push(step);
  }
  return steps;
}

/** What holds the last step; what is not there yet is made as the next step asks for it. Undefined: the path goes against what came before. */
function holderAt(args: Draft, steps: readonly (string | number)[]): Draft | Value[] | undefined {
  let at: Draft | Value[] = args;
  for (const [index, step] of steps.entries()) {
    if (isArray(at) !== (typeof step === "number")) return undefined;
    const next = steps[index + 1];
    if (next === undefined) return at;
    const known: Value | undefined = Object.hasOwn(at, step) ? (at as Draft)[step as string] : undefined;
    const inner = known ?? (typeof next === "number" ? [] : {});
    if (!isObject(inner) && !isArray(inner)) return undefined;
    if (known === undefined && isArray(at)) (at as Value[])[step as number] = inner;
    else if (known === undefined) setMember(at as Draft, String(step), inner);
    at = inner as Draft | Value[];
  }
  return undefined;
}
