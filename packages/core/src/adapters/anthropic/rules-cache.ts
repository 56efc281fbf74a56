import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { innerBlocks, isMarked, markOf, mayBearMark } from "./blocks.ts";
import { cacheMarksMax, isLong } from "./cache.ts";
import { breach, firstOf, type Look, notPermitted, type Seen, says, shapeRule } from "./look.ts";

/** Cache marks: their shape, their places, how many, and the order of their lifetimes. Source: the page on prompt caching. */
export const cacheRules: readonly ShapeRule[] = [
  shapeRule("AN-11", "sure", (look, request) => firstOf(marksOf(look, request), illegalMark)),
  shapeRule("AN-09", "sure", (look, request) => {
    const marks = marksOf(look, request);
    const extra = marks[cacheMarksMax];
    const message = `A maximum of ${cacheMarksMax} blocks with cache_control may be provided. Found ${marks.length}.`;
    return extra && says(extra.path, message);
  }),
  shapeRule("AN-10", "sure", lifetimes),
];

type Mark = { readonly mark: Value; readonly holder: ObjectValue; readonly path: Path };

/** Every mark in the order in which the provider serialises; the request's own, for automatic caching, comes last. */
function marksOf(look: Look, request: ObjectValue): readonly Mark[] {
  if (last?.look === look && last.request === request) return last.marks;
  const marks = findMarks(look, request);
  last = Object.isFrozen(request) ? { look, request, marks } : undefined;
  return marks;
}

/** The last frozen request whose marks were looked for: one rule after another asks for them. */
let last: { readonly look: Look; readonly request: ObjectValue; readonly marks: readonly Mark[] } | undefined;

function findMarks({ messages }: Look, request: ObjectValue): readonly Mark[] {
  const marks: Mark[] = [];
  addMarks(marks, request.tools, ["tools"]);
  addMarks(marks, request.system, ["system"]);
  for (let index = 0; index < messages.length; index++) {
    const { message, marked } = messages[index] as Seen;
    if (marked) addMarks(marks, message.content, ["messages", index, "content"]);
  }
  if (isMarked(request)) marks.push(markOn(request, []));
  return marks;
}

function addMarks(marks: Mark[], list: Value | undefined, path: Path): void {
  if (!isArray(list)) return;
  for (let index = 0; index < list.length; index++) {
    const holder = list[index] as Value;
    if (!isObject(holder) || markOf(holder) === undefined) continue;
    const place = [...path, index];
    if (isMarked(holder)) marks.push(markOn(holder, place));
    addMarks(marks, innerBlocks(holder), [...place, ...(isArray(holder.content) ? ["content"] : ["source", "content"])]);
  }
}

function markOn(holder: ObjectValue, path: Path): Mark {
  return { mark: holder.cache_control as Value, holder, path: [...path, "cache_control"] };
}

function illegalMark({ mark, holder, path }: Mark): Breach | undefined {
  const { type } = holder;
  const place = path.slice(0, -1).join(".");
  if (type === "text" && holder.text === "") return says(path, `${place}.text: cache_control cannot be set for empty text blocks`);
  if (path.length > 1 && mayBearMark(holder) === false) return says(path, `${place}.${type}.cache_control: ${notPermitted}`);
  const { type: kind, ttl } = isObject(mark) ? mark : {};
  if (kind !== "ephemeral") return breach([...path, "type"], "Input should be 'ephemeral'");
  return ["5m", "1h", null, undefined].includes(ttl as string) ? undefined : breach([...path, "ttl"], "Input should be '5m' or '1h'");
}

function lifetimes(look: Look, request: ObjectValue): Breach | undefined {
  const marks = marksOf(look, request);
  const short = marks.findIndex(({ mark }) => !isLong(mark));
  const late = short < 0 ? undefined : marks.slice(short).find(({ mark }) => isLong(mark));
  if (late !== undefined) {
    const order = "blocks are processed in the following order: `tools`, `system`, `messages`.";
    return breach(
      [...late.path, "ttl"],
      `a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that ${order}`,
    );
  }
  const own = marks.at(-1);
  const last = look.messages.at(-1)?.blocks.at(-1)?.cache_control;
  if (own?.path.length !== 1 || !isObject(last) || isLong(own.mark) === isLong(last)) return undefined;
  // The words were not found; that it is refused was.
  return breach([...own.path, "ttl"], "differs from the ttl of the last block's cache_control");
}
