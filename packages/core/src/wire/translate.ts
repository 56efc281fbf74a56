import { isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Reading, Role, Unit } from "./unit.ts";
import type { Wire } from "./wire.ts";

/** Ids that every wire takes. */
const idPattern = /^[a-zA-Z0-9_-]{1,64}$/;
const idLengthMax = 64;

/**
 * A history in another wire's messages, as a host of that wire would hand it over: texts, calls and results in their order, call ids mapped one to one where the wire might not take
 * them. Reasoning stays behind, since only its own provider reads it (rule 15); media and what else has no counterpart go as words that name them. Changes nothing.
 *
 * `messages` are what a request of `from` holds as its messages (`messages`, `input`, `contents`), without leading system messages. For a host that goes on with another provider: the
 * session of the new wire starts from what comes out.
 * @throws {TidemarkError} `invalid-message` for a message that `from` cannot read.
 */
export function translateHistory(
  messages: readonly ObjectValue[],
  { from, to }: { readonly from: Wire; readonly to: Wire },
): readonly ObjectValue[] {
  const ids = new CallIds();
  const calls = new Map<string, Call>();
  const translated = messages.flatMap((message) => {
    const reading = from.read(message);
    return reading.role === "assistant" ? replied(reading, from, to, ids, calls) : handedOver(reading, from, to, calls);
  });
  return to.abilities.refusesNeighbours === true ? joinedReplies(translated, to) : translated;
}

/** Replies that stand together are one message, where the wire refuses neighbours of one role. The user's are joined when they are admitted. */
function joinedReplies(messages: readonly ObjectValue[], wire: Wire): readonly ObjectValue[] {
  const joined: ObjectValue[] = [];
  let before: Reading | undefined;
  for (const message of messages) {
    const reading = wire.read(message);
    const reply =
      reading.role === "assistant" && before?.role === "assistant" ? { ...reading, units: [...before.units, ...reading.units] } : reading;
    if (reply !== reading) joined.pop();
    joined.push(reply === reading ? message : wire.compose(reply.nativeRole, reply.units));
    before = reply;
  }
  return joined;
}

type Call = Unit & { readonly kind: "call" };
type Result = Unit & { readonly kind: "result" };

/** A reply: what it said and called. One that was nothing but reasoning has no counterpart. */
function replied({ units }: Reading, from: Wire, to: Wire, ids: CallIds, calls: Map<string, Call>): readonly ObjectValue[] {
  const said = units.flatMap((unit): readonly Unit[] => {
    if (unit.kind === "reasoning" || unit.kind === "fields") return [];
    if (unit.kind !== "call" || to.callFor === undefined) return wordsOf(from, to, "assistant", unit);
    const call = to.callFor({ id: ids.of(unit.id), name: unit.name, arguments: asObject(unit.value) });
    calls.set(unit.id, call);
    return [call];
  });
  return said.length === 0 ? [] : [to.compose(nativeRole(to, "assistant"), said)];
}

/** What the host said and handed over: results first, as they stand behind their calls, each where the wire wants it. */
function handedOver({ role, units }: Reading, from: Wire, to: Wire, calls: ReadonlyMap<string, Call>): readonly ObjectValue[] {
  const results: Unit[] = [];
  const said: Unit[] = [];
  for (const unit of units) {
    if (unit.kind === "fields") continue;
    const call = unit.kind === "result" ? calls.get(unit.id) : undefined;
    if (call !== undefined) results.push(resultOf(to, call, from.textOf(unit)));
    else said.push(...wordsOf(from, to, role, unit));
  }
  const user = nativeRole(to, "user");
  if (role === "system") return said.map((unit) => to.say("system", to.textOf(unit)));
  if (to.abilities.resultsJoinUserTurn) return results.length + said.length === 0 ? [] : [to.compose(user, [...results, ...said])];
  return [...results.map((result) => to.compose("tool", [result])), ...(said.length === 0 ? [] : [to.compose(user, said)])];
}

function resultOf(to: Wire, call: Call, text: string): Result {
  return to.resultFor(call, text) as Result;
}

/** A unit as words of its role; nothing where it has none. */
function wordsOf(from: Wire, to: Wire, role: Role, unit: Unit): readonly Unit[] {
  const text = from.textOf(unit);
  return text.trim() === "" ? [] : to.read(to.say(role, text)).units;
}

function nativeRole(wire: Wire, role: Role): string {
  return wire.read(wire.say(role, "words")).nativeRole;
}

/** Arguments are an object on every wire but one: a custom tool's free text goes under a name. */
function asObject(value: Value): ObjectValue {
  return isObject(value) ? value : { input: value };
}

/** Call ids of another wire, one to one. */
class CallIds {
  readonly #known = new Map<string, string>();
  readonly #used = new Set<string>();

  of(id: string): string {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const base = idPattern.test(id) ? id : `call_${id.replace(/[^a-zA-Z0-9_-]/g, "_")}`.slice(0, idLengthMax);
    let fit = base;
    for (let count = 2; this.#used.has(fit); count++) fit = `${base.slice(0, idLengthMax - 8)}_${count}`;
    this.#used.add(fit);
    this.#known.set(id, fit);
    return fit;
  }
}
