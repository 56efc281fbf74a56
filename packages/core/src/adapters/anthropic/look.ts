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
  /** Positions of an assistant's calls, of a user's results. */
  readonly pairs: readonly number[];
  readonly marked: boolean;
  /** Whether it holds anything beside plain text, thinking, calls, results and pictures. */
  readonly rare: boolean;
  /** A system message that says nothing and only sets the effort: it may stand anywhere and counts for nothing else. */
  readonly silent: boolean;
};

/** A call or a result. */
export type Found = { readonly id: string; readonly path: Path };

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
export type Look = { readonly messages: readonly Seen[]; readonly turns: readonly Turn[] };

const seen = new WeakMap<ObjectValue, Seen>();
const looks = new WeakMap<object, Look>();

/**
 * Looks at a request once for all rules, and at a frozen message once for all requests: a window repeats its messages, so that a check costs its new
 * messages and one pass over the list. Nothing is remembered of what is not frozen.
 */
export function look({ messages }: ObjectValue): Look {
  const given = isArray(messages) ? messages : [];
  const known = looks.get(given);
  if (known?.messages.length === given.length && known.messages.every(({ message }, index) => message === given[index])) return known;
  const found = given.map(see);
  const made = { messages: found, turns: turnsOf(found) };
  if (given.every((message) => Object.isFrozen(message))) looks.set(given, made);
  return made;
}

const common: readonly unknown[] = ["text", "thinking", "tool_use", "tool_result", "image"];
const nowhere: readonly number[] = [];

function see(given: Value): Seen {
  const message = isObject(given) ? given : {};
  const known = seen.get(message);
  if (known !== undefined) return known;
  const { role, content, output_config } = message;
  const text = content === "" ? [] : [{ type: "text", text: content as string }];
  const blocks = typeof content === "string" ? text : isArray(content) ? content.map((block) => (isObject(block) ? block : {})) : [];
  const pair = role === "assistant" ? "tool_use" : role === "user" && "tool_result";
  const made = {
    message,
    role: String(role),
    blocks,
    pairs: blocks.some(({ type }) => type === pair) ? blocks.flatMap(({ type }, index) => (type === pair ? [index] : [])) : nowhere,
    marked: blocks.some((block) => markOf(block) !== undefined),
    rare: blocks.some(({ type, citations }) => citations !== undefined || !common.includes(type)),
    silent: role === "system" && blocks.length === 0 && isObject(output_config),
  };
  if (Object.isFrozen(message)) seen.set(message, made);
  return made;
}

type OpenTurn = { role: string; from: number; to: number; calls: Found[]; results: Found[]; leading: number; mixed: boolean };

function turnsOf(messages: readonly Seen[]): readonly Turn[] {
  const turns: OpenTurn[] = [];
  messages.forEach((message, index) => {
    if (message.silent) return;
    let turn = turns.at(-1);
    if (turn?.role !== message.role) {
      turn = { role: message.role, from: index, to: index, calls: [], results: [], leading: 0, mixed: false };
      turns.push(turn);
    }
    turn.to = index + 1;
    addPairs(turn, message, index);
  });
  return turns;
}

function addPairs(turn: OpenTurn, message: Seen, index: number): void {
  const calls = turn.role === "assistant";
  message.pairs.forEach((at, count) => {
    const { id, tool_use_id } = message.blocks[at] as ObjectValue;
    (calls ? turn.calls : turn.results).push({ id: String(calls ? id : tool_use_id), path: blockPath(message, index, at) });
    if (!turn.mixed && at === count) turn.leading += 1;
  });
  if (message.pairs.length < message.blocks.length) turn.mixed = true;
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

export function shapeRule(id: string, grade: Grade, check: Check, status = 400): ShapeRule {
  return { id, grade, status, check: (request, context) => check(look(request), request, context) };
}

/** A refusal that follows from what a model cannot do: sure of a model that the table knows, a guess of any other. */
export function byModel(id: string, check: Check): readonly ShapeRule[] {
  return (["sure", "weak"] as const).map((grade) =>
    shapeRule(id, grade, (...asked) => (asked[2].profile.traits.includes("unknown") === (grade === "weak") ? check(...asked) : undefined)),
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
