import { inWords } from "../../json/in-words.ts";
import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { markOf } from "./blocks.ts";

/** A message as the rules look at it. */
export type Seen = {
  readonly message: ObjectValue;
  readonly role: string;
  /** A string is one text block; what is no object is an empty one. */
  readonly blocks: readonly ObjectValue[];
  /** An assistant's calls, a user's results. */
  readonly pairs: readonly Found[];
  /** How many results stand before anything else. */
  readonly leading: number;
  readonly marked: boolean;
  /** Whether any of its texts has no word. */
  readonly blank: boolean;
  /** Whether it holds anything beside plain text, thinking, calls, results and pictures. */
  readonly rare: boolean;
  /** A system message that says nothing and only sets the effort: it may stand anywhere and counts for nothing else. */
  readonly silent: boolean;
};

/** A call or a result, by its position in its message. */
export type Found = { readonly id: string; readonly at: number };

/** Neighbours of one role, which the provider reads as one turn: messages `[from, to)`, silent ones among them. */
export type Turn = {
  readonly role: string;
  readonly from: number;
  readonly to: number;
  readonly calls: readonly Found[];
  readonly results: readonly Found[];
  /** How many results stand before anything else: those behind other content answer nothing. */
  readonly leading: number;
};

/** A whole request as the rules look at it. */
export type Look = {
  readonly messages: readonly Seen[];
  readonly turns: readonly Turn[];
  readonly holds: Readonly<Record<Feature, boolean>>;
};

/**
 * What most requests do not hold, so that the rules about it need not be asked. `rare`: a block beside plain text, thinking, calls, results and pictures. `aside`: a system message, or
 * one that says when it is cleared. `several`: more than one call, or result. `begun`: an assistant's message at the end.
 */
type Feature = "rare" | "aside" | "several" | "begun";

const seen = new WeakMap<ObjectValue, Seen>();
/** The last list that was looked at: one rule after another asks for it. `frozen`: it cannot have changed since. */
let last: { readonly given: readonly Value[]; readonly look: Look; readonly frozen: boolean } | undefined;
/** A list of so many messages is looked at anew: that costs less than remembering. */
const shortList = 16;

/**
 * Looks at a request once for all rules, and at a frozen message once for all requests: a window repeats its messages, so that a check costs its new
 * messages and one pass over the list. Nothing is remembered of what is not frozen.
 */
function look({ messages }: ObjectValue): Look {
  const given = isArray(messages) ? messages : [];
  if (last !== undefined && last.given === given && (last.frozen || isUnchanged(given, last.look))) return last.look;
  const found = given.map(given.length > shortList ? seeOnce : see);
  const made = { messages: found, turns: turnsOf(found), holds: featuresOf(found) };
  if (given.every((message) => Object.isFrozen(message))) last = { given, look: made, frozen: Object.isFrozen(given) };
  return made;
}

function isUnchanged(given: readonly Value[], { messages }: Look): boolean {
  return messages.length === given.length && messages.every(({ message }, index) => message === given[index]);
}

function featuresOf(messages: readonly Seen[]): Look["holds"] {
  let [rare, aside, calls, results] = [false, false, 0, 0];
  for (const seen of messages) {
    rare ||= seen.rare;
    aside ||= seen.role === "system" || (seen.message.clear_at ?? null) !== null;
    if (seen.role === "assistant") calls += seen.pairs.length;
    else results += seen.pairs.length;
  }
  // A silent message behind it counts for nothing.
  const begun = messages.findLast(({ silent }) => !silent)?.role === "assistant";
  return { rare, aside, several: calls > 1 || results > 1, begun };
}

const common: readonly unknown[] = ["text", "thinking", "tool_use", "tool_result", "image"];
export const none: readonly Found[] = [];

function seeOnce(given: Value): Seen {
  const known = isObject(given) ? seen.get(given) : undefined;
  if (known !== undefined) return known;
  const made = see(given);
  if (Object.isFrozen(made.message)) seen.set(made.message, made);
  return made;
}

function see(given: Value): Seen {
  const message = isObject(given) ? given : {};
  const { role, content, output_config } = message;
  const blocks = blocksOf(content);
  const pairs = pairsOf(role, blocks);
  let [marked, blank, rare] = [false, false, false];
  for (const block of blocks) {
    const { type, text, citations } = block;
    marked ||= markOf(block) !== undefined;
    blank ||= type === "text" && typeof text === "string" && text.trim() === "";
    rare ||= citations !== undefined || !common.includes(type);
  }
  const silent = role === "system" && blocks.length === 0 && isObject(output_config);
  return { message, role: inWords(role), blocks, pairs, leading: leadingOf(pairs), marked, blank, rare, silent };
}

/** How many pairs stand before any other block. */
function leadingOf(pairs: readonly Found[]): number {
  let count = 0;
  while (count < pairs.length && pairs[count]?.at === count) count += 1;
  return count;
}

