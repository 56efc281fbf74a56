import { callable, expecting, objectOf, optional } from "../json/check.ts";
import { sameValue } from "../json/compare.ts";
import { pathText } from "../json/path.ts";
import { isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Channel } from "../ledger/entry.ts";
import { checked, stray } from "../wire/checked.ts";
import { plainValue } from "./accept.ts";
import { element, escapeText } from "./event-text.ts";
import { revise } from "./revise.ts";
import { channelShape, type Source, SourceValueError } from "./source.ts";
import { checkSchema, type StandardSchema } from "./standard-schema.ts";

export type StateOptions<Input, Output> = {
  /** Checks each value that is set; what it makes of it is what is kept. */
  readonly schema: StandardSchema<Input, Output>;
  /** The value in words; it gets plain JSON, as it comes back from a snapshot. Default: JSON, of which later revisions say only the members that changed. */
  readonly render?: ((value: Output) => string) | undefined;
  /** Default `user`. */
  readonly channel?: Channel | undefined;
};

const shape = objectOf(
  {
    schema: expecting("a schema, such as z.string()", (value) => value !== null && value !== undefined && "~standard" in Object(value)),
    render: optional(callable),
    channel: optional(channelShape),
  },
  stray,
);

/** Share of the whole value's text above which a revision says the whole again. */
const changeShare = 0.5;

/** Something that is so until it is set otherwise: a task, a plan, a list of open points. Each change is the next revision; `session.clear` takes it back. @throws {OptionError} */
export function state<Input, Output = Input>(id: string, options: StateOptions<Input, Output>): Source<Input> {
  const { schema, render, channel = "user" } = checked(options, shape);
  const textOf = (value: Value): string => (render === undefined ? wholeText(value) : escapeText(render(value as Output)));
  return Object.freeze({
    id,
    kind: "state",
    channel,
    accept: (value: Input): Value => {
      const checked = checkSchema(schema, value);
      if ("problem" in checked) throw new SourceValueError(id, pathText(checked.path), checked.problem);
      return plainValue(id, checked.value);
    },
    speak: (asked) =>
      revise(asked, {
        say: (value, before, rev) => {
          const whole = textOf(value);
          const change = render === undefined && before !== undefined ? changeText(before, value) : undefined;
          if (change === undefined || change.length > whole.length * changeShare) return { text: element("state", { id, rev }, whole) };
          return { text: element("state", { id, rev, changes: rev - 1 }, change), change: true };
        },
        withdraw: (_before, rev) => element("state", { id, rev, withdrawn: "true" }, asked.wordings.withdrawn),
      }),
  } satisfies Source<Input>);
}

/** A text as it is; an object as JSON with a line for each member, anything else as JSON. */
function wholeText(value: Value): string {
  if (typeof value === "string") return escapeText(value);
  if (!isObject(value)) return escapeText(JSON.stringify(value));
  return escapeText(linesOf(value));
}

function linesOf(value: ObjectValue): string {
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`);
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n}`;
}

/** The members that changed; undefined where there are none to name. */
function changeText(before: Value, after: Value): string | undefined {
  if (!isObject(before) || !isObject(after)) return undefined;
  const set = Object.entries(after).filter(([name, member]) => !Object.hasOwn(before, name) || !sameValue(before[name] as Value, member));
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const parts = [
    ...(set.length === 0 ? [] : [`"set": ${linesOf(Object.fromEntries(set))}`]),
    ...(removed.length === 0 ? [] : [`"removed": ${JSON.stringify(removed)}`]),
  ];
  return escapeText(`{${parts.join(",\n")}}`);
}
