import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { innerBlocks, isMarked, mayBearMark } from "./blocks.ts";
import { cacheMarksMax } from "./cache.ts";
import { breach, firstOf, type Look, notPermitted, shapeRule } from "./look.ts";

/** Cache marks: their shape, their places, how many, and the order of their lifetimes. Source: the page on prompt caching. */
export const cacheRules: readonly ShapeRule[] = [
  shapeRule("AN-11", "sure", (look, request) => firstOf(marksOf(look, request), illegalMark)),
  shapeRule("AN-09", "sure", tooMany),
  shapeRule("AN-10", "sure", lifetimes),
];

type Mark = { readonly mark: Value; readonly holder: ObjectValue; readonly path: Path };

/** Every mark in the order in which the provider serialises; the request's own, for automatic caching, comes last. */
function marksOf(look: Look, request: ObjectValue): readonly Mark[] {
  const { tools, system } = request;
  const marks = [...marksIn(tools, ["tools"]), ...marksIn(system, ["system"])];
  look.messages.forEach((message, index) => {
    if (message.marked) marks.push(...marksIn(message.message.content, ["messages", index, "content"]));
  });
  if (isMarked(request)) marks.push({ mark: request.cache_control as Value, holder: request, path: [] });
  return marks;
}

function marksIn(list: Value | undefined, path: Path): readonly Mark[] {
  if (!isArray(list)) return [];
  return list.flatMap((holder, index) => {
    if (!isObject(holder)) return [];
    const place = [...path, index];
    const own = isMarked(holder) ? [{ mark: holder.cache_control as Value, holder, path: place }] : [];
    const inner = isArray(holder.content) ? ["content"] : ["source", "content"];
    return [...own, ...marksIn(innerBlocks(holder), [...place, ...inner])];
  });
}

function illegalMark({ mark, holder, path }: Mark): Breach | undefined {
  const place = [...path, "cache_control"];
  if (holder.type === "text" && holder.text === "") return breach([...path, "text"], "cache_control cannot be set for empty text blocks");
  if (path.length > 0 && mayBearMark(holder) === false)
    return { ...breach([...path, String(holder.type), "cache_control"], notPermitted), path: place };
  const { type, ttl } = isObject(mark) ? mark : {};
  if (type !== "ephemeral") return breach([...place, "type"], "Input should be 'ephemeral'");
  if (ttl !== undefined && ttl !== null && ttl !== "5m" && ttl !== "1h") return breach([...place, "ttl"], "Input should be '5m' or '1h'");
  return undefined;
}

function tooMany(look: Look, request: ObjectValue): Breach | undefined {
  const marks = marksOf(look, request);
  const first = marks[cacheMarksMax];
  if (first === undefined) return undefined;
  const message = `A maximum of ${cacheMarksMax} blocks with cache_control may be provided. Found ${marks.length}.`;
  return { path: [...first.path, "cache_control"], message };
}

function lifetimes(look: Look, request: ObjectValue): Breach | undefined {
  let short = false;
  const marks = marksOf(look, request);
  const late = marks.find(({ mark }) => {
    const long = isLong(mark);
    if (!long) short = true;
    return long && short;
  });
  if (late !== undefined) {
    return breach(
      [...late.path, "cache_control", "ttl"],
      "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    );
  }
  const own = marks.at(-1);
  const last = look.messages.at(-1)?.blocks.at(-1);
  if (own?.path.length !== 0 || last === undefined || !isMarked(last) || isLong(own.mark) === isLong(last.cache_control as Value))
    return undefined;
  // The wording was not found; that it is refused was.
  return breach(["cache_control", "ttl"], "the ttl differs from that of the last block's cache_control");
}

function isLong(mark: Value): boolean {
  return isObject(mark) && mark.ttl === "1h";
}