function blocksOf(content: Value | undefined): readonly ObjectValue[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!isArray(content)) return [];
  return content.every(isObject) ? content : content.map((block) => (isObject(block) ? block : {}));
}

function pairsOf(role: Value | undefined, blocks: readonly ObjectValue[]): readonly Found[] {
  const kind = role === "assistant" ? "tool_use" : role === "user" && "tool_result";
  let pairs: Found[] | undefined;
  for (let at = 0; at < blocks.length; at++) {
    const { type, id, tool_use_id } = blocks[at] as ObjectValue;
    if (type !== kind) continue;
    pairs ??= [];
    pairs.push({ id: inWords(role === "user" ? tool_use_id : id), at });
  }
  return pairs ?? none;
}

function turnsOf(messages: readonly Seen[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (let from = 0; from < messages.length; from++) {
    const first = messages[from] as Seen;
    if (first.silent) continue;
    let to = from + 1;
    while (messages[to]?.role === first.role || messages[to]?.silent) to += 1;
    while (messages[to - 1]?.silent) to -= 1;
    const { pairs, leading } = to === from + 1 ? first : joined(messages.slice(from, to).filter(({ silent }) => !silent));
    const { role } = first;
    turns.push({ role, from, to, calls: role === "assistant" ? pairs : none, results: role === "user" ? pairs : none, leading });
    from = to - 1;
  }
  return turns;
}

/** The pairs of several messages: those of the first that holds anything else end what leads. */
function joined(parts: readonly Seen[]): Pick<Seen, "pairs" | "leading"> {
  const mixed = parts.findIndex(({ pairs, blocks }) => pairs.length < blocks.length);
  const leaders = mixed < 0 ? parts : parts.slice(0, mixed + 1);
  return { pairs: parts.flatMap(({ pairs }) => pairs), leading: leaders.reduce((sum, { leading }) => sum + leading, 0) };
}

/** Where a call or a result of a turn stands. */
export function placeOf({ messages }: Look, { from, to }: Turn, found: Found): Path {
  const index = messages.findIndex((message, at) => at >= from && at < to && message.pairs.includes(found));
  return blockPath(messages[index] as Seen, index, found.at);
}

/** Where a block stands; text that is a string has no position of its own. */
export function blockPath({ message }: Seen, index: number, at: number): Path {
  return typeof message.content === "string" ? ["messages", index, "content"] : ["messages", index, "content", at];
}

/** The first breach among some things. */
export function firstOf<T>(
  things: readonly T[],
  find: (thing: T, index: number, things: readonly T[]) => Breach | undefined,
): Breach | undefined {
  for (let index = 0; index < things.length; index++) {
    const found = find(things[index] as T, index, things);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first breach among the blocks of messages that hold uncommon ones. */
export function firstRare(
  { messages }: Look,
  find: (block: ObjectValue, path: Path, role: string) => Breach | undefined,
): Breach | undefined {
  return firstOf(messages, (message, index) =>
    message.rare ? firstOf(message.blocks, (block, at) => find(block, blockPath(message, index, at), message.role)) : undefined,
  );
}

type Check = (look: Look, request: ObjectValue, context: RuleContext) => Breach | undefined;

/** What a rule is about: it is asked only of requests that hold that, or have that field. */
type About = { readonly about?: Feature; readonly field?: string; readonly status?: number };

export function shapeRule(id: string, grade: Grade, check: Check, { about, field, status = 400 }: About = {}): ShapeRule {
  return {
    id,
    grade,
    status,
    check: (request, context) => {
      if (field !== undefined && (request[field] ?? null) === null) return undefined;
      const seen = look(request);
      return about === undefined || seen.holds[about] ? check(seen, request, context) : undefined;
    },
  };
}

/** A check of single messages, made once of a frozen one that passes it. */
export function perMessage(
  check: (message: Value, index: number) => Breach | undefined,
): (message: Value, index: number, list: readonly Value[]) => Breach | undefined {
  const passed = new WeakSet<object>();
  return (message, index, list) => {
    if (list.length <= shortList) return check(message, index);
    if (isObject(message) && passed.has(message)) return undefined;
    const found = check(message, index);
    if (found === undefined && isObject(message) && Object.isFrozen(message)) passed.add(message);
    return found;
  };
}

/** A refusal that follows from what a model cannot do. Of a model that the table does not know nothing is sure, and AN-29 says so. */
export function modelRule(id: string, check: Check, about: About): ShapeRule {
  return shapeRule(
    id,
    "sure",
    (seen, request, context) => (context.profile.traits.includes("unknown") ? undefined : check(seen, request, context)),
    about,
  );
}

/** A breach in the provider's form: the place, a colon, what is wrong with it. */
export function breach(path: Path, problem: string): Breach {
  return says(path, `${path.join(".")}: ${problem}`);
}

/** A breach whose words name another place than the one where it is, or none. */
export function says(path: Path, message: string): Breach {
  return { path, message };
}

export const notPermitted = "Extra inputs are not permitted";
