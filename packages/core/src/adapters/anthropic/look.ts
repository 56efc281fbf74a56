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
  const pair = role === "assistant" ? "tool_use" : "tool_result";
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

type OpenTurn = { role: string; from: number; to: number; calls: Found[]; results: Found[]; leading: number; only: boolean };

function turnsOf(messages: readonly Seen[]): readonly Turn[] {
  const turns: OpenTurn[] = [];
  messages.forEach((message, index) => {
    const { role, silent, blocks, pairs } = message;
    if (silent) return;
    let turn = turns.at(-1);
    if (turn?.role !== role) turns.push((turn = { role, from: index, to: index, calls: [], results: [], leading: 0, only: true }));
    turn.to = index + 1;
    const found = role === "assistant" ? turn.calls : turn.results;
    for (const at of pairs) {
      const { id, tool_use_id } = blocks[at] as ObjectValue;
      found.push({ id: String(role === "assistant" ? id : tool_use_id), path: blockPath(message, index, at) });
      if (turn.only && at === found.length) turn.leading += 1;
    }
  });
  return turns;
}

/** Where a block stands; text that is a string has no position of its own. */
export function blockPath({ message }: Seen, index: number, at: number): Path {
  return typeof message.content === "string" ? ["messages", index, "content"] : ["messages", index, "content", at];
}
