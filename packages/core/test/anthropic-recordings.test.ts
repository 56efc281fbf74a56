import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { type AnthropicRequest, anthropic } from "../src/adapters/anthropic/index.ts";
import { sameValue } from "../src/json/compare.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import { firstBreach } from "../src/wire/rule.ts";

// Recorded exchanges of public projects; they are beside the repository and never in it.
const folder = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const isPresent = existsSync(join(folder, "INDEX.json"));
if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to read them. Skipped.`);

type Exchange = {
  readonly file: string;
  readonly host: string;
  readonly version: string | undefined;
  readonly request: ObjectValue | undefined;
  readonly status: number;
  /** A parsed body; a list: the events of a stream. */
  readonly reply: Value | undefined;
};

const wire = anthropic();
const exchanges = isPresent ? recorded() : [];
const requests = exchanges.flatMap(({ request, ...rest }) =>
  isArray(request?.messages) ? [{ ...rest, request: request as ObjectValue }] : [],
);
const replies = exchanges.flatMap(({ reply, ...rest }) => (isObject(reply) && reply.type === "message" ? [{ ...rest, reply }] : []));
const streams = exchanges.flatMap(({ reply, ...rest }) =>
  isArray(reply) ? streamsIn(reply as readonly ObjectValue[]).map((events) => ({ ...rest, events })) : [],
);
const errors = exchanges.flatMap(({ reply, ...rest }) => (isObject(reply) && reply.type === "error" ? [{ ...rest, reply }] : []));

describe.runIf(isPresent)("recorded Messages exchanges", () => {
  it("are all there", () => {
    const counts = { requests: requests.length, replies: replies.length, streams: streams.length, errors: errors.length };
    expect(counts, JSON.stringify(counts)).toSatisfy(
      () => requests.length >= 290 && replies.length >= 290 && streams.length >= 60 && errors.length >= 3,
    );
  });

  it("are recognised as this wire's requests", () => {
    const strangers = requests.filter(({ request, host }) => host.endsWith("anthropic.com") && !wire.recognises(request));
    expect(strangers.map(({ file }) => file)).toEqual([]);
  });

  it("open, and close to what they were", () => {
    const changed: string[] = [];
    for (const { file, request } of requests) {
      const whole = request as unknown as AnthropicRequest;
      const { head, messages, headMarks } = wire.open(whole);
      const closed = copyValue(wire.close(whole, head, messages.map(composedAgain))) as unknown as AnthropicRequest;
      const marked = wire.mark(closed, { mode: "off", ttl: undefined, hostMarks: headMarks, repeatsTo: -1, lagging: undefined });
      for (const again of [closed, marked]) {
        if (!sameValue(plainRequest(request), plainRequest(copyValue(again) as ObjectValue))) changed.push(file);
      }
    }
    expect(changed).toEqual([]);
  });

  it("pass the sure rules where the provider took them", () => {
    const refused: string[] = [];
    for (const { file, request, status, version, host } of requests) {
      if (status !== 200 || !host.endsWith("anthropic.com")) continue;
      const context = { profile: wire.profile(String(request.model)), betas: undefined, version };
      const found = firstBreach(wire.rules, request, context, ["sure"]);
      if (found !== undefined) refused.push(`${file}: ${found.rule.id} ${found.breach.message}`);
    }
    expect(refused).toEqual([]);
  });

  it("give their replies whole, with usage that sums up", () => {
    for (const { file, reply } of replies) {
      const { messages, finished, usage } = wire.readReply(reply);
      const [message] = messages;
      const isNone =
        (reply.content as readonly Value[]).length === 0 || reply.stop_reason === "refusal" || reply.stop_reason === "compaction";
      expect(message === undefined, file).toBe(isNone);
      if (message !== undefined) expect(message.content, file).toEqual(reply.content);
      expect(finished, file).toBe(typeof reply.stop_reason === "string");
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = reply.usage as ObjectValue;
      expect(usage.prompt, file).toBe(
        Number(input_tokens) + Number(cache_read_input_tokens ?? 0) + Number(cache_creation_input_tokens ?? 0),
      );
      if (message !== undefined) expect(sameValue(plainMessage(message), plainMessage(composedAgain(message))), file).toBe(true);
    }
  });

  it("are put together from their streams", () => {
    for (const { file, events } of streams) {
      const accumulator = wire.accumulator();
      for (const event of events) accumulator.add(event);
      const { reply, finished } = accumulator.reply();
      expect(finished, file).toBe(events.some(({ type }) => type === "message_stop") && !events.some(({ type }) => type === "error"));
      if (!finished) continue;
      const reading = wire.readReply(reply);
      expect(reading.finished, file).toBe(true);
      expect(reading.usage.output, file).toBeTypeOf("number");
      const started = events.filter(({ type }) => type === "content_block_start").length;
      const { content } = (events[0] as { readonly message: ObjectValue }).message;
      expect((copyValue(reply) as { content: Value[] }).content, file).toHaveLength(started + (content as readonly Value[]).length);
    }
  });

  it("name an overflow where the server spoke of one, and nowhere else", () => {
    const found = errors.filter(({ reply }) => wire.readOverflow(reply) !== undefined).map(({ file }) => file);
    expect(found).toEqual(errors.filter(({ file }) => file.includes("context_length")).map(({ file }) => file));
  });
});

/** Some files hold the streams of several replies. */
function streamsIn(events: readonly ObjectValue[]): readonly (readonly ObjectValue[])[] {
  const starts = events.flatMap(({ type }, index) => (type === "message_start" ? [index] : []));
  return starts.map((from, number) => events.slice(from, starts[number + 1]));
}

function composedAgain(message: unknown): ObjectValue {
  const { nativeRole, units } = wire.read(copyValue(message) as ObjectValue);
  return wire.compose(nativeRole, units);
}

// What the wire documents as alike, written a second time and plainly.

function plainRequest(request: ObjectValue): Value {
  const { system, tools, messages, ...rest } = request;
  const blocks = typeof system === "string" ? [{ type: "text", text: system }] : isArray(system) ? system : [];
  return copyValue({
    ...rest,
    system: plainBlocks(blocks),
    tools: isArray(tools) ? tools.map(withoutMark) : [],
    messages: (messages as readonly ObjectValue[]).map(plainMessage),
  });
}

function plainMessage({ content, ...rest }: ObjectValue): Value {
  return copyValue({ ...rest, content: plainBlocks(typeof content === "string" ? [{ type: "text", text: content }] : content) });
}

function plainBlocks(blocks: Value | undefined): readonly Value[] {
  return (blocks as readonly ObjectValue[])
    .map(plainBlock)
    .filter(({ type, text, ...rest }) => type !== "text" || Object.keys(rest).length > 0 || String(text).trim() !== "");
}

function plainBlock(given: ObjectValue): ObjectValue {
  const block: Record<string, Value> = { ...(withoutMark(given) as Record<string, Value>) };
  if (block.citations === null) delete block.citations;
  if (block.type !== "tool_result") return block;
  const { content } = block;
  if (block.is_error === false) delete block.is_error;
  if (isArray(content)) block.content = plainBlocks(content);
  const [only, second] = isArray(block.content) ? block.content : [];
  if (isObject(only) && only.type === "text" && second === undefined) block.content = only.text as string;
  if (block.content === "" || (isArray(block.content) && block.content.length === 0)) delete block.content;
  return block;
}

function withoutMark(value: Value): Value {
  const { cache_control: _mark, ...rest } = value as ObjectValue;
  return rest;
}

function recorded(): readonly Exchange[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as { wires: { file: string; formats?: string[] }[] };
  const files = index.wires.filter(({ formats }) => formats?.includes("anthropic")).map(({ file }) => file);
  return files.flatMap((file) => exchangesIn(file, readFileSync(join(folder, file), "utf8")));
}

function exchangesIn(file: string, text: string): readonly Exchange[] {
  const bare = { file, host: "", version: undefined, request: undefined, status: 200 };
  if (file.endsWith(".sse")) return [{ ...bare, reply: sseEvents(text) }];
  if (file.endsWith(".txt"))
    return [
      {
        ...bare,
        reply: copyValue(
          text
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        ),
      },
    ];
  const parsed = copyValue(JSON.parse(text)) as Value;
  const list = isArray(parsed) ? parsed : isObject(parsed) && isArray(parsed.interactions) ? parsed.interactions : [parsed];
  return list.flatMap((one) => {
    const { request, response, format } = one as { readonly [name: string]: ObjectValue };
    if (request === undefined || response === undefined) return [{ ...bare, reply: one }];
    if (format !== undefined && String(format) !== "anthropic") return [];
    const { url, headers, body, payload } = request;
    const version = (headers as ObjectValue | undefined)?.["anthropic-version"];
    return [
      {
        file,
        host: new URL(String(url)).hostname,
        version: typeof version === "string" ? version : undefined,
        request: (body ?? payload) as ObjectValue | undefined,
        status: Number(response.status ?? response.status_code),
        reply: replyOf(response),
      },
    ];
  });
}

function replyOf({ sse, body, content }: ObjectValue): Value | undefined {
  const text = [sse, body, content].find((part) => typeof part === "string" && part.startsWith("event:"));
  return typeof text === "string" ? sseEvents(text) : (body ?? undefined);
}

function sseEvents(text: string): Value {
  const lines = text.split("\n").filter((line) => line.startsWith("data:"));
  return copyValue(lines.map((line) => JSON.parse(line.slice("data:".length))));
}
