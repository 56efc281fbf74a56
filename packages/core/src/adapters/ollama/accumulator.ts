import { isArray, isObject, setMember, type Value } from "../../json/value.ts";
import type { Accumulator } from "../../wire/wire.ts";

type Draft = Record<string, Value>;

/** Puts the lines of a streamed reply together. Text and thinking go on, calls come whole, figures come with the last line. A line with an error leaves it unfinished. */
export function accumulator(): Accumulator {
  const head: Draft = {};
  const message: Draft = { role: "assistant", content: "" };
  const calls: Value[] = [];
  let done = false;
  let failed = false;

  const say = (name: string, value: Value): void => {
    const before = message[name];
    if (name === "tool_calls") calls.push(...(isArray(value) ? value : []));
    else if (typeof value === "string" && typeof before === "string" && name !== "role") message[name] = before + value;
    else setMember(message, name, value);
  };

  return {
    add(line) {
      if (!isObject(line)) return;
      if (typeof line.error === "string") failed = true;
      if (!isObject(line.message)) return;
      for (const [name, value] of Object.entries(line)) if (name !== "message") setMember(head, name, value);
      for (const [name, value] of Object.entries(line.message)) if (value !== null && value !== undefined) say(name, value);
      done ||= line.done === true;
    },
    reply() {
      const finished = done && !failed;
      const whole = calls.length === 0 ? { ...message } : { ...message, tool_calls: structuredClone(calls) };
      return { reply: { ...head, message: whole, done: finished }, finished };
    },
  };
}
