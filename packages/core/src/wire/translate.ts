import { anything, listOf, objectOf } from "../json/check.ts";
import { isObject, type ObjectValue, type Value } from "../json/value.ts";
import { checked, wireShape } from "./checked.ts";
import type { Reading, Role, Unit } from "./unit.ts";
import type { Wire } from "./wire.ts";

/** Ids that every wire takes. */
const idPattern = /^[a-zA-Z0-9_-]{1,64}$/;
const idLengthMax = 64;

const shape = objectOf({ messages: listOf(anything), from: wireShape, to: wireShape });

/**
 * A history in another wire's messages, as a host of that wire would hand it over: texts, calls and results in their order, call ids mapped one to one where the wire might not take
 * them. Reasoning stays behind, since only its own provider reads it (rule 15); media and what else has no counterpart go as words that name them. Changes nothing.
 *
 * `messages` are what a request of `from` holds as its messages (`messages`, `input`, `contents`), without leading system messages. For a host that goes on with another provider: the
 * session of the new wire starts from what comes out.
 * @throws {OptionError} for what is no wire; {@link TidemarkError} `invalid-message` for a message that `from` cannot read.
 */
export function translateHistory(
  messages: readonly ObjectValue[],
  wires: { readonly from: Wire; readonly to: Wire },
): readonly ObjectValue[] {
  const { from, to } = checked({ ...wires, messages }, shape);
  const translator = new Translator(from, to);
  const translated = messages.flatMap((message) => translator.messages(message).flatMap((own) => to.spread?.(own) ?? own));
  return from.abilities.repliesInRows === true && to.abilities.repliesInRows !== true ? joinedReplies(translated, to) : translated;
}

/** What was a row of items is one reply, and one message. */
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

/** Puts messages of one wire into another's, one after the other: it remembers calls for their results. */
export class Translator {
  readonly #from: Wire;
  readonly #to: Wire;
  readonly #ids: CallIds | undefined;
  readonly #calls = new Map<string, Call>();
  /** The last calls that have no results yet: a result may name its tool only. */
  #open: readonly { readonly name: string; readonly call: Call }[] = [];
  #inReply = false;

  /** `ids`: call ids that the wire might not take are mapped (default), or stay as they are. */
  constructor(from: Wire, to: Wire, ids: "mapped" | "kept" = "mapped") {
    this.#from = from;
    this.#to = to;
    this.#ids = ids === "mapped" ? new CallIds() : undefined;
  }

  /** A message as the other wire has it: none, one, or several, where results come alone there. */
  messages(message: ObjectValue): readonly ObjectValue[] {
    const reading = this.#from.read(message);
    return reading.role === "assistant" ? this.#replied(reading) : this.#handedOver(reading);
  }

  /** A call that the other wire has already, under an id of its own. */
  knows(id: string, call: Call): void {
    if (!this.#inReply) this.#open = [];
    this.#inReply = true;
    this.#calls.set(id, call);
    this.#open = [...this.#open, { name: call.name, call }];
  }

  /** A reply: what it said and called. One that was nothing but reasoning has no counterpart. */
  #replied({ units }: Reading): readonly ObjectValue[] {
    const [from, to] = [this.#from, this.#to];
    const said = units.flatMap((unit): readonly Unit[] => {
      if (unit.kind === "reasoning" || unit.kind === "fields") return [];
      if (unit.kind !== "call" || to.callFor === undefined) return wordsOf(from, to, "assistant", unit);
      const call = to.callFor({ id: this.#ids?.of(unit.id) ?? unit.id, name: unit.name, arguments: asObject(unit.value) });
      this.knows(unit.id, call);
      return [call];
    });
    return said.length === 0 ? [] : [to.compose(nativeRole(to, "assistant"), said)];
  }

  /** What the host said and handed over: results first, as they stand behind their calls, each where the wire wants it. */
  #handedOver({ role, units }: Reading): readonly ObjectValue[] {
    const [from, to] = [this.#from, this.#to];
    this.#inReply = false;
    const results: Unit[] = [];
    const said: Unit[] = [];
    for (const unit of units) {
      if (unit.kind === "fields") continue;
      const call = unit.kind === "result" ? this.#callOf(unit.id) : undefined;
      if (call !== undefined) results.push(resultOf(to, call, from.textOf(unit)));
      else said.push(...wordsOf(from, to, role, unit));
    }
    const user = nativeRole(to, "user");
    if (role === "system") return said.map((unit) => to.say("system", to.textOf(unit)));
    if (to.abilities.resultsJoinUserTurn) return results.length + said.length === 0 ? [] : [to.compose(user, [...results, ...said])];
    return [...results.map((result) => to.compose("tool", [result])), ...(said.length === 0 ? [] : [to.compose(user, said)])];
  }

  /** The call that a result answers: by its id; else, where results may name a tool or nothing, the first without a result. */
  #callOf(id: string): Call | undefined {
    const byName = this.#from.abilities.resultsByName === true;
    const call = (byName ? this.#open.find(({ name }) => id === "" || name === id)?.call : undefined) ?? this.#calls.get(id);
    this.#open = this.#open.filter((open) => open.call !== call);
    return call;
  }
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
