import { inWords } from "../../json/in-words.ts";
import { laidOut } from "../../json/laid-out.ts";
import { wellFormedTexts } from "../../json/map-texts.ts";
import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Reading, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { readCall, readResult, resultText } from "./step-calls.ts";
import { readContents } from "./step-contents.ts";

/** What goes with a unit and is not compared: `output`: it starts a step of its own. `step`: its block is a whole step. */
const startsOutput: ObjectValue = Object.freeze({ output: true });
const wholeStep: ObjectValue = Object.freeze({ step: true });

const stepOrder: readonly string[] = ["type", "id", "call_id", "name", "arguments", "summary", "signature", "content"];

/**
 * Reads one step of the input, or a whole reply as {@link composeSteps} makes one. Steps of server tools, and whatever comes, are the model's and are carried verbatim.
 */
export function readStep(step: ObjectValue): Reading {
  if (isArray(step.steps)) return assistant((step.steps as readonly ObjectValue[]).flatMap((inner) => readStep(inner).units));
  const { type } = step;
  if (typeof type !== "string") throw new InvalidMessageError("$.type", "a step must have a type");
  if (type === "user_input") return { role: "user", nativeRole: "user", units: readSaid(step), marks: [] };
  if (type === "function_result") return { role: "user", nativeRole: "tool", units: [readResult(present(step))], marks: [] };
  if (type === "model_output") {
    const [first, ...rest] = readSaid(step);
    return assistant(first === undefined ? [] : [{ ...first, loose: startsOutput }, ...rest]);
  }
  if (type === "thought") return assistant([readThought(present(step))]);
  const { signature, ...bare } = present(step) as Record<string, Value>;
  const said: Unit =
    type === "function_call"
      ? readCall(laidOut(freezeValue(bare), stepOrder))
      : { kind: "other", block: laidOut(freezeValue(bare), stepOrder), loose: wholeStep };
  return assistant(signature === undefined ? [said] : [signatureOf(signature), said]);
}

/** Puts units together: a reply of several steps is one message of them, which {@link spreadSteps} takes apart. */
export function composeSteps(nativeRole: string, units: readonly Unit[]): ObjectValue {
  const [first] = units;
  if (first?.kind === "result") return freezeValue(first.block);
  if (nativeRole !== "assistant") return saidStep("user_input", units);
  const steps = replySteps(units);
  return steps.length === 1 ? (steps[0] as ObjectValue) : freezeValue({ role: "assistant", steps });
}

/** The steps of a composed message. */
export function spreadSteps(message: ObjectValue): readonly ObjectValue[] {
  return isArray(message.steps) ? (message.steps as readonly ObjectValue[]) : [message];
}

/** A unit in words. Media and what only the provider can read are named, never spelt out. */
export function textOfUnit(unit: Unit): string {
  return unitText(unit, (worded) => (worded.kind === "result" ? resultText(worded) : `[${inWords(worded.block.type ?? "part")}]`));
}

function assistant(units: readonly Unit[]): Reading {
  return { role: "assistant", nativeRole: "assistant", units, marks: [] };
}

/** The members of the step itself, where there are any beside its contents, and these. */
function readSaid(step: ObjectValue): readonly Unit[] {
  const names = Object.keys(step).filter((name) => name !== "type" && name !== "content" && step[name] !== null);
  const block = Object.fromEntries(names.toSorted().map((name) => [name, step[name] as Value]));
  const fields: readonly Unit[] = names.length === 0 ? [] : [{ kind: "fields", block: freezeValue(block) }];
  return [...fields, ...readContents(step.content)];
}

/** A thought is kept whole, with or without a summary; its signature tells the provider where it was made. */
function readThought(step: ObjectValue): Unit {
  const summary = isArray(step.summary) ? step.summary : [];
  const texts = summary.flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : []));
  return {
    kind: "reasoning",
    block: laidOut(wellFormedTexts(step), stepOrder),
    bound: typeof step.signature === "string",
    readable: texts.join("\n"),
  };
}

function signatureOf(signature: Value): Unit {
  return { kind: "reasoning", block: wellFormedTexts(Object.freeze({ signature })), bound: true, readable: "" };
}

/** The step without members that say nothing: null, and the empty signature that a stream begins a call with. */
function present(step: ObjectValue): ObjectValue {
  const names = Object.keys(step).filter((name) => step[name] === null || (name === "signature" && step[name] === ""));
  if (names.length === 0) return step;
  return Object.freeze(Object.fromEntries(Object.entries(step).filter(([name]) => !names.includes(name))));
}

/** Words that stand together are one output, unless one of them began a step of its own. A signature goes back on the step behind it. */
function replySteps(units: readonly Unit[]): readonly ObjectValue[] {
  const steps: ObjectValue[] = [];
  let said: Unit[] = [];
  let signature: ObjectValue = {};
  const close = (): void => {
    if (said.some(({ kind }) => kind !== "fields")) steps.push(saidStep("model_output", said));
    said = [];
  };
  for (const unit of units) {
    const isWhole = unit.kind === "call" || unit.kind === "reasoning" || unit.loose?.step === true;
    if (isWhole || unit.loose?.output === true || unit.kind === "fields") close();
    if (!isWhole) said.push(unit);
    else if (unit.block.type === undefined) signature = unit.block;
    else {
      steps.push(laidOut(Object.freeze({ ...unit.block, ...signature }), stepOrder));
      signature = {};
    }
  }
  close();
  return steps;
}

function saidStep(type: string, units: readonly Unit[]): ObjectValue {
  const step: Record<string, Value> = { type, content: units.flatMap(({ kind, block }) => (kind === "fields" ? [] : [block])) };
  for (const { kind, block } of units)
    if (kind === "fields") for (const [name, value] of Object.entries(block)) setMember(step, name, value);
  return freezeValue(step);
}
