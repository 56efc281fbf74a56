import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { openaiResponses, type RouteName } from "../src/adapters/openai-responses/index.ts";
import { createSession } from "../src/index.ts";
import { sameValue } from "../src/json/compare.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import { sameUnits } from "../src/wire/message-reader.ts";
import type { Wire } from "../src/wire/wire.ts";

// Recorded exchanges of public projects; they are beside the repository and never in it.
const folder = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const isPresent = existsSync(join(folder, "INDEX.json"));
if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to read them. Skipped.`);

/** Whose route an address is; the recordings say no more. */
const hosts: readonly (readonly [string, RouteName])[] = [
  ["openrouter.ai", "openrouter"],
  ["azure.com", "azure"],
  ["x.ai", "xai"],
];

type Exchange = {
  readonly file: string;
  readonly route: RouteName;
  readonly request: ObjectValue | undefined;
  readonly reply: Value | undefined;
};

const exchanges = isPresent ? recorded() : [];
const requests = exchanges.flatMap(({ request, ...rest }) => (request === undefined ? [] : [{ ...rest, request }]));
const replies = exchanges.flatMap(({ reply, ...rest }) =>
  isObject(reply) && isArray(reply.output) && reply.object !== "list" ? [{ ...rest, reply }] : [],
);
const streams = exchanges.flatMap(({ reply, ...rest }) => (isArray(reply) ? [{ ...rest, reply: reply as readonly ObjectValue[] }] : []));

describe.runIf(isPresent)("recorded Responses", () => {
  it("are all there", () => {
    expect({ requests: requests.length > 300, replies: replies.length > 250, streams: streams.length >= 60 }).toEqual({
      requests: true,
      replies: true,
      streams: true,
    });
  });

  it("are recognised as this wire's requests", () => {
    expect(requests.filter(({ request }) => !openaiResponses().recognises(request)).map(({ file }) => file)).toEqual([]);
  });

  it("open, and close to what they were", () => {
    const changed: string[] = [];
    for (const { file, route, request } of requests) {
      const wire = openaiResponses({ route, asksForReasoning: false });
      const opened = wire.open(request);
      const items = opened.messages.map((item) => composedAgain(wire as unknown as Wire, copyValue(item) as ObjectValue));
      const closed = copyValue(wire.close(request, opened.head, items)) as ObjectValue;
      if (!sameValue(normalRequest(request), normalRequest(closed))) changed.push(file);
      const plan = { mode: "off", ttl: undefined, hostMarks: opened.headMarks, repeatsTo: -1, lagging: undefined } as const;
      if (!sameValue(normalRequest(request), normalRequest(copyValue(wire.mark(closed, plan)) as ObjectValue)))
        changed.push(`${file} (marked)`);
    }
    expect(changed).toEqual([]);
  });

  it("are read alike before and after composing (rule 4)", () => {
    const other: string[] = [];
    for (const { file, request } of requests) {
      const wire = openaiResponses() as unknown as Wire;
      for (const item of itemsOf(request)) {
        const { units } = wire.read(item);
        const lonely = units.every(({ kind }) => kind === "reasoning");
        if (!lonely && !sameUnits(units, wire.read(composedAgain(wire, item)).units))
          other.push(`${file}: ${JSON.stringify(item).slice(0, 160)}`);
      }
    }
    expect(other).toEqual([]);
  });

  it("keep what their servers replied, whole and with its usage", () => {
    for (const { file, reply } of replies) {
      const { messages, finished, usage } = openaiResponses().readReply(reply);
      expect(finished, file).toBe(reply.status === "completed" || reply.status === undefined);
      const filled = (reply.output as readonly ObjectValue[]).filter((item) => !isEmptyMessage(item));
      expect(messages.map(normalItem), file).toEqual(filled.map(normalItem));
      if (!isObject(reply.usage)) continue;
      expect(usage.prompt, file).toBe(reply.usage.input_tokens);
      if (usage.cacheRead !== undefined) expect((usage.uncached ?? 0) + usage.cacheRead + (usage.cacheWrite ?? 0), file).toBe(usage.prompt);
    }
  });

  it("are put together from their streams to what the last event says", () => {
    for (const { file, reply: chunks } of streams) {
      // One recording holds two replies in a row.
      const events = chunks.slice(0, chunks.findIndex(({ type }) => type === "response.completed") + 1 || chunks.length);
      const wire = openaiResponses();
      const accumulator = wire.accumulator();
      for (const event of events) accumulator.add(event);
      const { reply, finished } = accumulator.reply();
      const last = events.find(({ type }) => type === "response.completed")?.response as ObjectValue | undefined;
      expect(finished, file).toBe(last !== undefined);
      const { messages, usage } = wire.readReply(reply);
      if (last === undefined) continue;
      const output = (last.output as readonly ObjectValue[]).filter((item) => !isEmptyMessage(item));
      // The last event encrypts anew; the finished item is the one that stays.
      if (output.length > 0) expect(messages.map(uncoded), file).toEqual(output.map(uncoded));
      expect(usage.prompt, file).toBe((last.usage as ObjectValue | undefined)?.input_tokens);
    }
  });

  it("go out again as they came, settled reply by settled reply", async () => {
    const kept: string[] = [];
    for (const { file, route, request, reply } of exchanges) {
      if (request === undefined || !isObject(reply) || !isArray(reply.output) || reply.status !== "completed" || isHeld(request)) continue;
      const wire = openaiResponses({ route, asksForReasoning: false });
      const { messages } = wire.readReply(reply);
      if (messages.some(({ type }) => type === "function_call" || type === "custom_tool_call") || messages.length === 0) continue;
      const session = createSession({ wire, selfCheck: true, toolResultCap: false });
      const first = await session.prepare(request).catch(() => undefined);
      if (first === undefined) continue;
      first.settle(reply);
      const input = [...itemsOf(request), ...(reply.output as readonly ObjectValue[]), { role: "user", content: "Go on." }];
      const next = await session.prepare({ ...request, input });
      const sent = next.request.input as unknown as readonly ObjectValue[];
      const again = sent.slice((first.request.input as readonly object[]).length, -1);
      const native = messages.some(({ type }) => type === "reasoning") && again.some(({ type }) => type === "reasoning");
      expect(
        next.continuity.checkpoints.filter(({ reason }) => reason !== "ledger"),
        file,
      ).toEqual([]);
      const wanted = native ? messages.map(normalItem) : messages.filter(({ type }) => type !== "reasoning").map(visible);
      expect(again.map(native ? normalItem : visible), file).toEqual(wanted);
      kept.push(file);
    }
    expect(kept.length).toBeGreaterThan(100);
  });

  it("name an overflow where the server spoke of one, and nowhere else", () => {
    const errors = exchanges.flatMap(({ reply, file }) =>
      isObject(reply) && isObject(reply.error) && reply.output === undefined ? [{ file, reply }] : [],
    );
    const found = errors.filter(({ reply }) => openaiResponses().readOverflow(reply) !== undefined).map(({ file }) => file);
    expect(found).toEqual(errors.filter(({ file }) => file.includes("context_length")).map(({ file }) => file));
  });
});

function composedAgain(wire: Wire, item: ObjectValue): ObjectValue {
  const { role, nativeRole, units } = wire.read(item);
  // An empty reply has nothing to compose.
  if (units.length === 0) return item;
  // A reply's item is composed alone here: what ties it to others does not count.
  if (role !== "assistant") return wire.compose(nativeRole, units);
  const alone = wire.compose("assistant", [...companions(units), ...units]);
  const spread = wire.spread?.(alone) ?? [];
  return units.every(({ kind }) => kind === "reasoning") ? (spread[0] ?? item) : (spread.at(-1) ?? item);
}

/** Reasoning in front of an item, so that it keeps its id. */
function companions(units: ReturnType<Wire["read"]>["units"]): ReturnType<Wire["read"]>["units"] {
  if (units.some(({ kind }) => kind === "reasoning")) return [];
  return openaiResponses().read({ type: "reasoning", id: "rs_0", summary: [], encrypted_content: "x" }).units;
}

// What the wire documents as alike, written a second time and plainly.

function normalRequest(request: ObjectValue): Value {
  const { input, tools, model, reasoning, text, ...rest } = request;
  const items = itemsOf(request)
    .filter((item) => !isEmptyMessage(item) && !isBareReasoning(item))
    .map(normalItem);
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return copyValue({
    ...present,
    model: model ?? undefined,
    input: items,
    tools: isArray(tools) && tools.length > 0 ? tools : undefined,
    reasoning: isObject(reasoning) ? withoutNulls(reasoning) : undefined,
    text: isObject(text) ? withoutNulls(text) : undefined,
  });
}

/** Marks are put back by `mark`. */
function withoutNulls(value: ObjectValue): ObjectValue {
  const marks = ["prompt_cache_breakpoint", "cache_control"];
  return Object.fromEntries(Object.entries(value).filter(([name, member]) => member !== null && !marks.includes(name)));
}

function normalItem(item: ObjectValue): ObjectValue {
  const { content, output, summary, ...rest } = withoutNulls(item);
  const isKnown = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    undefined,
  ].includes(item.type as string | undefined);
  if (!isKnown || (item.type === undefined && item.role === undefined)) return item;
  const role = item.role === "assistant" ? "output_text" : "input_text";
  return copyValue({
    ...rest,
    ...(item.type === "reasoning" ? { summary: summary ?? [] } : {}),
    content:
      content === undefined
        ? undefined
        : typeof content === "string"
          ? [{ type: role, text: content }]
          : (content as readonly ObjectValue[]).map(withoutNulls),
    output: output === undefined ? undefined : output,
  }) as ObjectValue;
}

/** An item as plain history. */
function visible(item: ObjectValue): ObjectValue {
  const { id: _id, ...rest } = normalItem(item);
  return ["message", "function_call", "custom_tool_call"].includes(String(item.type)) ? rest : normalItem(item);
}

/** What both the finished item and the last event say: a gateway may give them other ids. */
function uncoded(item: ObjectValue): ObjectValue {
  const { id: _id, encrypted_content: code, fingerprint, ...rest } = visible(item);
  return { ...rest, encrypted: typeof code, fingerprinted: typeof fingerprint };
}

function isEmptyMessage({ type, content, role }: ObjectValue): boolean {
  if (type !== "message" && role === undefined) return false;
  if (isArray(content))
    return content.every(
      (part) =>
        isObject(part) &&
        part.text === "" &&
        isArray(part.annotations ?? []) &&
        ((part.annotations ?? []) as readonly Value[]).length === 0,
    );
  return content === "" || content === null || content === undefined;
}

/** Without ciphertext or id reasoning does not go out. */
function isBareReasoning({ type, encrypted_content, id }: ObjectValue): boolean {
  return type === "reasoning" && (typeof encrypted_content !== "string" || encrypted_content === "" || typeof id !== "string");
}

function itemsOf({ input }: ObjectValue): readonly ObjectValue[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return (isArray(input) ? input : []) as readonly ObjectValue[];
}

function isHeld({ previous_response_id, conversation }: ObjectValue): boolean {
  return [previous_response_id, conversation].some((held) => held !== undefined && held !== null);
}

// The recordings come in three shapes.

function recorded(): readonly Exchange[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly wires: readonly { readonly file: string; readonly formats?: readonly string[] }[];
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const wires = index.wires.filter(({ formats }) => formats?.includes("openai-responses")).flatMap(({ file }) => exchangesOf(file));
  const sessions = index.sessions.filter(({ format }) => format === "openai-responses").map(({ file }) => sessionOf(file));
  return [...wires, ...sessions];
}

/** A whole history, as one request. */
function sessionOf(file: string): Exchange {
  const { items, tools, model } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
  return { file, route: "openai", request: copyValue({ model, tools: tools ?? undefined, input: items }) as ObjectValue, reply: undefined };
}

function exchangesOf(file: string): readonly Exchange[] {
  const text = readFileSync(join(folder, file), "utf8");
  if (file.endsWith(".chunks.txt")) {
    const events = text.split("\n").filter(Boolean);
    return [{ file, route: "openai", request: undefined, reply: copyValue(events.map((line) => JSON.parse(line))) }];
  }
  const whole = copyValue(JSON.parse(text)) as ObjectValue;
  if (!isArray(whole.interactions)) return [{ file, route: "openai", request: undefined, reply: whole }];
  return (whole.interactions as readonly ObjectValue[])
    .filter(({ format }) => format === "openai-responses")
    .map((interaction) => exchange(file, interaction));
}

function exchange(file: string, { request, response }: ObjectValue): Exchange {
  const { url, body } = request as { readonly url: string; readonly body: Value };
  const route = hosts.find(([host]) => url.includes(host))?.[1] ?? "openai";
  const isCreate = /\/responses(\?.*)?$/.test(url);
  return {
    file,
    route,
    request: isObject(body) && isCreate && body.messages === undefined ? body : undefined,
    reply: bodyOf(response as ObjectValue),
  };
}

function bodyOf({ body, sse }: ObjectValue): Value | undefined {
  if (typeof sse !== "string") return body;
  const lines = sse.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []));
  return copyValue(lines.filter((line) => line !== "[DONE]").map((line) => JSON.parse(line)));
}
